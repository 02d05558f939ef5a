import { setImmediate as nextTurn } from "node:timers/promises";

let last: Promise<unknown> = Promise.resolve();

/**
 * Does work that takes long in a turn of the event loop of its own, after what was asked for before: in between whoever holds a
 * transaction hears of the database and goes on.
 */
export function ownTurn<T>(work: () => T): Promise<T> {
  const done = last.then(() => nextTurn()).then(work);
  last = done.catch(() => undefined);
  return done;
}
