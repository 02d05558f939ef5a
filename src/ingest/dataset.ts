import type { DescMessage, DescMethod, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { sql } from "kysely";
import type { JsonObject } from "../contract/request/body.ts";
import type { StoredRows } from "../store/history/versions.ts";
import type { Store, Transaction } from "../store/tables.ts";
import type { AnyRowFeatures, NoteRows, ShownAs } from "./changes/followed-tables.ts";
import type { DatasetSeries } from "./series/dataset-series.ts";
import type { Source, Span } from "./source.ts";

export interface Dataset<D extends DescMessage = DescMessage, N extends string = string> {
  /** Lower-case name, which the catalog shows and `ids ingest` accepts. */
  readonly name: N;
  readonly subject: string;
  /** Data that users may expect and the dataset lacks, separated by commas. The text after a colon explains this. */
  readonly notIncluded?: readonly string[];
  /** Every row of every source is checked against the rules of this message. Rows that break a rule are rejected. */
  readonly row: D;
  /** Cron expression in UTC. */
  readonly schedule: string;
  /** Age in minutes after which the data counts as stale. */
  readonly freshForMinutes: number;
  /**
   * Age in minutes after which the data is served only with a warning, or not at all. The default is twice
   * `freshForMinutes` and at least a day.
   */
  readonly servableForMinutes?: number;
  readonly serves: readonly DescMethod[];
  /**
   * The sources and datasets that must have been read. The oldest one determines the age of the dataset. By default,
   * one external source is sufficient, and the newest one determines the age.
   */
  readonly main?: readonly { readonly name: string }[];
  readonly sources: readonly Source<MessageInitShape<D>>[];
  readonly message?: DescMessage;
  /** The operation that returns the dataset, if its responses have another schema than the stored message. */
  readonly shows?: ShownAs;
  readonly series?: DatasetSeries;
  readonly parts?: readonly DescMessage[];
  /** Tables that retain replaced rows, so that the service can compute past responses. */
  readonly storedTables?: readonly string[];
  /** Tables that retain only current rows. `ids verify` compares their rows too. */
  readonly currentTables?: readonly string[];
  /** Makes the next `write` store all rows, also those that did not change, so that `ids verify` compares every row. */
  readonly unsettle?: (transaction: Transaction) => Promise<unknown>;
  /** Columns of the dataset's tables that every refresh changes, such as counters. `ids verify` ignores them. */
  readonly counters?: readonly string[];
  /** Set if the dataset's own table stores the rows of its sources. `write` then gets no rows of earlier responses. */
  readonly rowsInTable?: true;
  /** Other datasets that this dataset is computed from. It reads them through functions of their domains. */
  readonly reads?: readonly DatasetRef[];
  /** The datasets among `reads` after whose refresh this dataset is refreshed too. */
  readonly follows?: readonly DatasetRef[];
  /** Returns whether the datasets in `follows` contain new data. Without this function, they are assumed to. */
  readonly isDue?: (database: Store) => Promise<boolean>;
  readonly tables?: readonly ProgramTable[];
  readonly countRows?: (database: Store, generation: number) => Promise<readonly RowCount[]>;
  /** How the change log compares rows of the dataset's own table. `write` must then record rows before changes. */
  readonly features?: AnyRowFeatures;
  /** Returns which inputs a row lacks and what its inputs cover. `stored` is the dataset's stored message, if any. */
  readonly inputsOf?: (row: JsonObject, stored: JsonObject) => RowInputs;
  /** Stores the new rows in the transaction of the refresh. Returns the number of rows that readers can see. */
  readonly write: (transaction: Transaction, refresh: Refresh<D>) => Promise<number>;
}

export interface RowInputs {
  readonly missing: readonly string[];
  /** The parts of the row for which its inputs have data, if this differs between rows of the dataset. */
  readonly coverage?: readonly string[];
}

/** Defines a dataset whose name is a type, so that the compiler finds every use. */
export function dataset<D extends DescMessage, N extends string, M extends DescMessage>(
  definition: Dataset<D, N> & { readonly message: M },
): Dataset<D, N> & { readonly message: M };
export function dataset<D extends DescMessage, N extends string>(definition: Dataset<D, N>): Dataset<D, N>;
export function dataset(definition: Dataset): Dataset {
  return definition;
}

export type DatasetRef = Pick<Dataset, "name">;

/** A table in the code of this program, which only a new version of the program changes. */
export interface ProgramTable {
  readonly name: string;
  /** Date of the last review, YYYY-MM-DD, for a table whose entries become outdated. */
  readonly reviewedAt?: string;
}

interface Inputs {
  readonly sources: readonly { readonly own?: true }[];
  readonly reads?: readonly DatasetRef[];
  readonly tables?: readonly ProgramTable[];
}

/** Returns whether all sources are lists of this project, which are also valid in live mode. */
export function isOwn({ sources, reads }: Inputs): boolean {
  return !reads && sources.length > 0 && sources.every(({ own }) => own);
}

/** Returns whether every run computes the dataset again: it depends on datasets, tables of the program, or the time. */
export function isRecomputed({ reads, tables }: Omit<Inputs, "sources">): boolean {
  return reads !== undefined || tables !== undefined;
}

type Stored = Pick<Dataset, "message" | "parts" | "storedTables">;

export function storedRows({ message, parts = [], storedTables = [] }: Stored): readonly StoredRows[] {
  const types = [...(message ? [message] : []), ...parts].map(({ typeName }) => typeName);
  const ofTables = storedTables.map((table) => ({ table }));
  return types.length > 0 ? [{ table: "snapshot", where: sql`type = any(${types})` }, ...ofTables] : ofTables;
}

export function versionedTables(datasets: readonly Stored[]): readonly string[] {
  return [...new Set(["dataset", ...datasets.flatMap((dataset) => storedRows(dataset).map(({ table }) => table))])];
}

export function isStored(dataset: Stored): boolean {
  return storedRows(dataset).length > 0;
}

/** The input of one refresh: the last good rows of every source that ever returned data. */
export interface Refresh<D extends DescMessage> {
  readonly bySource: ReadonlyMap<string, readonly MessageShape<D>[]>;
  /** The last good response of each source in `bySource`. */
  readonly responses: ReadonlyMap<string, LastGoodResponse>;
  readonly generation: number;
  /** Whether all rows are live or all are samples, because they are never mixed. */
  readonly origin: "live" | "sample";
  readonly now: Date;
  /** Records rows for the change log before `write` changes them. Absent if the log omits them, as in a first load. */
  readonly noteRows?: NoteRows;
}

export interface LastGoodResponse {
  readonly fetchedAt: Date;
  /** Whether this refresh read the response. If false, an earlier refresh read it. */
  readonly fresh: boolean;
  /** The time spans that the response covers, including its rejected rows. Empty if it is incomplete or not fresh. */
  readonly covered: readonly Span[];
  /** The upstream's IDs of the rejected rows. */
  readonly rejected: readonly string[];
}

export interface RowCount {
  /** Null if a row does not name its source. */
  readonly source: string | null;
  /** ISO 3166-1 alpha-2. Empty if a row is not about a country. */
  readonly country: string;
  readonly rows: number;
  /** The earliest and latest time in the rows, Unix epoch milliseconds. Null if rows have no time. */
  readonly first: number | null;
  readonly last: number | null;
}
