import { LRUCache } from "lru-cache";
import type { Allowance } from "../../allowance.ts";
import { QuotaExceeded } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import type { QuotaRule } from "./quota-rules.ts";

/** Counts requests against limits, in this process or in a shared store. */
export interface Quotas {
  /**
   * Charges one request to every rule, or to none if one is exceeded. Returns the remaining quota of the rule with the
   * least left. The result is synchronous if no rule needs the store. Throws `QuotaExceeded`, or `QuotasUnreadable` if
   * a mandatory rule cannot be counted.
   */
  readonly take: (
    rules: readonly QuotaRule[],
    caller: string,
    now: number,
  ) => Allowance | undefined | Promise<Allowance | undefined>;
  /**
   * Charges points to every rule, or to none if one would be exceeded. Returns a function that refunds them. Throws
   * like `take`.
   */
  readonly charge: (
    rules: readonly QuotaRule[],
    caller: string,
    now: number,
    points: number,
  ) => Refund | Promise<Refund>;
  /** Returns the remainder of each rule without charging. Throws `QuotasUnreadable`. */
  readonly left: (
    rules: readonly QuotaRule[],
    caller: string,
    now: number,
  ) => readonly Allowance[] | Promise<readonly Allowance[]>;
}

/** Refunds a charge for work that was not done. */
export type Refund = () => void | Promise<void>;

/** Returns the remaining allowance of a window in which this number of points is used. */
export function allowanceOf({ limit, windowSeconds }: QuotaRule, used: number, resetAt: number): Allowance {
  return { limit, remaining: Math.max(limit - used, 0), windowSeconds, resetAt };
}

/** A charge of several points that exceeds the remainder of a window. */
export interface LargeCharge {
  readonly points: number;
  /** Remainder of the window. */
  readonly remaining: number;
  /** True if further charges for the same response may follow, so that its total is unknown. */
  readonly isPart: boolean;
}

/** Returns the error for a full window, or for a charge that exceeds its remainder. */
export function rejectionOf(rule: QuotaRule, resetAt: number, charge?: LargeCharge): QuotaExceeded {
  const remaining = Math.max(charge?.remaining ?? 0, 0);
  const allowance = allowanceOf(rule, rule.limit - remaining, resetAt);
  return new QuotaExceeded(messageOf(rule, charge && { ...charge, remaining }), allowance, rule.planLimit);
}

function messageOf({ layer, operation }: QuotaRule, charge: LargeCharge | undefined): string {
  if (layer === "allowance") return `Daily allowance of ${operation} used up`;
  if (layer === "exported_rows" && charge)
    return `Daily limit of exported rows: this response has ${charge.isPart ? "at least " : ""}${charge.points} rows, ${charge.remaining} are left today`;
  return layer === "daily" ? "Daily request limit reached" : "Too many requests";
}

/** Whether the window is a UTC day. */
export function isOfDay({ windowSeconds }: QuotaRule): boolean {
  return windowSeconds * 1000 === dayMs;
}

/** Returns the end of the UTC day. */
export function nextMidnight(now: number): number {
  return (Math.floor(now / dayMs) + 1) * dayMs;
}

/** Returns the end of a window that starts now. */
export function endOfWindow(rule: QuotaRule, now: number): number {
  return isOfDay(rule) ? nextMidnight(now) : now + rule.windowSeconds * 1000;
}

interface Window {
  resetAt: number;
  count: number;
}

/**
 * Maximum number of callers in memory, because an attacker can use many addresses. Above it, the caller that was idle
 * longest loses its count. Each kind of limit has its own memory, so that a flood of addresses affects no account.
 */
const rememberedCallers = 100_000;

/** Counts in this process. The result is synchronous, because a promise would cost more than the counting. */
export function memoryQuotas() {
  const layers = new Map<string, LRUCache<string, Window>>();
  const windowsOf = ({ name }: QuotaRule) => {
    const known = layers.get(name);
    if (known) return known;
    // `max` would allocate all entries during a request, which takes 40 ms, but `maxSize` does not.
    const made = new LRUCache<string, Window>({ maxSize: rememberedCallers, sizeCalculation: () => 1 });
    layers.set(name, made);
    return made;
  };
  const windowOf = (rule: QuotaRule, caller: string, now: number): Window => {
    const windows = windowsOf(rule);
    const known = windows.get(caller);
    if (known) {
      if (known.resetAt <= now) known.count = 0;
      // Limits the wait to one window if the clock was set back.
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
        // If two limits have the same remainder, the one whose window ends later is reported.
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
        // If a window has restarted since the charge, it does not contain the points.
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
