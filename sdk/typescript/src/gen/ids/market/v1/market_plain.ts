// Written by `make generate`.
/** Premiums and the exchange rate used. */
export interface GetPhysicalPremiumsResponse {
  /** The requested metals, gold before silver. Empty unless `available`. */
  premiums: PhysicalPremium[];
  /** Exchange rate. Absent unless `available`. */
  fx?: PremiumExchangeRate;
  /** True if there are reliable premiums. False if they were never loaded, are incomplete or too old: `GetPhysicalDivergenceIndex` gives the reason. */
  available: boolean;
}

/** Premium of one metal in Shanghai over its future. */
export interface PhysicalPremium {
  /** `gold` or `silver`. */
  metal: string;
  /** Benchmark price of the Shanghai Gold Exchange. */
  physical?: PriceLeg;
  /** Price of the COMEX future. */
  paper?: PriceLeg;
  /** Physical minus paper, US dollars per troy ounce, 4 decimals. Negative if Shanghai is cheaper. */
  premiumUsdPerOz: number;
  /** The premium in percent of the paper price, 4 decimals. */
  premiumPct: number;
  /** Computation time, ISO 8601 in UTC. */
  computedAt: string;
}

/** Exchange rate used for the premiums. */
export interface PremiumExchangeRate {
  /** Always `CNY/USD`. */
  pair: string;
  /** US dollars per yuan, 8 significant digits. */
  rate: number;
  /** Source of the rate. */
  source: string;
  /** 14:15 UTC of the day of the rates, ISO 8601. */
  asOf: string;
}

/** A price used to compute a premium. */
export interface PriceLeg {
  /** Price in `currency` per `unit`. */
  price: number;
  /** `CNY` for physical, `USD` for paper. */
  currency: string;
  /** `gram` for gold and `kilogram` for silver in Shanghai, `troy ounce` for futures. */
  unit: string;
  /** Source of the price, such as `Shanghai Gold Exchange SHAU PM benchmark`. */
  source: string;
  /** Physical: date of the print in Shanghai, YYYY-MM-DD. Paper: time of the price, ISO 8601 in UTC. */
  asOf: string;
}

export interface GetPaths {
  /** Returns Shanghai premiums of gold and silver over COMEX futures.
   *
   * Physical: benchmark prices of the Shanghai Gold Exchange (SHAU, SHAG), in yuan. Paper: COMEX futures GC=F and SI=F, in dollars. Exchange rate: euro reference rates of the European Central Bank (dollars per euro divided by yuan per euro). Computed daily at 08:00 UTC. Every price of both metals must be available, computed within 3 days from fresh prices and with prints of the last 10 days. Otherwise `available` is false and no premiums are returned. */
  "/api/market/v1/get-physical-premiums": {
    query: {
      /** `gold` or `silver`, case-insensitive, repeated or comma-separated. Duplicates are ignored. Default: both. */
      metals?: readonly ("gold" | "silver")[] | undefined;
    };
    answer: GetPhysicalPremiumsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

