// Written by `make generate`.
/** Carrier shares and the resulting score. */
export interface GetShippingStressResponse {
  /** Always in the same order. Carriers without data are left out. */
  carriers: ShippingCarrier[];
  /** Stress score, an integer from 0 to 100. Higher means more disruption. 0 without carriers. */
  stressScore: number;
  /** `low` below 25, `moderate` below 50, `elevated` below 75, otherwise `critical`. Empty without carriers. */
  stressLevel: "" | "low" | "moderate" | "elevated" | "critical";
  /** Time when the prices were read, Unix epoch milliseconds. 0 if never read. */
  fetchedAt: number;
  /** True if the prices were never read, or more than 45 minutes ago. The response is then empty or old. */
  upstreamUnavailable: boolean;
}

/** A carrier, or a fund of freight futures. */
export interface ShippingCarrier {
  /** `carrier` is a shipping company, `etf` a fund, `index` a freight rate index. */
  carrierType: "etf" | "carrier" | "index";
  /** English name of the carrier or fund. */
  name: string;
  /** Last price, US dollars. */
  price: number;
  /** Change between the last two daily closes, percent, two decimals. */
  changePct: number;
  /** Up to 30 daily closes, US dollars, oldest first. */
  sparkline: number[];
  /** Ticker, such as `ZIM`. */
  symbol: string;
  /** Time of the last trade at `price`, ISO 8601 in UTC. Empty if the source does not report it. */
  asOf: string;
}

export interface GetPaths {
  /** Returns a shipping stress score based on carrier share prices.
   *
   * Source: the public charts of Yahoo Finance, whose terms do not permit redistribution; used live only if the operator enables it. The score is 40 - 3 × the unweighted mean of `change_pct` over the available carriers, rounded and clamped to 0–100: falling shares raise it, and 40 means no change. The change is between the last two daily closes on record: on weekends and holidays, that of the last trading day. Without data, and if the prices were read more than 45 minutes ago, `upstream_unavailable` is true. */
  "/api/supply-chain/v1/get-shipping-stress": {
    query: Record<never, never>;
    answer: GetShippingStressResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "carriers" | "response" | undefined; raw?: boolean | undefined };
  };
}

