import { AsyncLocalStorage } from "node:async_hooks";
import type { CompiledQuery } from "kysely";

/**
 * What each transaction of one piece of work leaves in the store with its effects. A connection can be lost after a commit and
 * before its answer: the mark tells then whether it was done.
 */
export interface CommitMark {
  /** The last statement of each transaction; it touches a row where the transaction has written something. */
  readonly statement: CompiledQuery;
  /** Whether so many transactions were committed; waits for the end of one that is under way. */
  readonly areCommitted: (transactions: number) => Promise<boolean>;
}

interface Marking extends CommitMark {
  marked: number;
}

const marking = new AsyncLocalStorage<Marking>();

/** Does work whose transactions are marked. */
export function withCommitMark<T>(mark: CommitMark, work: () => Promise<T>): Promise<T> {
  return marking.run({ ...mark, marked: 0 }, work);
}

/** The mark of the work that is being done, if it has one. */
export function commitMark(): Marking | undefined {
  return marking.getStore();
}
