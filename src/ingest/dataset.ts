import type { DescMessage, DescMethod, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Kysely, Transaction } from "kysely";
import type { StoreTables } from "../store/tables.ts";
import type { Source } from "./source.ts";

/** One kind of data: where it comes from, when, and how it is kept. */
export interface Dataset<D extends DescMessage = DescMessage> {
  /** Lower-case key, shown in health and taken by `ids ingest`. */
  readonly name: string;
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
  /** Its own tables hold every row: none are kept beside them, and `write` gets those of good answers alone. */
  readonly rowsInTable?: true;
  /** It is also made from what others stored and from the time: it is written even when no source of its own answered. */
  readonly readsStore?: true;
  /** It is made from what other datasets stored, and also refreshed after those. */
  readonly derived?: Derived;
  /** Makes the new generation visible: runs inside the transaction that records it. Returns how many rows are served. */
  readonly write: (transaction: Transaction<StoreTables>, refresh: Refresh<D>) => Promise<number>;
}

/** Whether all of it is our own and real, whatever the mode: no samples are behind it. */
export function isOwn({ sources, readsStore, derived }: Pick<Dataset, "readsStore" | "derived"> & OwnSources): boolean {
  return !readsStore && !derived && sources.every(({ own }) => own);
}

interface OwnSources {
  readonly sources: readonly { readonly own?: true }[];
}

/** From what, and when, a dataset is made anew besides its own schedule. */
export interface Derived {
  /** Names of datasets; a refresh that stores one of them leads to one of this. */
  readonly from: readonly string[];
  /** Whether they hold anything that it was not made from; they always do when absent. */
  readonly isDue?: (database: Kysely<StoreTables>) => Promise<boolean>;
}

/** What one refresh brings: the last good rows of every source that ever answered. */
export interface Refresh<D extends DescMessage> {
  readonly bySource: ReadonlyMap<string, readonly MessageShape<D>[]>;
  /** Where the rows of each source in `bySource` come from. */
  readonly answers: ReadonlyMap<string, KeptAnswer>;
  readonly generation: number;
  /** Samples and live rows are never kept side by side. */
  readonly origin: "live" | "sample";
  readonly now: Date;
}

/** The answer that a source's rows were read from. */
export interface KeptAnswer {
  readonly fetchedAt: Date;
  /** It was read by this refresh, and not kept from an earlier one. */
  readonly fresh: boolean;
  /** It is fresh and holds everything that the source lists, the rejected rows among it. */
  readonly complete: boolean;
  /** Its rows that were rejected, by the upstream's ids. */
  readonly rejected: readonly string[];
}
