// Written by `make generate`.
/** Figures of the requested countries. */
export interface GetCountryMacroResponse {
  /** Time when the oldest of the four parts was read, ISO 8601 in UTC. Absent while a part has no figures. */
  cached_at?: string;
  /** True if the figures were read more than 70 days ago, or a part is missing. Such a response is `no-store`. */
  stale: boolean;
  /** Always present. */
  data: CountryMacroData;
}

/** Figures by subject. */
export interface CountryMacroData {
  /** Prices, government finance and the current account. */
  macro: PriceFigures;
  /** Output, saving and investment. */
  growth: GrowthFigures;
  /** Employment and population. */
  labor: LaborFigures;
  /** Trade and the current account in US dollars. */
  external: ExternalFigures;
}

/** Prices and government finance of one country. A figure that the source does not report is absent. */
export interface CountryPrices {
  /** Annual change of average consumer prices, percent. World Economic Outlook `PCPIPCH`. */
  inflationPct?: number;
  /** Current account balance, percent of GDP. Negative for a deficit. World Economic Outlook `BCA_NGDPD`. */
  currentAccountPct?: number;
  /** General government revenue, percent of GDP. Fiscal Monitor `GGR_G01_GDP_PT`. */
  govRevenuePct?: number;
  /** Consumer price index (`PCPI`). Always absent: the DataMapper does not offer it. */
  cpiIndex?: number;
  /** Change of consumer prices from the end of the previous year to the end of the year, percent. World Economic Outlook `PCPIEPCH`. */
  cpiEopPct?: number;
  /** General government expenditure, percent of GDP. Fiscal Monitor `G_X_G01_GDP_PT`. */
  govExpenditurePct?: number;
  /** General government balance excluding net interest, percent of GDP. Negative for a deficit. Fiscal Monitor `GGXONLB_G01_GDP_PT`. */
  primaryBalancePct?: number;
  /** Year of the figures. If they are of different years, the earliest. */
  year: number;
  /** Latest year of any of the figures, at most the current year. */
  latestYear: number;
}

/** Output, saving and investment of one country. A figure that the source does not report is absent. */
export interface CountryGrowth {
  /** Annual growth of gross domestic product at constant prices, percent. World Economic Outlook `NGDP_RPCH`. */
  realGdpGrowthPct?: number;
  /** Gross domestic product per capita at current prices, US dollars. World Economic Outlook `NGDPDPC`. */
  gdpPerCapitaUsd?: number;
  /** Gross domestic product at constant prices, national currency (`NGDP_R`). Always absent: the DataMapper does not offer it. */
  realGdp?: number;
  /** Gross domestic product at constant prices, billions of national currency. Always absent: the DataMapper does not offer it. */
  realGdpLcuB?: number;
  /** Gross domestic product per capita at purchasing power parity, international dollars. World Economic Outlook `PPPPC`. */
  gdpPerCapitaPpp?: number;
  /** Gross domestic product at purchasing power parity, international dollars (reported by the source in billions). World Economic Outlook `PPPGDP`. */
  gdpPpp?: number;
  /** Investment, percent of GDP (`NID_NGDP`). Always absent: the DataMapper does not offer it. */
  investmentPct?: number;
  /** Gross national savings, percent of GDP (`NGSD_NGDP`). Always absent: the DataMapper does not offer it. */
  savingsPct?: number;
  /** `savingsPct` minus `investmentPct`, percentage points of GDP, 2 decimals. Always absent, because both inputs are. */
  savingsInvestmentGap?: number;
  /** Year of the figures. If they are of different years, the earliest. */
  year: number;
  /** Latest year of any of the figures, at most the current year. */
  latestYear: number;
}

/** Employment and population of one country. A figure that the source does not report is absent. */
export interface CountryLabor {
  /** Unemployment rate, percent of the labor force. World Economic Outlook `LUR`. */
  unemploymentPct?: number;
  /** Population, millions. World Economic Outlook `LP`. */
  populationMillions?: number;
  /** Year of the figures. If they are of different years, the earliest. */
  year: number;
  /** Latest year of any of the figures, at most the current year. */
  latestYear: number;
}

/** Trade and the current account of one country. A figure that the source does not report is absent. */
export interface CountryExternal {
  /** Exports, US dollars. Always absent: the IMF has withdrawn the series. */
  exportsUsd?: number;
  /** Imports, US dollars. Always absent: the IMF has withdrawn the series. */
  importsUsd?: number;
  /** Exports minus imports, US dollars. Always absent, because both inputs are. */
  tradeBalanceUsd?: number;
  /** Current account balance, US dollars (reported by the source in billions). Negative for a deficit. World Economic Outlook `BCA`. */
  currentAccountUsd?: number;
  /** Annual change of import volume, percent (`TM_RPCH`). Always absent: the DataMapper does not offer it. */
  importVolumePctChg?: number;
  /** Annual change of export volume, percent (`TX_RPCH`). Always absent: the DataMapper does not offer it. */
  exportVolumePctChg?: number;
  /** Year of the figures. If they are of different years, the earliest. */
  year: number;
  /** Latest year of any of the figures, at most the current year. */
  latestYear: number;
}

/** Prices and government finance by country. */
export interface PriceFigures {
  /** Keyed by ISO 3166-1 alpha-2 code, in code order. */
  countries: Record<string, CountryPrices>;
  /** Time when the source was read, Unix epoch milliseconds. Absent if there are no figures. */
  seededAt?: number;
}

/** Output, saving and investment by country. */
export interface GrowthFigures {
  /** Keyed by ISO 3166-1 alpha-2 code, in code order. */
  countries: Record<string, CountryGrowth>;
  /** Time when the source was read, Unix epoch milliseconds. Absent if there are no figures. */
  seededAt?: number;
}

/** Employment and population by country. */
export interface LaborFigures {
  /** Keyed by ISO 3166-1 alpha-2 code, in code order. */
  countries: Record<string, CountryLabor>;
  /** Time when the source was read, Unix epoch milliseconds. Absent if there are no figures. */
  seededAt?: number;
}

/** Trade and the current account by country. */
export interface ExternalFigures {
  /** Keyed by ISO 3166-1 alpha-2 code, in code order. */
  countries: Record<string, CountryExternal>;
  /** Time when the source was read, Unix epoch milliseconds. Absent if there are no figures. */
  seededAt?: number;
}

export interface GetPaths {
  /** Returns macroeconomic figures for about 190 countries.
   *
   * Covers prices, government finance, growth, employment and external balance. Source: IMF DataMapper (World Economic Outlook and Fiscal Monitor; attribution, commercial use limited). Each figure is the most recent value of the current year and the two years before it. A value for the current year is the IMF's estimate; its forecasts for later years are never used. Before the first refresh, there are no countries, `stale` is true and `cached_at` is absent. If `cached_at` is present, `stale` means that the last values are more than 70 days old. */
  "/api/economic/v1/get-country-macro": {
    query: {
      /** Countries in any form, repeated or comma-separated. Countries without figures are left out. Default: all countries, up to `limit`. */
      countries?: readonly string[] | undefined;
      /** Maximum number of countries in each part, in code order. Default 30. 0 means all. Ignored if `countries` is set. */
      limit?: number | undefined;
      /** If true, returns only the first known figure of each part for each country, with its year, in the documented order (inflation, growth, unemployment, current account). */
      summary?: boolean | undefined;
    };
    answer: GetCountryMacroResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "data.macro.countries" | "data.growth.countries" | "data.labor.countries" | "data.external.countries" | undefined; raw?: boolean | undefined };
  };
}

