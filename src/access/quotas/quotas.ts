import { type Allowance, QuotaExceeded } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import type { QuotaRule } from "./quota-rules.ts";

/** Counts requests, in this process or in a store that processes share. */
export interface Quotas {
  /**
   * Charges one request to every rule, or to none where one refuses, and tells what the narrowest leaves. At once where
   * nothing has to be waited for. Throws `QuotaExceeded`, or `QuotasUnreadable` where a rule that must hold cannot be counted.
   */
  readonly take: (
    rules: readonly QuotaRule[],
    caller: string,
    now: number,
  ) => Allowance | undefined | Promise<Allowance | undefined>;
  /**
   * Charges so many points to every rule, or none to any where they do not fit into one; the result gives them back. Throws as
   * `take` does.
   */
  readonly charge: (
    rules: readonly QuotaRule[],
    caller: string,
    now: number,
    points: number,
  ) => Refund | Promise<Refund>;
  /** What each rule leaves to a caller now, without charging. Throws `QuotasUnreadable`. */
  readonly left: (
    rules: readonly QuotaRule[],
    caller: string,
    now: number,
  ) => readonly Allowance[] | Promise<readonly Allowance[]>;
}

/** Gives back what was charged for something that did not happen. */
export type Refund = () => void | Promise<void>;

/** What a window leaves once so many were counted in it. */
export function allowanceOf({ limit, windowSeconds }: QuotaRule, used: number, resetAt: number): Allowance {
  return { limit, remaining: Math.max(limit - used, 0), windowSeconds, resetAt };
}

/** More points at once than a window leaves. */
export interface LargeCharge {
  readonly points: number;
  /** What the window leaves. */
  readonly remaining: number;
  /** It may be part of more. */
  readonly isPart: boolean;
}

/** Why a rule refuses whoever finds its window full, or less left in it than is to be charged. */
export function rejectionOf(rule: QuotaRule, resetAt: number, charge?: LargeCharge): QuotaExceeded {
  const remaining = Math.max(charge?.remaining ?? 0, 0);
  const allowance = allowanceOf(rule, rule.limit - remaining, resetAt);
  return new QuotaExceeded(messageOf(rule, charge && { ...charge, remaining }), allowance, rule.planLimit);
}

function messageOf({ layer, operation }: QuotaRule, charge: LargeCharge | undefined): string {
  if (layer === "allowance") return `Daily allowance of ${operation} used up`;
  if (layer === "exported_rows" && charge)
    return `Daily limit of exported rows: this answer has ${charge.isPart ? "at least " : ""}${charge.points} rows, ${charge.remaining} are left today`;
  return layer === "daily" ? "Daily request limit reached" : "Too many requests";
}

/** Whether the window is a day of UTC. */
export function isOfDay({ windowSeconds }: QuotaRule): boolean {
  return windowSeconds * 1000 === dayMs;
}

/** End of the day of UTC. */
export function nextMidnight(now: number): number {
  return (Math.floor(now / dayMs) + 1) * dayMs;
}

/** When a window ends that begins now. */
export function endOfWindow(rule: QuotaRule, now: number): number {
  return isOfDay(rule) ? nextMidnight(now) : now + rule.windowSeconds * 1000;
}
