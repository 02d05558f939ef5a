import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DatasetSchema, DatasetSourceSchema } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { operationByMethod } from "../../contract/catalog.ts";
import type { DatasetStatus, SourceStatus } from "../../ingest/dataset-status.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import { minuteMs } from "../../reference/duration.ts";
import { servableMinutes } from "../../store/served/dataset-age.ts";

/** A dataset as the catalog shows it: what it declares, and how it stands. */
export function datasetEntry(dataset: ScheduledDataset, status: DatasetStatus): MessageInitShape<typeof DatasetSchema> {
  const { name, subject, schedule, freshForMinutes, serves, reads = [] } = dataset;
  const { state, reason = "", origin = "", missingParts = [], error = "" } = status;
  const { generation, rows, storedAt, readAt, ageSeconds } = status;
  return {
    ...{ name, subject, schedule, state, reason, origin, error },
    ...(generation !== undefined && { generation: BigInt(generation) }),
    ...(rows !== undefined && { rows }),
    ...(storedAt !== undefined && { storedAt: epochMs(storedAt) }),
    ...(readAt !== undefined && { readAt: epochMs(readAt) }),
    ...(ageSeconds !== undefined && { ageSeconds: BigInt(ageSeconds) }),
    freshForSeconds: seconds(freshForMinutes),
    servableForSeconds: seconds(servableMinutes(dataset)),
    missingParts: [...missingParts],
    operations: serves.map((method) => ({ name: method.name, path: operationByMethod(method).path })),
    reads: reads.map((read) => read.name),
    sources: status.sources.map(sourceEntry),
  };
}

function sourceEntry(status: SourceStatus): MessageInitShape<typeof DatasetSourceSchema> {
  const { name, state, licence, missing, error = "", status: httpStatus = 0, runs, failures } = status;
  const { lastRunAt, lastGoodAt, rowsIn, rowsOut, rejected, available, observedFrom, observedTo } = status;
  return {
    ...{ name, state, error, runs, failures },
    license: licence.kind,
    terms: licence.terms,
    missingSettings: [...missing],
    status: httpStatus,
    ...(lastRunAt !== undefined && { lastRunAt: epochMs(lastRunAt) }),
    ...(lastGoodAt !== undefined && { lastGoodAt: epochMs(lastGoodAt) }),
    ...(rowsIn !== undefined && { rowsIn }),
    ...(rowsOut !== undefined && { rowsOut }),
    ...(rejected !== undefined && { rejected }),
    ...(available !== undefined && { available: BigInt(available) }),
    ...(observedFrom !== undefined && { observedFrom: epochMs(observedFrom) }),
    ...(observedTo !== undefined && { observedTo: epochMs(observedTo) }),
    missingParts: (status.missingParts ?? []).map(({ part, error: reason }) => ({ part, reason })),
  };
}

function epochMs(time: string): bigint {
  return BigInt(Date.parse(time));
}

function seconds(minutes: number): bigint {
  return BigInt(Math.round((minutes * minuteMs) / 1000));
}
