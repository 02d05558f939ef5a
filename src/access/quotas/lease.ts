import type { QuotaRule } from "./quota-rules.ts";

/** Points of one counter that this process has taken from the store before the requests that they are for. */
export interface Lease {
  /** Not spent yet. */
  points: number;
  /** In the store when it was last asked, these points included. */
  used: number;
  /** Of the window. This time and those below are of the process's own clock, in milliseconds. */
  endsAt: number;
  /** Requests that wait for points. */
  waiting: number;
  /** Points taken last, and when. */
  taken: number;
  takenAt: number;
  /** Of the last request. */
  spentAt: number;
  /** Until then the window counts as full without asking. */
  fullUntil: number;
  refilling: Promise<void> | undefined;
}

/** Of a smaller limit each request is counted in the store: what one process holds ahead, others miss. */
const leasedFrom = 10_000;
/** Of what is left, at least and at most; a killed process loses no more. */
const minShare = 1 / 400;
const maxShare = 1 / 32;
/** So long the points should last, and so long what is left is known well enough to be told. */
const lastsMs = 1_000;
/** Soon enough that no request of a busy caller waits for it. */
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

/** Whether points are taken ahead. */
export function isLeased({ limit }: QuotaRule): boolean {
  return limit >= leasedFrom;
}

/** Points of a window that is over are gone. */
export function endWindow(lease: Lease): void {
  lease.points = 0;
  lease.used = 0;
  lease.fullUntil = 0;
}

/** How many points are to be taken: for those who wait, and as many more as the last second used. */
export function pointsToTake(rule: QuotaRule, lease: Lease, clockMs: number): number {
  const waiting = Math.max(lease.waiting, 1);
  if (!isLeased(rule)) return waiting;
  const left = Math.max(0, rule.limit - lease.used);
  const spent = lease.taken - lease.points;
  const rate = spent / Math.max(clockMs - lease.takenAt, 1);
  const ahead = Math.max(Math.ceil(rate * lastsMs), left * minShare);
  return Math.max(waiting, Math.floor(Math.min(ahead, left * maxShare)));
}

/** Whether more should be taken while requests still find some: so that none waits, and what is left is known well. */
export function isToRenew(rule: QuotaRule, { points, taken, takenAt, refilling }: Lease, clockMs: number): boolean {
  if (refilling || !isLeased(rule)) return false;
  return points <= taken / 4 || clockMs - takenAt > renewedAfterMs;
}

/** Whether what is left was learned so long ago that an answer may not tell it: other processes have spent since. */
export function isStale(rule: QuotaRule, { takenAt }: Lease, clockMs: number): boolean {
  return isLeased(rule) && clockMs - takenAt > lastsMs;
}
