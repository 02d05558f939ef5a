import { setImmediate } from "node:timers/promises";
import { memoryReturn } from "../../../src/runtime/work/memory-return.ts";

// Prints how much a small heap still holds after each of two returns. It needs its own process, because the heap grows
// by half of its content.

/** Rows that only `held` references. */
function rows(size: number, held: object[]): WeakRef<object> {
  const made = Array.from({ length: size }, (_, row) => ({ row, text: `row ${row}` }));
  held.push(made);
  return new WeakRef(made);
}

const giveBack = memoryReturn();
giveBack();
const little = rows(10, []);
// The target of a weak reference survives the turn of the event loop in which the reference was created.
await setImmediate();
giveBack();
const isLittleStored = little.deref() !== undefined;
const heap = process.memoryUsage().heapTotal;
const stored: WeakRef<object>[] = [];
const held: object[] = [];
while (process.memoryUsage().heapTotal < 1.5 * heap) stored.push(rows(100_000, held));
held.length = 0;
await setImmediate();
giveBack();
const grown = stored.filter((each) => each.deref() !== undefined).length;
process.stdout.write(JSON.stringify({ isLittleStored, made: stored.length > 0, grown }));
