// Written by `make generate`.
/** Matching minerals. */
export interface GetMineralProductionResponse {
  /** In a fixed order, rare earths first. */
  commodities: MineralCommodity[];
  /** If `iso2` is set, one entry with the country's holdings in the same order. Otherwise empty. */
  countries: MineralCountry[];
  /** Time when the least recently read source was read, ISO 8601 in UTC. Empty if none was ever read. */
  fetchedAt: string;
  /** True if no source was ever read, or none for 400 days. */
  upstreamUnavailable: boolean;
  /** Most recent year of all data, regardless of the filters. 0 if there is no data. */
  dataYear: number;
}

/** A mineral. */
export interface MineralCommodity {
  /** Id of the mineral, such as `cobalt`. */
  commodityId: string;
  /** English name of the mineral. */
  commodity: string;
  /** Most recent year of its stages. */
  year: number;
  /** Unit of the mine stage, or of the only stage, as published, such as `metric tons`. */
  unit: string;
  /** Sources of the figures: `usgs-mcs`, `bgs`. */
  sources: string[];
  /** Mining. Absent if there is no data. */
  mine?: MineralStage;
  /** Refining and smelting. Absent if there is no data. */
  refinery?: MineralStage;
}

/** Production of one country across minerals. */
export interface MineralCountry {
  /** ISO 3166-1 alpha-2 country code. */
  iso2: string;
  /** Sorted by mineral, mines before refineries. */
  holdings: MineralHolding[];
}

/** A stage of a mineral. */
export interface MineralStage {
  /** True if any output is known. If false, ignore `hhi`. */
  available: boolean;
  /** Calendar year of the figures. */
  year: number;
  /** Unit of all outputs of this stage, as published. */
  unit: string;
  /** Source of `hhi` and the shares: `usgs-mcs` or `bgs`. */
  source: string;
  /** Countries with an output first, largest first, then the others by name. */
  countries: MineralProducer[];
  /** Herfindahl-Hirschman index, 0 to 10,000, two decimals: the sum of the squared shares of all named countries, regardless of the filters. The rest of the world counts in the total, but not as a producer. */
  hhi: number;
  /** World total as published, rounded. Absent if not published. */
  worldTotal?: number;
  /** Number of figures that countries withhold. */
  withheldCount: number;
}

/** The country's production in one stage of one mineral. */
export interface MineralHolding {
  /** Id of the mineral, such as `cobalt`. */
  commodityId: string;
  /** English name of the mineral. */
  commodity: string;
  /** `mine` or `refinery`. */
  stage: string;
  /** True if there is an output. 0 is then a measured zero. */
  hasOutput: boolean;
  /** As in the list of the stage. */
  output?: number;
  /** As in the list of the stage, percent. */
  share?: number;
  /** True if the country withholds the figure. */
  withheld: boolean;
  /** Unit of the output, as published. */
  unit: string;
}

/** Production of one country. */
export interface MineralProducer {
  /** ISO 3166-1 alpha-2 code. Empty for the rest of the world, and if the name is not a country. */
  iso2: string;
  /** English name of the country. */
  country: string;
  /** True if there is an output. 0 is then a measured zero. */
  hasOutput: boolean;
  /** Output in the stage's unit. Absent if withheld or unknown. */
  output?: number;
  /** Share of all outputs of the stage, percent, 0 to 100, four decimals. Absent without an output, if the total is 0, and for a country that only the second source names, because the rest of the world already includes it. */
  share?: number;
  /** True if the country withholds the figure. */
  withheld: boolean;
  /** True if the figure is an estimate. */
  estimated: boolean;
  /** True for the combined output of all other countries. */
  residual: boolean;
  /** Source of the figure: `usgs-mcs` or `bgs`. */
  source: string;
  /** Calendar year of the figure. */
  year: number;
}

export interface GetPaths {
  /** Returns countries' production of fourteen critical minerals.
   *
   * Covers mining and refining, and the concentration of each stage. Sources: USGS Mineral Commodity Summaries (US public domain), most recent year of each stage. If the operator permits it, BGS World Mineral Statistics for minerals, stages and countries that USGS lacks. An absent `output` or `share` is unknown, never 0. Unknown filter values return an empty list. `upstream_unavailable` is true if no source was ever read, or none for 400 days. */
  "/api/supply-chain/v1/get-mineral-production": {
    query: {
      /** Id or label of a mineral, case-insensitive: `ree`, `lithium`, `cobalt`, `copper`, `nickel`, `graphite`, `tungsten`, `gallium`, `germanium`, `helium`, `aluminum`, `bauxite`, `alumina` or `uranium`. Any other value returns an empty list. Default: all minerals. */
      commodity?: string | undefined;
      /** Country in any form: code or English name. Returns only the production of this country. Default: all countries. */
      iso2?: string | undefined;
      /** `mine` or `refinery`, case-insensitive. `smelter` and `smelting` mean `refinery`. Default: both. */
      stage?: "" | "mine" | "refinery" | "smelter" | "smelting" | undefined;
    };
    answer: GetMineralProductionResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "commodities.mine.countries" | "commodities.refinery.countries" | "commodities" | "countries.holdings" | undefined; raw?: boolean | undefined };
  };
}

