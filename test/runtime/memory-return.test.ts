import { expect, test } from "vitest";
import { memoryReturn } from "../../src/runtime/memory-return.ts";

const heapMb = () => process.memoryUsage().heapTotal / 2 ** 20;

/** Fills the heap with what nobody needs any more. */
function waste(): void {
  const rows = Array.from({ length: 1_000_000 }, (_, row) => ({ row, text: `row ${row}` }));
  expect(rows).toHaveLength(1_000_000);
}

test("gives back what the heap has grown by, and leaves a heap that has not grown alone", () => {
  const giveBack = memoryReturn();
  giveBack();
  const before = heapMb();
  waste();
  const grown = heapMb();
  expect(grown).toBeGreaterThan(before + 40);
  giveBack();
  const after = heapMb();
  expect(after).toBeLessThan(before + 20);
  giveBack();
  expect(heapMb()).toBe(after);
});
