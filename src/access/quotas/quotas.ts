import type { Allowance } from "../../allowance.ts";
import { QuotaExceeded } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import type { QuotaRule } from "./quota-rules.ts";

/** Counts requests, in this process or in a shared store. */
export interface Quotas {
  /**
   * Charges one request to every rule, or to none if one is exceeded, and returns the remainder of the tightest. The
   * result is synchronous if no rule needs the store. Throws `QuotaExceeded`, or `QuotasUnreadable` if a mandatory rule
   * cannot be counted.
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

/** Refunds the points of work that did not happen. */
export type Refund = () => void | Promise<void>;

/** Returns the remainder of a window after this number of points. */
export function allowanceOf({ limit, windowSeconds }: QuotaRule, used: number, resetAt: number): Allowance {
  return { limit, remaining: Math.max(limit - used, 0), windowSeconds, resetAt };
}

/** A charge that exceeds the remainder of a window. */
export interface LargeCharge {
  readonly points: number;
  /** Remainder of the window. */
  readonly remaining: number;
  /** True if the charge may be part of a larger one. */
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
