// Written by `make generate`.
/** Quotes and their age. */
export interface GetMarketDataResponse {
  /** Time of the last read of the least recently read source behind the requested classes, ISO 8601 in UTC. Absent if any of these sources was never read. */
  cached_at?: string;
  /** True if any of these sources was never read or is overdue: after 45 minutes for shares, 3 days for metals. */
  stale: boolean;
  /** The quotes. */
  data?: MarketData;
  /** True if any requested asset class has no quotes, regardless of symbol. `unavailableAssetClasses` lists them. */
  unavailable: boolean;
  /** Requested asset classes without any quotes, in parameter order. */
  unavailableAssetClasses: string[];
}

/** Stored quotes. */
export interface MarketData {
  /** Shares first, then metals, gold before silver, always in the same order. */
  quotes: MarketQuote[];
}

/** Last price of one symbol. */
export interface MarketQuote {
  /** Ticker of a share, `GC=F` and `SI=F` for the COMEX futures, `SHAU` and `SHAG` for the prints in Shanghai. */
  symbol: string;
  /** English name. Absent in a summary. */
  name?: string;
  /** `equity`, `etf` or `commodity`. Absent in a summary. */
  assetClass?: string;
  /** Price in `currency`. For a metal, per `unit`. */
  price: number;
  /** ISO 4217 currency code. Absent in a summary. */
  currency?: string;
  /** Change between the last two daily closes, percent, 2 decimals. 0 is a measured zero. Absent if not measured, as for metals. */
  changePct?: number;
  /** Shares and futures: time of the last trade at this price, ISO 8601 in UTC. Prints: date in Shanghai, YYYY-MM-DD. Absent if unknown, and in a summary. */
  asOf?: string;
  /** Unit of a metal's price: `troy ounce`, `gram` or `kilogram`. Absent for shares, and in a summary. */
  unit?: string;
}

export interface GetPaths {
  /** Returns stored quotes of shipping shares, a freight fund and metals.
   *
   * Classes `equity` and `etf` are the shares and the fund behind GetShippingStress (Yahoo Finance). Class `commodity` contains every gold and silver price behind GetPhysicalPremiums (Shanghai Gold Exchange, COMEX futures). A call never queries the sources, and old quotes remain: `stale` is true if any of them is overdue. There are no quotes of the classes `crypto`, `sectors`, `gulf` and `sentiment`. Accounts without a paid subscription have a daily allowance of calls, per UTC day. */
  "/api/market/v1/get-market-data": {
    query: {
      /** Symbols such as `ZIM` or `GC=F`, case-insensitive, repeated or comma-separated, at most 100. Unknown symbols are left out. Default: all symbols. */
      symbols?: readonly string[] | undefined;
      /** `equity`, `commodity`, `crypto`, `sectors`, `etf`, `gulf` or `sentiment`, case-insensitive, repeated or comma-separated. Default: the classes that have quotes, `equity`, `etf` and `commodity`. */
      asset_class?: readonly ("equity" | "commodity" | "crypto" | "sectors" | "etf" | "gulf" | "sentiment")[] | undefined;
      /** Maximum number of quotes, 0 or more. Default 30. 0 means all. */
      limit?: number | undefined;
      /** If true, returns only `symbol`, `price` and `changePct` of each quote. */
      summary?: boolean | undefined;
    };
    answer: GetMarketDataResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

