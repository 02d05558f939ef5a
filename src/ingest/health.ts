import { CatalogService } from "../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { catalog } from "../contract/catalog.ts";
import { type DatasetStatus, silentSources } from "./dataset-status.ts";
import type { AffectedOperation } from "./graph.ts";
import type { License, LiveSource, SourceTerms } from "./source.ts";

export interface HealthReport {
  /** `down`: the store cannot be read. `degraded`: at least one dataset is not `ok`. */
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

/** The body of `/api/health`. It lists only unhealthy datasets, because the catalog lists all of them. */
export interface HealthSummary extends Pick<HealthReport, "status" | "data" | "store"> {
  /** The number of datasets in each state, such as `stale`. Empty while the store cannot be read. */
  readonly counts: Readonly<Partial<Record<DatasetStatus["state"], number>>>;
  readonly unhealthy: readonly UnhealthyDataset[];
  readonly affected: readonly AffectedOperation[];
  readonly catalog: string;
}

interface UnhealthyDataset extends Pick<DatasetStatus, "name" | "state"> {
  readonly reason?: string;
}

const catalogPath = catalog.find(({ method }) => method === CatalogService.method.listDatasets)?.path ?? "";

export function healthSummary({ status, data, store, datasets, affected }: HealthReport): HealthSummary {
  const byState = Map.groupBy(datasets, ({ state }) => state);
  const counts = Object.fromEntries([...byState].map(([state, those]) => [state, those.length]));
  const unhealthy = datasets.filter(({ state }) => state !== "ok").map(unhealthyDataset);
  return { status, data, store, counts, unhealthy, affected, catalog: catalogPath };
}

function unhealthyDataset(dataset: DatasetStatus): UnhealthyDataset {
  const { name, state } = dataset;
  const reason = dataset.reason ?? dataset.error ?? silentSources(dataset.sources);
  return { name, state, ...(reason !== "" && { reason }) };
}
