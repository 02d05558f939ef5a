import type { DescMessage, DescMethod, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Kysely, Transaction } from "kysely";
import type { JsonObject } from "../contract/request/body.ts";
import type { StoreTables } from "../store/tables.ts";
import type { AnyRowFeatures, NoteRows } from "./changes/row-features.ts";
import type { ShownAs } from "./changes/shown-as.ts";
import type { RowCount } from "./row-count.ts";
import type { DatasetSeries } from "./series/dataset-series.ts";
import type { Source, Span } from "./source.ts";

/** One kind of data: where it comes from, when, and how it is kept. */
export interface Dataset<D extends DescMessage = DescMessage, N extends string = string> {
  /** Lower-case key, shown in the catalog and taken by `ids ingest`. */
  readonly name: N;
  /** What it is about, in one sentence for callers. */
  readonly subject: string;
  /** Every row of every source is checked against this message's rules; those that break one are rejected. */
  readonly row: D;
  /** Cron in UTC. */
  readonly schedule: string;
  /** Age past which the data counts as stale. */
  readonly freshForMinutes: number;
  /** Age past which it is told with a flag, or not at all; twice `freshForMinutes` and at least a day when absent. */
  readonly servableForMinutes?: number;
  /** The operations whose answers are made from it. */
  readonly serves: readonly DescMethod[];
  /**
   * Its sources, and datasets it is made from, without each of which it tells too little: it is as old as the oldest of
   * them. When absent any one source that is not our own is enough, and the newest counts.
   */
  readonly main?: readonly { readonly name: string }[];
  readonly sources: readonly Source<MessageInitShape<D>>[];
  /** The message that it is kept as. */
  readonly message?: DescMessage;
  /** The read that shows it, where the message has another shape. */
  readonly shows?: ShownAs;
  /** Figures of it that are kept over time. */
  readonly series?: DatasetSeries;
  /** Messages that are stored beside that, in parts. */
  readonly parts?: readonly DescMessage[];
  /** Tables of its own whose earlier rows are kept, so that answers can be made as of then. */
  readonly storedTables?: readonly string[];
  /** Its own tables hold every row: none are kept beside them, and `write` gets those of good answers alone. */
  readonly rowsInTable?: true;
  /** Other datasets that it is made from, through what their owners publish. */
  readonly reads?: readonly DatasetRef[];
  /** Those of `reads` whose refresh leads to one of this. */
  readonly follows?: readonly DatasetRef[];
  /** Whether those it follows hold anything that it was not made from; they always do when absent. */
  readonly isDue?: (database: Kysely<StoreTables>) => Promise<boolean>;
  /** Tables of this program that it is made from. */
  readonly tables?: readonly ProgramTable[];
  /** Of rows in tables of its own that name a country: counts those that are served. */
  readonly countRows?: (database: Kysely<StoreTables>, generation: number) => Promise<readonly RowCount[]>;
  /** Of rows in tables of its own: how changes of those that are served are followed. `write` then notes what it touches. */
  readonly features?: AnyRowFeatures;
  /** For rows that are computed from other data: the inputs of a row, given the stored message if the dataset has one. */
  readonly inputsOf?: (row: JsonObject, stored: JsonObject) => RowInputs;
  /** Makes the new generation visible: runs inside the transaction that records it. Returns how many rows are served. */
  readonly write: (transaction: Transaction<StoreTables>, refresh: Refresh<D>) => Promise<number>;
}

/** The inputs from which a row was computed. */
export interface RowInputs {
  /** Names of the inputs that were missing. */
  readonly missing: readonly string[];
  /** How far the present inputs cover the row, where coverage differs from row to row. */
  readonly coverage?: readonly string[];
}

/** A dataset whose name is a type, so that the compiler finds everybody who uses it. */
export function dataset<D extends DescMessage, N extends string, M extends DescMessage>(
  definition: Dataset<D, N> & { readonly message: M },
): Dataset<D, N> & { readonly message: M };
export function dataset<D extends DescMessage, N extends string>(definition: Dataset<D, N>): Dataset<D, N>;
export function dataset(definition: Dataset): Dataset {
  return definition;
}

/** A dataset as others know it. */
export type DatasetRef = Pick<Dataset, "name">;

/** A table of this program: the same in every mode, and new with the program alone. */
export interface ProgramTable {
  /** Lower-case key. */
  readonly name: string;
  /** When its entries were last looked through, YYYY-MM-DD; of a table whose entries age. */
  readonly reviewedAt?: string;
}

interface Inputs {
  readonly sources: readonly { readonly own?: true }[];
  readonly reads?: readonly DatasetRef[];
  readonly tables?: readonly ProgramTable[];
}

/** Whether all of it is our own and real, whatever the mode: no samples are behind it. */
export function isOwn({ sources, reads }: Inputs): boolean {
  return !reads && sources.length > 0 && sources.every(({ own }) => own);
}

/**
 * Whether its value changes without an answer of its own sources: with the datasets that it reads, with the program's tables
 * and with the time. It is then made anew by every run.
 */
export function isRecomputed({ reads, tables }: Omit<Inputs, "sources">): boolean {
  return reads !== undefined || tables !== undefined;
}

/** What one refresh brings: the last good rows of every source that ever answered. */
export interface Refresh<D extends DescMessage> {
  readonly bySource: ReadonlyMap<string, readonly MessageShape<D>[]>;
  /** Where the rows of each source in `bySource` come from. */
  readonly responses: ReadonlyMap<string, LastGoodResponse>;
  readonly generation: number;
  /** Samples and live rows are never kept side by side. */
  readonly origin: "live" | "sample";
  readonly now: Date;
  /** Takes the rows that are about to change; absent where their changes are not followed, as at the first load. */
  readonly noteRows?: NoteRows;
}

/** The answer that a source's rows were read from. */
export interface LastGoodResponse {
  readonly fetchedAt: Date;
  /** It was read by this refresh, and not kept from an earlier one. */
  readonly fresh: boolean;
  /** Spans whose rows are all in it, the rejected ones among them; none unless it is fresh and complete. */
  readonly covered: readonly Span[];
  /** Its rows that were rejected, by the upstream's ids. */
  readonly rejected: readonly string[];
}
