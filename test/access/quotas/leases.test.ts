import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { QuotaRule } from "../../../src/access/quotas/quota-rules.ts";
import { type CounterStore, SharedQuotas } from "../../../src/access/quotas/shared-quotas.ts";
import { QuotaExceeded } from "../../../src/errors.ts";
import { testTime } from "../../support/app.ts";

const now = testTime.getTime();

function minuteOf(limit: number): QuotaRule {
  return { name: "per_minute", layer: "per_minute", limit, windowSeconds: 60, closed: false };
}

/** One window that processes share. */
function sharedWindow() {
  const window = { used: 0, requested: 0 };
  const change = async (points: number) => {
    window.requested += 1;
    window.used += points;
    return { used: window.used, msLeft: 50_000 };
  };
  const store: CounterStore = {
    add: (_rule, _key, points) => change(points),
    giveBack: (_rule, _key, points) => change(-points),
    read: async () => ({ used: window.used, msLeft: 50_000 }),
  };
  return { window, store, start: () => new SharedQuotas(store, (message) => expect.unreachable(message)) };
}

/** The remaining calls in the response, or undefined if it was rejected. */
async function left(quotas: SharedQuotas, rule: QuotaRule): Promise<number | undefined> {
  try {
    return (await quotas.take([rule], "one", now))?.remaining;
  } catch (error) {
    if (error instanceof QuotaExceeded) return undefined;
    throw error;
  }
}

test("a large limit costs a process at most 5 trips to the store in 1,000 requests, and its answers count each", async () => {
  const { window, start } = sharedWindow();
  const quotas = start();
  const rule = minuteOf(100_000);
  for (let count = 1; count <= 20_000; count++) expect(await left(quotas, rule)).toBe(rule.limit - count);
  expect(window.requested).toBeLessThanOrEqual(100);
  await quotas.close();
  expect(window.used, "what was not spent went back").toBe(20_000);
});

test("whatever processes ask in whatever order, a large limit is never exceeded, and a killed one loses less than a thirtieth", async () => {
  const limit = 10_000;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 3, maxLength: 6 }),
      fc.integer({ min: 0, max: limit }),
      async (together, killedAt) => {
        const { start } = sharedWindow();
        const rule = minuteOf(limit);
        let running = together.map((concurrency) => ({ concurrency, quotas: start() }));
        let passed = 0;
        let killed = false;
        while (running.length > 0) {
          for (const each of running) {
            const responses = await Promise.all(
              Array.from({ length: each.concurrency }, () => left(each.quotas, rule)),
            );
            const found = responses.filter((response) => response !== undefined);
            passed += found.length;
            expect(Math.min(...found)).toBeGreaterThanOrEqual(0);
            if (found.length < responses.length) running = running.filter((other) => other !== each);
          }
          // Never closed: its points are lost.
          if (!killed && passed >= killedAt) [killed, running] = [true, running.slice(1)];
        }
        expect(passed).toBeLessThanOrEqual(limit);
        expect(passed).toBeGreaterThanOrEqual(limit - Math.max(40, limit / 32) - 40 * together.length);
      },
    ),
    { numRuns: 10 },
  );
});

test("points that are under way when a process ends go back as well", async () => {
  const { window, start } = sharedWindow();
  const quotas = start();
  const rule = minuteOf(100_000);
  // The last of them takes more ahead.
  for (let count = 0; count < 188; count++) await left(quotas, rule);
  await quotas.close();
  expect(window.used).toBe(188);
});

test("after a pause of a second a response includes what other processes have spent in the meantime", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { start } = sharedWindow();
    const [one, other] = [start(), start()];
    const rule = minuteOf(12_000);
    expect(await left(one, rule)).toBe(11_999);
    for (let count = 0; count < 2_000; count++) await left(other, rule);
    vi.advanceTimersByTime(1_001);
    const reported = await left(one, rule);
    expect(reported).toBeLessThanOrEqual(12_000 - 2_002);
    // Calls that the other holds ahead count as spent.
    expect(reported).toBeGreaterThanOrEqual(12_000 - 2_002 - 12_000 / 16);
  } finally {
    vi.useRealTimers();
  }
});

test("if one of several limits cannot be counted, a response reports no limit", async () => {
  const { store } = sharedWindow();
  const daily = { ...minuteOf(100_000), name: "daily" };
  const quotas = new SharedQuotas(
    {
      ...store,
      add: async (rule, key, points) => {
        if (rule !== daily) throw new Error("away");
        return store.add(rule, key, points);
      },
    },
    () => {},
  );
  expect(await quotas.take([daily], "one", now)).toMatchObject({ limit: 100_000 });
  expect(await quotas.take([minuteOf(300), daily], "one", now)).toBeUndefined();
});
