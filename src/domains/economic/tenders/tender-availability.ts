import type { DatasetStatus, SourceStatus } from "../../../ingest/dataset-status.ts";

export interface FeedSourceStatus {
  readonly source: string;
  readonly state: State;
  readonly recordCount: number;
  readonly fetchedAt: string;
  readonly lastSuccessfulAt: string;
  readonly stale: boolean;
  readonly paced?: boolean;
  readonly error?: string;
  readonly availableCount?: number;
}

type State = "ok" | "stale" | "error" | "unavailable";
export type Availability = "available" | "empty" | "partial" | "stale" | "unavailable" | "unknown";
export type CountryCoverage = "not_requested" | "observed" | "unknown";

/**
 * The reported state of a source by the outcome of its last request. `served`: the feed has notices of the source.
 * `none`: it has none. `Old` at the end: the feed is stale.
 */
const read = { served: "ok", servedOld: "stale", none: "ok", noneOld: "stale" } as const;
const failed = { served: "stale", servedOld: "stale", none: "error", noneOld: "error" } as const;
const unread = { served: "stale", servedOld: "stale", none: "unavailable", noneOld: "unavailable" } as const;
const sourceStates: Readonly<Record<SourceStatus["state"], Readonly<Record<keyof typeof read, State>>>> = {
  ...{ ok: read, partial: read, failed, refused: failed, unconfigured: unread, waiting: unread },
};

/** The first condition that holds applies. `ok` is the number of sources that were read, `rows` of served notices. */
const availabilities: readonly {
  readonly when: (metadata: { ok: number; sources: number; rows: number }) => boolean;
  readonly is: Availability;
}[] = [
  { when: ({ ok, sources, rows }) => ok === sources && rows > 0, is: "available" },
  { when: ({ ok, sources }) => ok === sources, is: "empty" },
  { when: ({ ok }) => ok > 0, is: "partial" },
  { when: ({ rows }) => rows > 0, is: "stale" },
];

const maxError = 200;

export function sourceStatus(
  source: SourceStatus,
  recordCount: number,
  { state, storedAt = "", origin }: Pick<DatasetStatus, "state" | "storedAt" | "origin">,
  minutesApart: number | undefined,
): FeedSourceStatus {
  const row = sourceStates[source.state];
  const isOld = state === "stale" || state === "expired";
  const is = row[recordCount > 0 ? (isOld ? "servedOld" : "served") : isOld ? "noneOld" : "none"];
  const { name, lastRunAt = "", lastGoodAt = "" } = source;
  const error = source.missing.length > 0 ? `not set: ${source.missing.join(", ")}` : source.error;
  // A source with few requests per day may not have been requested by the last refresh. Its earlier notices remain.
  const isPaced = minutesApart !== undefined && origin === "live" && source.state === "ok" && lastRunAt < storedAt;
  return {
    source: name,
    state: is,
    recordCount,
    fetchedAt: lastRunAt,
    lastSuccessfulAt: lastGoodAt,
    stale: is === "stale",
    ...(isPaced && { paced: true }),
    ...(source.available !== undefined && { availableCount: source.available }),
    ...(source.state !== "ok" && error !== undefined && { error: error.slice(0, maxError) }),
  };
}

/** Returns the feed's availability. If there is data but no source covers a requested country, it is unknown. */
export function availability(statuses: readonly FeedSourceStatus[], coverage: CountryCoverage): Availability {
  const rows = statuses.reduce((sum, { recordCount }) => sum + recordCount, 0);
  const ok = statuses.filter(({ state }) => state === "ok").length;
  const is = availabilities.find(({ when }) => when({ ok, sources: statuses.length, rows }))?.is ?? "unavailable";
  return coverage === "unknown" && is !== "unavailable" ? "unknown" : is;
}
