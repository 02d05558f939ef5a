import type { DescMethod, MessageInitShape } from "@bufbuild/protobuf";
import type {
  DatasetOperationSchema,
  DatasetSchema,
  DatasetSourceSchema,
} from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { catalog } from "../../contract/catalog.ts";
import { followedTables } from "../../ingest/changes/followed-tables.ts";
import type { DatasetStatus, SourceStatus } from "../../ingest/dataset-status.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import { servableMinutes } from "../../store/served/dataset-age.ts";

export function datasetMessage(
  dataset: ScheduledDataset,
  status: DatasetStatus,
  historyFrom: Date | undefined,
): MessageInitShape<typeof DatasetSchema> {
  const { name, subject, notIncluded = [], schedule, freshForMinutes, serves, reads = [], tables = [] } = dataset;
  const { state, reason, origin, generation, rows, storedAt, readAt, ageSeconds, missingParts = [], error } = status;
  return {
    name,
    subject,
    notIncluded: [...notIncluded],
    schedule,
    state,
    reason,
    origin,
    generation: generation === undefined ? undefined : BigInt(generation),
    rows,
    storedAt: instant(storedAt),
    readAt: instant(readAt),
    ageSeconds,
    freshForSeconds: 60 * freshForMinutes,
    servableForSeconds: 60 * servableMinutes(dataset),
    missingParts: [...missingParts],
    operations: serves.map(operationMessage),
    reads: reads.map((read) => read.name),
    sources: status.sources.map(sourceMessage),
    tables: tables.map(({ name, reviewedAt }) => ({ name, reviewedAt })),
    failure: error,
    changes: changesOf(dataset, status),
    series: dataset.series?.series.map(({ id }) => id) ?? [],
    historyFrom: historyFrom && BigInt(historyFrom.getTime()),
  };
}

/** Returns the tables with a change log. If a source is restricted, only tables with a column for the source count. */
function changesOf(dataset: ScheduledDataset, { origin, sources }: DatasetStatus): string[] {
  const isRestricted =
    origin === "live" && sources.some(({ license, lastGoodAt }) => license.kind === "restricted" && lastGoodAt);
  return followedTables(dataset)
    .filter(({ table }) => !isRestricted || table.columns.some(({ role }) => role === Role.SOURCE))
    .map(({ table }) => table.name);
}

const paths = new Map<DescMethod, string>(catalog.map(({ method, path }) => [method, path]));

function operationMessage(method: DescMethod): MessageInitShape<typeof DatasetOperationSchema> {
  return { name: method.name, path: paths.get(method) ?? "" };
}

function sourceMessage(status: SourceStatus): MessageInitShape<typeof DatasetSourceSchema> {
  const { name, state, license, missing, runs, failures, missingParts = [], drifts, drift = [] } = status;
  const { rowsIn, rowsOut, rejected, available, error, status: failureStatus } = status;
  return {
    name,
    state,
    license: { ...license },
    missingVariables: missing.map(variableName),
    lastRunAt: instant(status.lastRunAt),
    lastGoodAt: instant(status.lastGoodAt),
    bytesSince: instant(status.bytesSince),
    verifiedAt: instant(status.verifiedAt),
    lastGoodAgeSeconds: status.lastGoodAgeSeconds,
    runs,
    failures,
    rowsIn,
    rowsOut,
    rejected,
    available: available === undefined ? undefined : BigInt(available),
    missingParts: missingParts.map(({ part, error: failure, status, lastGoodAt }) => ({
      part,
      failure,
      failureStatus: status,
      lastGoodAt: instant(lastGoodAt),
    })),
    observedFrom: instant(status.observedFrom),
    observedTo: instant(status.observedTo),
    failure: error,
    failureStatus,
    drifts: drifts ?? 0,
    recentDrifts: drift.map(({ at, kind, field }) => ({ at: BigInt(Date.parse(at)), kind, field })),
  };
}

function variableName(missing: string): string {
  return missing.split("=", 1)[0] ?? missing;
}

function instant(iso: string | undefined): bigint | undefined {
  return iso === undefined ? undefined : BigInt(Date.parse(iso));
}
