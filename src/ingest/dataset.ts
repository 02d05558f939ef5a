import type { DescMessage, DescMethod, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { type Kysely, sql, type Transaction } from "kysely";
import type { JsonObject } from "../contract/request/body.ts";
import type { StoredRows } from "../store/history/versions.ts";
import type { StoreTables } from "../store/tables.ts";
import type { AnyRowFeatures, NoteRows, ShownAs } from "./changes/followed-tables.ts";
import type { DatasetSeries } from "./series/dataset-series.ts";
import type { Source, Span } from "./source.ts";

export interface Dataset<D extends DescMessage = DescMessage, N extends string = string> {
  /** Lower-case key, shown in the catalog and accepted by `ids ingest`. */
  readonly name: N;
  readonly subject: string;
  /** Every row of every source is checked against the rules of this message. Rows that break a rule are rejected. */
  readonly row: D;
  /** Cron expression in UTC. */
  readonly schedule: string;
  /** Maximum age before the data counts as stale. */
  readonly freshForMinutes: number;
  /**
   * Maximum age before the data is served with a flag or not at all. The default is twice `freshForMinutes` and at
   * least a day.
   */
  readonly servableForMinutes?: number;
  readonly serves: readonly DescMethod[];
  /**
   * Required inputs: sources, and datasets that it is computed from. The dataset is as old as its oldest required
   * input. By default, any one source that is not our own suffices, and the newest one counts.
   */
  readonly main?: readonly { readonly name: string }[];
  readonly sources: readonly Source<MessageInitShape<D>>[];
  readonly message?: DescMessage;
  /** The operation that shows it, if the stored message has another schema. */
  readonly shows?: ShownAs;
  readonly series?: DatasetSeries;
  readonly parts?: readonly DescMessage[];
  /** Tables whose earlier rows are retained, so that past responses can be computed. */
  readonly storedTables?: readonly string[];
  /** No rows are stored elsewhere, and `write` receives only those of good responses. */
  readonly rowsInTable?: true;
  /** Other datasets that it is computed from, through the public functions of their owners. */
  readonly reads?: readonly DatasetRef[];
  /** The datasets among `reads` whose refresh triggers a refresh of this one. */
  readonly follows?: readonly DatasetRef[];
  /** Returns whether the followed datasets contain new data. By default they always do. */
  readonly isDue?: (database: Kysely<StoreTables>) => Promise<boolean>;
  readonly tables?: readonly ProgramTable[];
  readonly countRows?: (database: Kysely<StoreTables>, generation: number) => Promise<readonly RowCount[]>;
  /** With these terms, `write` notes the rows that it changes. */
  readonly features?: AnyRowFeatures;
  /** Returns the inputs of a computed row. `stored` is the stored message if the dataset has one. */
  readonly inputsOf?: (row: JsonObject, stored: JsonObject) => RowInputs;
  /** Makes the new generation visible, in the transaction that records it. Returns the number of served rows. */
  readonly write: (transaction: Transaction<StoreTables>, refresh: Refresh<D>) => Promise<number>;
}

export interface RowInputs {
  readonly missing: readonly string[];
  /** Which parts of the row the present inputs cover, if coverage differs between rows. */
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

/** A table of this program. It is the same in every mode and changes only with the program. */
export interface ProgramTable {
  readonly name: string;
  /** Date of the last review, YYYY-MM-DD, for a table whose entries age. */
  readonly reviewedAt?: string;
}

interface Inputs {
  readonly sources: readonly { readonly own?: true }[];
  readonly reads?: readonly DatasetRef[];
  readonly tables?: readonly ProgramTable[];
}

/** Returns whether all data comes from our own lists. Such data is real in every mode. */
export function isOwn({ sources, reads }: Inputs): boolean {
  return !reads && sources.length > 0 && sources.every(({ own }) => own);
}

/** It changes with other datasets, the program's tables, or the time, so every run computes it again. */
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
  /** The origin of the rows in `bySource`. */
  readonly responses: ReadonlyMap<string, LastGoodResponse>;
  readonly generation: number;
  /** Samples and live rows are never mixed. */
  readonly origin: "live" | "sample";
  readonly now: Date;
  /** Notes the rows that are about to change. Absent if their changes are not followed, as in the first load. */
  readonly noteRows?: NoteRows;
}

export interface LastGoodResponse {
  readonly fetchedAt: Date;
  /** Whether this refresh read it, instead of an earlier one. */
  readonly fresh: boolean;
  /** Rejected rows are included. It is empty unless the response is fresh and complete. */
  readonly covered: readonly Span[];
  /** Its rejected rows, by the IDs of the upstream. */
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
