import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { QuotaRule } from "../../../src/access/quotas/quota-rules.ts";
import type { Quotas } from "../../../src/access/quotas/quotas.ts";
import { memoryQuotas } from "../../../src/access/quotas/quotas.ts";
import { type CounterStore, SharedQuotas } from "../../../src/access/quotas/shared-quotas.ts";
import { QuotaExceeded, QuotasUnreadable } from "../../../src/errors.ts";

const minuteMs = 60_000;
const midnight = Date.parse("2026-11-19T00:00:00Z");
const start = midnight - 12 * 3_600_000;

function minute(limit: number, name = "per_minute"): QuotaRule {
  return { name, layer: "per_minute", limit, windowSeconds: 60, closed: false };
}

function day(limit: number): QuotaRule {
  return { name: "exported_rows", layer: "exported_rows", limit, windowSeconds: 86_400, closed: true };
}

/** A store whose windows end by the monotonic clock of the test. */
function storeOfWindows() {
  const windows = new Map<string, { used: number; endsAt: number }>();
  const find = (key: string) => {
    const window = windows.get(key);
    return window && window.endsAt > performance.now() ? window : undefined;
  };
  const store = {
    async add({ windowSeconds }, key, points) {
      const window = find(key) ?? { used: 0, endsAt: performance.now() + windowSeconds * 1_000 };
      window.used += points;
      windows.set(key, window);
      return { used: window.used, msLeft: window.endsAt - performance.now() };
    },
    async giveBack(_rule, key, points) {
      const window = find(key);
      if (window) window.used -= points;
    },
    async read(_rule, key) {
      const window = find(key);
      return window && { used: window.used, msLeft: window.endsAt - performance.now() };
    },
  } satisfies CounterStore;
  return { store, used: () => [...windows.values()].map(({ used }) => used) };
}

async function rejectionOf(request: () => unknown): Promise<QuotaExceeded> {
  try {
    await request();
  } catch (error) {
    if (error instanceof QuotaExceeded) return error;
    throw error;
  }
  return expect.unreachable("The request passed");
}

let now = start;
const pass = (milliseconds: number) => {
  now += milliseconds;
  vi.advanceTimersByTime(milliseconds);
};
beforeEach(() => {
  now = start;
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  return () => void vi.useRealTimers();
});

describe.each<[string, () => Quotas]>([
  ["memory", memoryQuotas],
  ["a shared store", () => new SharedQuotas(storeOfWindows().store, (message) => expect.unreachable(message))],
])("quotas in %s", (_, open) => {
  const remaining = async (quotas: Quotas, rules: readonly QuotaRule[]) =>
    (await quotas.left(rules, "one", now)).map((left) => left.remaining);

  test("a window starts with the first request, ends a minute later, and the next one starts empty", async () => {
    const quotas = open();
    const rules = [minute(3)];
    const endsAt = now + minuteMs;
    for (const left of [2, 1, 0]) {
      expect(await quotas.take(rules, "one", now)).toMatchObject({ limit: 3, remaining: left, resetAt: endsAt });
      pass(10_000);
    }
    const { allowance } = await rejectionOf(() => quotas.take(rules, "one", now));
    expect(allowance).toMatchObject({ limit: 3, remaining: 0, resetAt: endsAt });
    pass(29_999);
    await rejectionOf(() => quotas.take(rules, "one", now));
    pass(1);
    expect(await quotas.take(rules, "one", now)).toMatchObject({ remaining: 2, resetAt: now + minuteMs });
  });

  test("a day ends at midnight UTC", async () => {
    const quotas = open();
    const rules = [day(2)];
    pass(midnight - now - 1);
    for (const left of [1, 0])
      expect(await quotas.take(rules, "one", now)).toMatchObject({ remaining: left, resetAt: midnight });
    await rejectionOf(() => quotas.take(rules, "one", now));
    pass(1);
    expect(await quotas.take(rules, "one", now)).toMatchObject({ remaining: 1, resetAt: midnight + 86_400_000 });
  });

  test("a request that a later rule rejects is charged to no rule and to no other caller", async () => {
    const quotas = open();
    const rules = [minute(5), minute(4, "endpoint"), day(1)];
    await quotas.take(rules, "one", now);
    for (const _attempt of [1, 2, 3]) await rejectionOf(() => quotas.take(rules, "one", now));
    expect(await remaining(quotas, rules)).toEqual([4, 3, 0]);
    expect(await quotas.take(rules, "other", now)).toMatchObject({ limit: 1, remaining: 0 });
  });

  test("a response reports the tightest rule, and for equal remainders the one that ends later", async () => {
    const quotas = open();
    expect(await quotas.take([minute(3), day(5)], "one", now)).toMatchObject({ limit: 3, windowSeconds: 60 });
    expect(await quotas.take([minute(5), day(3)], "two", now)).toMatchObject({ limit: 3, windowSeconds: 86_400 });
    expect(await quotas.take([minute(4), day(4)], "three", now)).toMatchObject({ windowSeconds: 86_400 });
  });

  test("a charge is counted by every rule, or by none if one of them would be exceeded", async () => {
    const quotas = open();
    const rules = [minute(10), day(6)];
    await quotas.charge(rules, "one", now, 4);
    expect(await remaining(quotas, rules)).toEqual([6, 2]);
    const error = await rejectionOf(() => quotas.charge(rules, "one", now, 3));
    expect(error.message).toMatch(/this response has at least 3 rows, 2 are left today$/);
    expect(error.allowance).toMatchObject({ limit: 6, remaining: 2, resetAt: midnight });
    expect(await remaining(quotas, rules)).toEqual([6, 2]);
    await quotas.charge(rules, "one", now, 2);
    expect(await remaining(quotas, rules)).toEqual([4, 0]);
    expect((await rejectionOf(() => quotas.charge(rules, "one", now, 1))).allowance.remaining).toBe(0);
    expect((await rejectionOf(() => quotas.take(rules, "one", now))).message).toBe("Too many requests");
  });

  test("a refund returns the points of a charge while its window lasts", async () => {
    const quotas = open();
    const rules = [minute(10), day(20)];
    const refund = await quotas.charge(rules, "one", now, 7);
    await quotas.take(rules, "one", now);
    await refund();
    expect(await remaining(quotas, rules)).toEqual([9, 19]);
    const late = await quotas.charge([day(20)], "one", now, 5);
    pass(midnight - now);
    await quotas.take([day(20)], "one", now);
    await late();
    expect(await remaining(quotas, [day(20)])).toEqual([19]);
  });

  test("a refund after the end of a minute gives no points to the next one", async () => {
    const quotas = open();
    const rules = [minute(10)];
    const late = await quotas.charge(rules, "one", now, 7);
    pass(minuteMs);
    await quotas.charge(rules, "one", now, 2);
    await late();
    expect(await remaining(quotas, rules)).toEqual([8]);
  });

  test("the remainder of an unused or ended window is its limit, and a look costs nothing", async () => {
    const quotas = open();
    const rules = [minute(3), day(7)];
    for (const _attempt of [1, 2])
      expect(await quotas.left(rules, "one", now)).toEqual([
        { limit: 3, remaining: 3, windowSeconds: 60, resetAt: now + minuteMs },
        { limit: 7, remaining: 7, windowSeconds: 86_400, resetAt: midnight },
      ]);
    await quotas.take(rules, "one", now);
    const endsAt = now + minuteMs;
    pass(minuteMs - 1);
    expect(await quotas.left(rules, "one", now)).toMatchObject([{ remaining: 2, resetAt: endsAt }, { remaining: 6 }]);
    pass(1);
    expect(await remaining(quotas, rules)).toEqual([3, 6]);
  });
});

