import type { DatasetCondition } from "./condition.ts";
import type { AffectedOperation } from "./graph.ts";
import type { LookupCondition } from "./lookup-condition.ts";

/** Body of `/api/health`. */
export interface HealthReport {
  /** `down`: the store cannot be read. `degraded`: a dataset is not as it should be. */
  readonly status: "ok" | "degraded" | "down";
  readonly data: "live" | "sample";
  readonly store: { readonly kind: string; readonly reachable: boolean; readonly lastReadAt?: string };
  readonly datasets: readonly DatasetCondition[];
  /** The sources that operations ask while a caller waits. */
  readonly lookups: readonly LookupCondition[];
  /** The operations whose answers lack something or are older than they should be, and what it comes from. */
  readonly affected: readonly AffectedOperation[];
}
