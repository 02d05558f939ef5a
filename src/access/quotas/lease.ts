import type { Allowance } from "../../allowance.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import type { QuotaRule } from "./quota-rules.ts";
import { allowanceOf, isOfDay, nextMidnight } from "./quotas.ts";

/** Points of one counter that this process has reserved in the store before requests need them. */
export interface Lease {
  /** Reserved points that are not yet spent. */
  points: number;
  /** Points counted in the store at the last update, including the reserved points. */
  used: number;
  /** End of the window. All times in a lease are milliseconds of the monotonic clock. */
  endsAt: number;
  /** Number of requests that wait until points are reserved. */
  waiting: number;
  /** Number of points in the last reservation, and its time. */
  taken: number;
  takenAt: number;
  /** Time when a point was last spent. */
  spentAt: number;
  /** Until this time, the window counts as full without another check of the store. */
  fullUntil: number;
  refilling: Promise<void> | undefined;
}

/** One counter of a limit in the store, with the points that this process has reserved. */
export interface Counter {
  readonly rule: QuotaRule;
  readonly key: string;
  readonly lease: Lease;
}

/**
 * Points are reserved only for limits of at least this size. A reservation would take too many points of a smaller
 * limit from other processes, so its points are counted in the store for each request.
 */
const leasedFrom = 10_000;
/** Minimum and maximum share of remaining points per reservation. A crash loses at most this share. */
const minShare = 1 / 400;
const maxShare = 1 / 32;
/** Time for which reserved points should last. After it, the reported remaining quota counts as outdated. */
const lastsMs = 1_000;
/** A reservation is renewed before it runs out, so that a frequent caller never waits. */
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

/** Returns whether points of this limit are reserved. */
export function isLeased({ limit }: QuotaRule): boolean {
  return limit >= leasedFrom;
}

/** Drops the points of an ended window. */
export function endWindow(lease: Lease): void {
  lease.points = 0;
  lease.used = 0;
  lease.fullUntil = 0;
}

/** Returns how many points to reserve: enough for the waiting requests and for the rate of the last second. */
export function pointsToTake(rule: QuotaRule, lease: Lease, clockMs: number): number {
  const waiting = Math.max(lease.waiting, 1);
  if (!isLeased(rule)) return waiting;
  const left = Math.max(0, rule.limit - lease.used);
  const spent = lease.taken - lease.points;
  const rate = spent / Math.max(clockMs - lease.takenAt, 1);
  const ahead = Math.max(Math.ceil(rate * lastsMs), left * minShare);
  return Math.max(waiting, Math.floor(Math.min(ahead, left * maxShare)));
}

/** Returns whether to reserve more points, because few are left or the remaining quota must be updated. */
export function isToRenew(rule: QuotaRule, { points, taken, takenAt, refilling }: Lease, clockMs: number): boolean {
  if (refilling || !isLeased(rule)) return false;
  return points <= taken / 4 || clockMs - takenAt > renewedAfterMs;
}

/** Returns whether the remaining quota is outdated, because other processes may have spent points since. */
export function isStale(rule: QuotaRule, { takenAt }: Lease, clockMs: number): boolean {
  return isLeased(rule) && clockMs - takenAt > lastsMs;
}

/** Spends a reserved point; returns false if none is left. */
export function spendNow({ lease }: Counter): boolean {
  if (lease.points === 0) return false;
  lease.points -= 1;
  lease.spentAt = performance.now();
  return true;
}

/** Returns the allowance of the counter with the fewest remaining points. */
export function narrowest(counters: readonly Counter[], now: number): Allowance | undefined {
  let found: Allowance | undefined;
  for (const counter of counters) {
    const { rule, lease } = counter;
    const allowance = allowanceOf(rule, lease.used - lease.points, resetAt(counter, now));
    // If two counters have the same remainder, the one whose window ends later is reported.
    if (!found || allowance.remaining <= found.remaining) found = allowance;
  }
  return found;
}

/** Returns the key of a counter. A daily key contains the date, so its window ends at this process's midnight. */
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
  if (knownDay[0] !== day) knownDay = [day, isoDay(now)];
  return knownDay[1];
}
