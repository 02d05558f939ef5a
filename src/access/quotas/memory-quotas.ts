import { LRUCache } from "lru-cache";
import type { QuotaRule } from "./quota-rules.ts";
import { allowanceOf, endOfWindow, type Quotas, rejectionOf } from "./quotas.ts";

interface Window {
  resetAt: number;
  count: number;
}

/**
 * Limits the memory for callers with many addresses. Beyond it, the least recent caller of the same layer starts a new
 * window. Layers are separate, so that a flood of addresses affects no account.
 */
const rememberedCallers = 100_000;

/** Counts requests in this process, synchronously. A promise per request would cost more than all other steps. */
export function memoryQuotas() {
  const layers = new Map<string, LRUCache<string, Window>>();
  const windowsOf = ({ name }: QuotaRule) => {
    const known = layers.get(name);
    if (known) return known;
    // `max` would allocate all entries in advance, which takes 40 ms during a request; `maxSize` does not.
    const made = new LRUCache<string, Window>({ maxSize: rememberedCallers, sizeCalculation: () => 1 });
    layers.set(name, made);
    return made;
  };
  const windowOf = (rule: QuotaRule, caller: string, now: number): Window => {
    const windows = windowsOf(rule);
    const known = windows.get(caller);
    if (known) {
      if (known.resetAt <= now) known.count = 0;
      // If the clock was set back, no caller waits longer than a window.
      const isTooLong = known.resetAt - now > rule.windowSeconds * 1000;
      if (known.resetAt <= now || isTooLong) known.resetAt = endOfWindow(rule, now);
      return known;
    }
    const made = { resetAt: endOfWindow(rule, now), count: 0 };
    windows.set(caller, made);
    return made;
  };
  return {
    take(rules, caller, now) {
      let narrowest: QuotaRule | undefined;
      let narrowestWindow: Window | undefined;
      let min = Number.POSITIVE_INFINITY;
      for (const [index, rule] of rules.entries()) {
        const window = windowOf(rule, caller, now);
        if (window.count >= rule.limit) {
          for (const charged of rules.slice(0, index)) windowOf(charged, caller, now).count -= 1;
          throw rejectionOf(rule, window.resetAt);
        }
        window.count += 1;
        const remaining = rule.limit - window.count;
        // For equal remainders, the window that ends later counts.
        if (remaining <= min) {
          min = remaining;
          narrowest = rule;
          narrowestWindow = window;
        }
      }
      return narrowest && narrowestWindow
        ? allowanceOf(narrowest, narrowestWindow.count, narrowestWindow.resetAt)
        : undefined;
    },
    charge(rules, caller, now, points) {
      const windows = rules.map((rule) => {
        const window = windowOf(rule, caller, now);
        return { rule, window, resetAt: window.resetAt };
      });
      const full = windows.find(({ rule, window }) => window.count + points > rule.limit);
      if (full) {
        const { rule, window, resetAt } = full;
        throw rejectionOf(rule, resetAt, { points, remaining: rule.limit - window.count, isPart: true });
      }
      for (const { window } of windows) window.count += points;
      return () => {
        // A window that has restarted does not contain the points.
        for (const { window, resetAt } of windows) if (window.resetAt === resetAt) window.count -= points;
      };
    },
    left: (rules, caller, now) =>
      rules.map((rule) => {
        const window = windowsOf(rule).peek(caller);
        return window && window.resetAt > now
          ? allowanceOf(rule, window.count, window.resetAt)
          : allowanceOf(rule, 0, endOfWindow(rule, now));
      }),
  } satisfies Quotas;
}
