import fc from "fast-check";
import { expect, test } from "vitest";
import { UpstreamError } from "../../src/egress/upstream-error.ts";
import { rateGate } from "../../src/upstream/rate-gate.ts";

/** A gate whose time passes only on demand, or during a wait. */
function gate(max: number, withinMs: number, maxWaitMs: number) {
  const time = { now: 1_000_000 };
  const waits: number[] = [];
  const turn = rateGate({
    ...{ name: "upstream", max, withinMs, maxWaitMs },
    clock: () => new Date(time.now),
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  return { turn, waits, time };
}

test("a limited number pass at once, and the next ones wait until the span is over, in the order of their arrival", async () => {
  const { turn, waits } = gate(3, 1_000, 5_000);
  expect(await Promise.all(Array.from({ length: 7 }, turn))).toEqual([0, 0, 0, 1_000, 1_000, 1_000, 2_000]);
  expect(waits).toEqual([1_000, 1_000, 1_000, 2_000]);
});

test("a caller that would wait too long is rejected at once, and uses no turn", async () => {
  const { turn, time } = gate(1, 1_000, 1_500);
  expect([await turn(), await turn()]).toEqual([0, 1_000]);
  await expect(turn()).rejects.toThrow(UpstreamError);
  await expect(turn()).rejects.toThrow("upstream has too many requests waiting");
  time.now += 1_000;
  expect(await turn()).toBe(1_000);
});

test("whatever the pace, no span ever has more than its limit", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 60 }),
      async (max, steps) => {
        const { turn, time } = gate(max, 1_000, 2_500);
        const passed: number[] = [];
        for (const later of steps) {
          time.now += later;
          const waited = await turn().catch(() => undefined);
          if (waited !== undefined) passed.push(time.now + waited);
        }
        for (const at of passed)
          expect(passed.filter((other) => other >= at && other < at + 1_000).length).toBeLessThanOrEqual(max);
      },
    ),
  );
});
