import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { batchByKey, postgresCounters } from "../../../src/access/quotas/postgres-quotas.ts";
import type { QuotaRule } from "../../../src/access/quotas/quota-rules.ts";
import { openPool } from "../../../src/store/pool.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const rule: QuotaRule = { name: "minute", layer: "per_minute", limit: 100, windowSeconds: 60, closed: false };

describeEachDatabase("counters in the store", (openFresh) => {
  test("of a thousand callers that come at once, the store is asked a few times", async ({ skip }) => {
    const { settings, kind, close } = await openFresh();
    onTestFinished(close);
    if (kind === "embedded") return skip("one process counts in memory");
    const pool = openPool(settings, { name: "counters", log: () => {}, max: 4, responseTimeoutMs: 10_000 });
    onTestFinished(() => pool.end());
    let statements = 0;
    const store = postgresCounters({
      query(text, values) {
        statements += 1;
        return pool.query(text, values);
      },
    });
    const callers = Array.from({ length: 1_000 }, (_, index) => `caller ${index}`);
    const windows = await Promise.all(callers.map((caller) => store.add(rule, caller, 3)));
    expect(new Set(windows.map(({ used }) => used))).toEqual(new Set([3]));
    await Promise.all(callers.map((caller) => store.giveBack(rule, caller, 2, 60_000)));
    expect(statements).toBeLessThanOrEqual(6);
    const left = await Promise.all(callers.map((caller) => store.read(rule, caller)));
    expect(new Set(left.map((window) => window?.used))).toEqual(new Set([1]));
    const own = await Promise.all([1, 2, 3].map((points) => store.add(rule, "one caller", points)));
    expect(own.map(({ used }) => used).sort()).toEqual([1, 3, 6]);
  });
});

test("whatever is asked for in whatever order is asked for once, and never twice in one go", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ key: fc.integer({ min: 0, max: 5 }), isLater: fc.boolean() }), { maxLength: 60 }),
      async (requested) => {
        const goes: string[][] = [];
        const sendRequest = batchByKey(async (items: readonly { key: string }[]) => {
          goes.push(items.map(({ key }) => key));
          await turn();
          return new Map(items.map(({ key }) => [key, goes.length]));
        });
        const responses: Promise<unknown>[] = [];
        for (const { key, isLater } of requested) {
          if (isLater) await turn();
          responses.push(sendRequest({ key: `${key}` }));
        }
        expect((await Promise.all(responses)).every((go) => typeof go === "number")).toBe(true);
        for (const keys of goes) expect(new Set(keys).size).toBe(keys.length);
        expect(goes.flat().sort()).toEqual(requested.map(({ key }) => `${key}`).sort());
      },
    ),
  ));

test("a failure affects only the calls of its batch, and a batch that hangs delays no other", async () => {
  let goes = 0;
  const sendRequest = batchByKey(async (items: readonly { key: string }[]) => {
    goes += 1;
    if (items.some(({ key }) => key === "hangs")) await new Promise(() => undefined);
    if (items.some(({ key }) => key === "fails")) throw new Error("The store is away");
    return new Map(items.map(({ key }) => [key, true]));
  });
  void sendRequest({ key: "hangs" });
  await turn();
  const together = await Promise.allSettled([sendRequest({ key: "fails" }), sendRequest({ key: "same batch" })]);
  expect(together.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await sendRequest({ key: "later" })).toBe(true);
  expect(goes).toBe(3);
});
