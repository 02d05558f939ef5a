import type { DatasetStatus } from "./dataset-status.ts";
import type { AffectedOperation } from "./graph.ts";
import type { License, LiveSource, SourceTerms } from "./source.ts";

export interface HealthReport {
  /** `down`: the store cannot be read. `degraded`: the state of a dataset is not `ok`. */
  readonly status: "ok" | "degraded" | "down";
  readonly data: "live" | "sample";
  readonly store: { readonly kind: string; readonly reachable: boolean; readonly lastReadAt?: string };
  readonly datasets: readonly DatasetStatus[];
  readonly affected: readonly AffectedOperation[];
}

export interface LiveSourceStatus {
  readonly name: string;
  readonly operation: string;
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
