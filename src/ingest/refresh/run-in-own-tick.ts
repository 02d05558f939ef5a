import { setImmediate as nextTurn } from "node:timers/promises";

let last: Promise<unknown> = Promise.resolve();

/** Between two ticks, code that is waiting for the database in a transaction can continue. */
export function runInOwnTick<T>(work: () => T): Promise<T> {
  const done = last.then(() => nextTurn()).then(work);
  last = done.catch(() => undefined);
  return done;
}
