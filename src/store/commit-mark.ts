import { AsyncLocalStorage } from "node:async_hooks";
import type { CompiledQuery } from "kysely";

/**
 * A mark that each transaction of a call stores with its changes. A connection can be lost after a commit and before
 * its response. The mark then shows whether the commit happened.
 */
export interface CommitMark {
  /** Last statement of each transaction. It updates a row if the transaction has written something. */
  readonly statement: CompiledQuery;
  /** Whether this number of transactions was committed. Waits for the end of a running one. */
  readonly areCommitted: (transactions: number) => Promise<boolean>;
}

interface Marking extends CommitMark {
  marked: number;
}

const marking = new AsyncLocalStorage<Marking>();

/** Runs work whose transactions are marked. */
export function withCommitMark<T>(mark: CommitMark, work: () => Promise<T>): Promise<T> {
  return marking.run({ ...mark, marked: 0 }, work);
}

/** Returns the mark of the current work, if it has one. */
export function commitMark(): Marking | undefined {
  return marking.getStore();
}
