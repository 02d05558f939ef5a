import { CatalogService } from "../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { catalog } from "../contract/catalog.ts";
import { type DatasetStatus, silentSources } from "./dataset-status.ts";
import type { AffectedOperation } from "./graph.ts";
import type { HealthReport } from "./health-report.ts";

/** The body of `/api/health`, which contains present problems. The catalog contains the rest. */
export interface HealthSummary extends Pick<HealthReport, "status" | "data" | "store"> {
  /** The number of datasets in each state. Empty while the store cannot be read. */
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
