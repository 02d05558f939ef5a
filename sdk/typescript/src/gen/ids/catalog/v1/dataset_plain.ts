// Written by `make generate`.
import type { License } from "../../../ids/catalog/v1/source_plain.ts";
/** What this service reads on a schedule and answers from. */
export interface Dataset {
  /** Name of the dataset. */
  name: string;
  /** What the dataset is about, in one sentence. */
  subject: string;
  /** When the dataset is refreshed: a cron expression in UTC. */
  schedule: string;
  /** Current state. `ok`: served as it should be. `degraded`: a source brings nothing. `stale`: older than `freshForSeconds`. `expired`: older than `servableForSeconds` and no longer returned as current. `no inputs`: nothing was known that it is computed from. `incomplete`: a main part was never read. `empty`: never loaded. */
  state: "ok" | "degraded" | "stale" | "expired" | "no inputs" | "incomplete" | "empty";
  /** Why the dataset is not returned as it is. Absent if it is. */
  reason?: string;
  /** Whether the rows are `live` or invented, `sample`. Absent if there are none. */
  origin?: "live" | "sample";
  /** Number of the stored generation: it rises with every refresh that stores rows. Absent if there is none. */
  generation?: number;
  /** Number of rows, as the dataset counts them. Absent if it was never loaded. */
  rows?: number;
  /** Time of the last store, Unix epoch milliseconds. Absent if it was never loaded. */
  storedAt?: number;
  /** Time of the last successful read of its main sources, Unix epoch milliseconds. Absent if it was never loaded. */
  readAt?: number;
  /** Time since `readAt`, in seconds. Absent if the dataset was never loaded. */
  ageSeconds?: number;
  /** Age in seconds after which the dataset is stale. */
  freshForSeconds: number;
  /** Age in seconds after which the dataset is no longer returned as current. */
  servableForSeconds: number;
  /** Main parts that were never read. */
  missingParts: string[];
  /** Operations that answer from the dataset directly. */
  operations: DatasetOperation[];
  /** Other datasets that it is computed from. */
  reads: string[];
  /** Sources that it is read from. Empty if it is computed from other datasets alone. */
  sources: DatasetSource[];
  /** Tables of this program that it is made from. */
  tables: ProgramTable[];
  /** Why the last computation failed, for a dataset without sources. Absent if it did not. */
  failure?: string;
  /** Rows whose changes are listed by ListChanges and WatchChanges, as the parameter `rows` of files names them. Empty if only its becoming stale is. */
  changes: string[];
  /** Series that GetSeries returns of it, by id. */
  series: string[];
  /** Earliest time that is kept for `as_of`, Unix epoch milliseconds. Absent if nothing is kept. */
  historyFrom?: number;
}

/** An operation of this service. */
export interface DatasetOperation {
  /** Name of the operation. */
  name: string;
  /** Path of the operation. */
  path: string;
}

/** A source of a dataset and the result of its last reads. */
export interface DatasetSource {
  /** Name of the source. */
  name: string;
  /** State of the source. `ok`: the last read brought everything. `partial`: some parts did not come. `failed`: the last read failed. `refused`: the last response was refused. `unconfigured`: a setting is missing. `waiting`: not read yet. */
  state: "ok" | "partial" | "failed" | "refused" | "unconfigured" | "waiting";
  /** Terms of the source. */
  license: License;
  /** Settings that are missing, by name. Never a value that is set. */
  missingVariables: string[];
  /** Time of the last read, successful or not, Unix epoch milliseconds. Absent if it was never read. */
  lastRunAt?: number;
  /** Time of the last successful read, Unix epoch milliseconds. Absent if there was none. */
  lastGoodAt?: number;
  /** Number of reads. */
  runs: number;
  /** Number of reads that brought nothing. */
  failures: number;
  /** Rows that the last successful response contained. */
  rowsIn?: number;
  /** Rows of it that were kept. */
  rowsOut?: number;
  /** Rows of it that were rejected because they broke a rule. */
  rejected?: number;
  /** Rows that the source says it has. Absent if it does not say. */
  available?: number;
  /** Parts that the last successful response lacked. */
  missingParts: MissingPart[];
  /** Earliest time that its rows describe, Unix epoch milliseconds. Absent if unknown. */
  observedFrom?: number;
  /** Latest time that its rows describe, Unix epoch milliseconds. Absent if unknown. */
  observedTo?: number;
  /** Why the last read failed, as a fixed sentence by the kind of failure. Absent if it did not. */
  failure?: string;
  /** HTTP status of the failure. Absent if there was none. */
  failureStatus?: number;
  /** How often the form of its responses changed. */
  drifts: number;
  /** Recent changes of the form of its responses, newest first. */
  recentDrifts: SourceDrift[];
  /** Time since `lastGoodAt`, in seconds. Absent if there was no successful read. */
  lastGoodAgeSeconds?: number;
}

/** A table of this program. */
export interface ProgramTable {
  /** Name of the table. */
  name: string;
  /** Date of the last review of its entries, YYYY-MM-DD. Absent if entries do not age. */
  reviewedAt?: string;
}

/** A part of a source that did not come. */
export interface MissingPart {
  /** Name of the part, such as a series or a country. */
  part: string;
  /** Why it did not come, as a fixed sentence by the kind of failure. */
  failure: string;
  /** HTTP status of the failure. Absent if there was none. */
  failureStatus?: number;
  /** Time of the last successful read of the part, Unix epoch milliseconds. Absent if no rows of it are kept. */
  lastGoodAt?: number;
}

/** A change of the form of a source's responses. */
export interface SourceDrift {
  /** Time of the change, Unix epoch milliseconds. */
  at: number;
  /** Kind of the change. */
  kind: "new field" | "vanished field" | "changed type" | "new value" | "older rows";
  /** Path of the field in the response. */
  field: string;
}

