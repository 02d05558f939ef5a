import type { DatasetStatus } from "./dataset-status.ts";
import type { AffectedOperation } from "./graph.ts";
import type { License, LiveSource, SourceTerms } from "./source.ts";

/** How the whole service stands. */
export interface HealthReport {
  /** `down`: the store cannot be read. `degraded`: a dataset is not as it should be. */
  readonly status: "ok" | "degraded" | "down";
  readonly data: "live" | "sample";
  readonly store: { readonly kind: string; readonly reachable: boolean; readonly lastReadAt?: string };
  readonly datasets: readonly DatasetStatus[];
  /** The operations whose answers lack something or are older than they should be, and what it comes from. */
  readonly affected: readonly AffectedOperation[];
}

/** How a source stands that an operation asks while a caller waits. */
export interface LiveSourceStatus {
  readonly name: string;
  readonly operation: string;
  /** `unconfigured`: a variable is missing, so that it is never asked. */
  readonly state: "ready" | "unconfigured";
  readonly missing: readonly string[];
  readonly license: License;
}

export function liveSourceStatuses(
  lookups: readonly LiveSource[],
  missingOf: (source: SourceTerms) => readonly string[],
): LiveSourceStatus[] {
  return lookups.map((lookup) => {
    const { name, license } = lookup;
    const operation = lookup.serves.map((method) => method.name).join(", ");
    const missing = missingOf(lookup);
    return { name, operation, state: missing.length > 0 ? "unconfigured" : "ready", missing, license };
  });
}
