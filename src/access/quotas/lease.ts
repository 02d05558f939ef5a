import type { Allowance } from "../../allowance.ts";
import { dayMs } from "../../reference/duration.ts";
import type { QuotaRule } from "./quota-rules.ts";
import { allowanceOf, isOfDay, nextMidnight } from "./quotas.ts";

/** Points of one counter that this process has reserved in the store ahead of requests. */
export interface Lease {
  /** Points that are not spent. */
  points: number;
  /** Points counted in the store at the last update, including these. */
  used: number;
  /** End of the window. This and the following times are monotonic milliseconds of the process. */
  endsAt: number;
  /** Number of requests that wait for points. */
  waiting: number;
  /** Points of the last reservation, and its time. */
  taken: number;
  takenAt: number;
  /** Time of the last request. */
  spentAt: number;
  /** Until this time the window counts as full without a check. */
  fullUntil: number;
  refilling: Promise<void> | undefined;
}

/** One counter of the store, as this process knows it. */
export interface Counter {
  readonly rule: QuotaRule;
  readonly key: string;
  readonly lease: Lease;
}

/**
 * Smaller limits are counted in the store for each request, because a reservation would be missing in other processes.
 */
const leasedFrom = 10_000;
/** Minimum and maximum share of the remaining points in a reservation. A crashed process loses at most this share. */
const minShare = 1 / 400;
const maxShare = 1 / 32;
/** Time for which a reservation should last, and after which the remaining points count as stale. */
const lastsMs = 1_000;
/** Reservations are renewed early, so that no request of a busy caller waits. */
const renewedAfterMs = 900;

export function newLease(): Lease {
  return {
    points: 0,
    used: 0,
    endsAt: 0,
    waiting: 0,
    taken: 0,
    takenAt: 0,
    spentAt: 0,
    fullUntil: 0,
    refilling: undefined,
  };
}

/** Whether points are reserved in advance. */
export function isLeased({ limit }: QuotaRule): boolean {
  return limit >= leasedFrom;
}

/** Drops the points of an ended window. */
export function endWindow(lease: Lease): void {
  lease.points = 0;
  lease.used = 0;
  lease.fullUntil = 0;
}

/** Returns the number of points to reserve: those of waiting requests, and as many as the last second used. */
export function pointsToTake(rule: QuotaRule, lease: Lease, clockMs: number): number {
  const waiting = Math.max(lease.waiting, 1);
  if (!isLeased(rule)) return waiting;
  const left = Math.max(0, rule.limit - lease.used);
  const spent = lease.taken - lease.points;
  const rate = spent / Math.max(clockMs - lease.takenAt, 1);
  const ahead = Math.max(Math.ceil(rate * lastsMs), left * minShare);
  return Math.max(waiting, Math.floor(Math.min(ahead, left * maxShare)));
}

/** Whether to reserve more points before they run out. This also keeps the remaining points current. */
export function isToRenew(rule: QuotaRule, { points, taken, takenAt, refilling }: Lease, clockMs: number): boolean {
  if (refilling || !isLeased(rule)) return false;
  return points <= taken / 4 || clockMs - takenAt > renewedAfterMs;
}

/** Whether the remaining points are too old to report, because other processes may have spent some. */
export function isStale(rule: QuotaRule, { takenAt }: Lease, clockMs: number): boolean {
  return isLeased(rule) && clockMs - takenAt > lastsMs;
}

/** Spends a reserved point and returns true, or returns false if there is none. */
export function spendNow({ lease }: Counter): boolean {
  if (lease.points === 0) return false;
  lease.points -= 1;
  lease.spentAt = performance.now();
  return true;
}

/** Returns the remainder of the tightest counter. */
export function narrowest(counters: readonly Counter[], now: number): Allowance | undefined {
  let found: Allowance | undefined;
  for (const counter of counters) {
    const { rule, lease } = counter;
    const allowance = allowanceOf(rule, lease.used - lease.points, resetAt(counter, now));
    // For equal remainders, the window that ends later counts.
    if (!found || allowance.remaining <= found.remaining) found = allowance;
  }
  return found;
}

/** A day's counter has the date in its key, so that it ends at midnight of this process's clock. */
export function keyOf(rule: QuotaRule, caller: string, now: number): string {
  const what = `${rule.name}:${caller}`;
  return isOfDay(rule) ? `${what}:${dayOf(now)}` : what;
}

/** Returns the end of the window in Unix epoch milliseconds. */
export function resetAt({ rule, lease }: Counter, now: number): number {
  return isOfDay(rule) ? nextMidnight(now) : now + Math.max(0, lease.endsAt - performance.now());
}

let knownDay: readonly [number, string] = [-1, ""];

function dayOf(now: number): string {
  const day = Math.floor(now / dayMs);
  if (knownDay[0] !== day) knownDay = [day, new Date(now).toISOString().slice(0, 10)];
  return knownDay[1];
}
