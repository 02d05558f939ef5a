import { expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { hostileDecodings } from "../../http/hostile-bodies.ts";
import { ownMs } from "../../projection/measured-cost.ts";

const maxMs = 50;

test("no message or body of the largest size takes over 50 ms to read, for any operation", () => {
  const slow: [ms: number, name: string][] = [];
  for (const { name, run } of hostileDecodings(new Set(catalog.map((operation) => operation.name)))) {
    let min = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 10 && min > maxMs / 2; time++) min = Math.min(min, msOf(run));
    slow.push([min, name]);
  }
  slow.sort(([one], [other]) => other - one);
  console.log(`${slow.length} bodies; the worst:`);
  for (const [ms, name] of slow.slice(0, 10)) console.log(`  ${ms.toFixed(1)} ms  ${name}`);
  expect(slow[0]?.[0]).toBeLessThan(maxMs);
});

function msOf(run: () => void): number {
  const before = ownMs();
  try {
    run();
  } catch {
    // Most are refused.
  }
  return ownMs() - before;
}
