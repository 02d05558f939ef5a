import { expect, onTestFinished, test, vi } from "vitest";
import { postgresCounters } from "../../../src/access/quotas/postgres-quotas.ts";
import type { QuotaRule } from "../../../src/access/quotas/quota-rules.ts";
import type { CounterStore } from "../../../src/access/quotas/shared-quotas.ts";
import { openPool } from "../../../src/store/pool.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const rule: QuotaRule = { name: "minute", layer: "per_minute", limit: 100, windowSeconds: 60, closed: false };

describeEachDatabase("counters in the store", (openFresh) => {
  prove(async () => {
    const { settings, kind, close } = await openFresh();
    onTestFinished(close);
    if (kind === "embedded") return undefined;
    const pool = openPool(settings, { name: "counters", log: () => {}, max: 1, responseTimeoutMs: 10_000 });
    onTestFinished(() => pool.end());
    return postgresCounters(pool);
  });
});

function prove(open: () => Promise<CounterStore | undefined>): void {
  test("points are given back to the window that they are of, however late, and to no other", async ({ skip }) => {
    const store = await open();
    if (!store) return skip("one process counts in memory");
    const used = async () => (await store.read(rule, "account"))?.used;
    const { msLeft } = await store.add(rule, "account", 10);
    await store.giveBack(rule, "account", 4, msLeft);
    expect(await used()).toBe(6);
    // The window before this one, whose end is past.
    await store.giveBack(rule, "account", 4, msLeft - 60_000);
    expect(await used()).toBe(6);
    await store.giveBack(rule, "nobody", 4, msLeft);
    expect((await store.read(rule, "nobody"))?.used ?? 0).toBe(0);
  });

  test.each([1, -1])("a process whose clock is %i hours off counts in the window that there is", async (hours) => {
    const store = await open();
    if (!store) return;
    await store.add(rule, "account", 10);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { used, msLeft } = await store.add(rule, "account", 5);
    expect(used).toBe(15);
    expect(msLeft).toBeGreaterThan(30_000);
    expect(msLeft).toBeLessThanOrEqual(60_000);
    await store.giveBack(rule, "account", 5, msLeft);
    expect((await store.read(rule, "account"))?.used).toBe(10);
  });
}
