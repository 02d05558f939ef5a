// Written by `make generate`.
/** Imports of a country. */
export interface GetCountryProductsResponse {
  /** The requested country. */
  iso2: string;
  /** Watched headings with stored imports, highest value first. */
  products: ImportedProduct[];
  /** Time when the imports were read, ISO 8601 in UTC. Empty if there are none. */
  fetchedAt: string;
  /** True if no imports of any country could be read yet, those of this country are more than 45 days old, or the store cannot be read. If false and there are no products, the country is not covered. */
  upstreamUnavailable: boolean;
}

/** An imported heading. */
export interface ImportedProduct {
  /** Heading of the Harmonized System, four digits. */
  hs4: string;
  /** Label of the heading. */
  description: string;
  /** Annual imports in US dollars, including cost, insurance and freight: the sum over all partners. */
  totalValue: number;
  /** Up to five partners, highest value first. */
  topExporters: Exporter[];
  /** Calendar year. */
  year: number;
}

/** A partner from which a heading is imported. */
export interface Exporter {
  /** Comtrade code of the partner, usually the UN M49 number. */
  partnerCode: number;
  /** ISO 3166-1 alpha-2 code. Empty if the partner is not a single country, such as `Areas, nes`. */
  partnerIso2: string;
  /** Imports from the partner, in US dollars. */
  value: number;
  /** Share of the heading's imports, a fraction from 0 to 1, three decimals. */
  share: number;
}

export interface GetPaths {
  /** Lists a country's imports of 36 watched headings, with exporters.
   *
   * The headings are those of the Harmonized System. Source: UN Comtrade, annual imports by partner, most recent year on record of each heading. A country that is not covered has no products. `upstream_unavailable` distinguishes this from imports that could not be read. */
  "/api/supply-chain/v1/get-country-products": {
    query: {
      /** Importing country in any form: code or English name. */
      iso2: string;
    };
    answer: GetCountryProductsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "products" | "products.topExporters" | undefined; raw?: boolean | undefined };
  };
}

