import { AsyncLocalStorage } from "node:async_hooks";
import type { CompiledQuery } from "kysely";

/** If the connection is lost between a commit and its response, the mark shows whether the commit happened. */
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

export function withCommitMark<T>(mark: CommitMark, work: () => Promise<T>): Promise<T> {
  return marking.run({ ...mark, marked: 0 }, work);
}

export function commitMark(): Marking | undefined {
  return marking.getStore();
}
