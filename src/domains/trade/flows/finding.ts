import type { GetTariffTrendsResponse_UnavailableReason } from "../../../../gen/es/ids/trade/v1/trade_pb.ts";
import type { Listing } from "../coverage-table.ts";

/** Why there are rows or none. Both responses have the same reasons. */
export type Reason = keyof typeof GetTariffTrendsResponse_UnavailableReason;

/** What is told to callers, by what was found; looked for in this order, and the first that is found counts. */
export const verdicts = {
  sectorNotCovered: { reason: "NOT_COVERED", upstreamUnavailable: false },
  rowsUnreadable: { reason: "CACHE_UNAVAILABLE", upstreamUnavailable: true },
  rows: { reason: "UNSPECIFIED", upstreamUnavailable: false },
  coverageUnreadable: { reason: "CACHE_UNAVAILABLE", upstreamUnavailable: true },
  unknown: { reason: "COVERAGE_UNKNOWN", upstreamUnavailable: true },
  listed: { reason: "SEED_MISSING", upstreamUnavailable: true },
  "not listed": { reason: "NOT_COVERED", upstreamUnavailable: false },
} as const satisfies Readonly<Record<string, { reason: Reason; upstreamUnavailable: boolean }>>;

/** What was found of a series. */
export type Finding<Rows> =
  | { readonly found: "rows"; readonly rows: Rows }
  | { readonly found: Exclude<keyof typeof verdicts, "rows">; readonly rows?: undefined };

/** The ways to look for a series. */
export interface Search<Rows> {
  readonly readRows: () => Promise<Rows | undefined>;
  /** Asked only where there are no rows. */
  readonly readListing: () => Promise<Listing>;
  readonly warn: (message: string) => void;
}

/** Looks for a series; a store that cannot be read is a finding too. */
export async function find<Rows>({ readRows, readListing, warn }: Search<Rows>): Promise<Finding<Rows>> {
  const unreadable = (found: "rowsUnreadable" | "coverageUnreadable") => (error: unknown) => {
    warn(`trade: ${error instanceof Error ? error.message : String(error)}`);
    return { found } as const;
  };
  const finding = await readRows().then(
    (rows) => rows && { found: "rows" as const, rows },
    unreadable("rowsUnreadable"),
  );
  return finding ?? readListing().then((found) => ({ found }), unreadable("coverageUnreadable"));
}