describe("points that a process reserves in a shared store", () => {
  const rules = [minute(100_000)];
  let { store, used } = storeOfWindows();
  let quotas = new SharedQuotas(store, () => {});
  beforeEach(() => {
    ({ store, used } = storeOfWindows());
    quotas = new SharedQuotas(store, (message) => expect.unreachable(message));
  });
  afterEach(() => quotas.close());

  test("belong to their window and are not spent in the next one", async () => {
    const other = new SharedQuotas(store, () => {});
    await other.take(rules, "one", now);
    await other.close();
    // Points that are idle for ten seconds would return to the store.
    pass(minuteMs - 5_000);
    expect(await quotas.take(rules, "one", now)).toMatchObject({ resetAt: now + 5_000 });
    pass(5_000);
    expect(await quotas.take(rules, "one", now)).toMatchObject({ remaining: 99_999, resetAt: now + minuteMs });
  });

  test("return to the store after ten idle seconds, and not while they are in use", async () => {
    await quotas.take(rules, "one", now);
    pass(10_000);
    await vi.waitFor(() => expect(used()).toEqual([250]));
    pass(10_000);
    await vi.waitFor(() => expect(used()).toEqual([1]));
    expect(await quotas.left(rules, "one", now)).toMatchObject([{ remaining: 99_999 }]);
  });

  test("are returned before a large charge, which they would otherwise block", async () => {
    await quotas.take(rules, "one", now);
    await quotas.charge(rules, "one", now, 99_999);
    expect(used()).toEqual([100_000]);
  });

  test("are requested again a quarter of a second after another process used the window up", async () => {
    const rule = minute(2);
    const few = [rule];
    const other = new SharedQuotas(store, () => {});
    await other.take(few, "one", now);
    await other.take(few, "one", now);
    await rejectionOf(() => quotas.take(few, "one", now));
    await store.giveBack(rule, "per_minute:one", 1);
    pass(249);
    await rejectionOf(() => quotas.take(few, "one", now));
    pass(1);
    expect(await quotas.take(few, "one", now)).toMatchObject({ remaining: 0 });
    await other.close();
  });
});

test("a charge that cannot be counted by a later rule is returned to the earlier ones", async () => {
  const { store, used } = storeOfWindows();
  const reported: string[] = [];
  const failing: CounterStore = {
    ...store,
    add: (rule, key, points) =>
      rule.layer === "exported_rows" ? Promise.reject(new Error("connection lost")) : store.add(rule, key, points),
  };
  const quotas = new SharedQuotas(failing, (message) => reported.push(message));
  await expect(quotas.charge([minute(10), day(10)], "one", now, 4)).rejects.toThrow(QuotasUnreadable);
  expect(used()).toEqual([0]);
  expect(reported.join()).toMatch(/connection lost/);
  await quotas.close();
});
