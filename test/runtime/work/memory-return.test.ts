import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { memoryReturn } from "../../../src/runtime/work/memory-return.ts";

/** Rows that `held` alone holds. */
function rows(size: number, held: object[]): WeakRef<object> {
  const made = Array.from({ length: size }, (_, row) => ({ row, text: `row ${row}` }));
  held.push(made);
  return new WeakRef(made);
}

test("gives back what the heap has grown by, and leaves a heap that has not grown alone", async () => {
  const giveBack = memoryReturn();
  giveBack();
  const little = rows(10, []);
  // What a weak reference was made to in a turn stays for that turn.
  await setImmediate();
  giveBack();
  expect(little.deref()).toBeDefined();
  const heap = process.memoryUsage().heapTotal;
  const kept: WeakRef<object>[] = [];
  const held: object[] = [];
  while (process.memoryUsage().heapTotal < 1.5 * heap) kept.push(rows(100_000, held));
  held.length = 0;
  await setImmediate();
  giveBack();
  expect(kept.filter((each) => each.deref() !== undefined)).toEqual([]);
});
