import { LRUCache } from "lru-cache";
import type { Allowance } from "../../allowance.ts";
import { QuotasUnreadable } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import { createBreaker } from "./breaker.ts";
import { within } from "./deadline.ts";
import { endWindow, isLeased, isStale, isToRenew, type Lease, newLease, pointsToTake } from "./lease.ts";
import type { QuotaRule } from "./quota-rules.ts";
import { allowanceOf, endOfWindow, isOfDay, nextMidnight, type Quotas, rejectionOf } from "./quotas.ts";

/** A window in the store. */
export interface StoredWindow {
  readonly used: number;
  readonly msLeft: number;
}

/** Counters that processes share. */
export interface CounterStore {
  /** Adds points to a window, even beyond its limit. The first points start the window. */
  readonly add: (rule: QuotaRule, key: string, points: number) => Promise<StoredWindow>;
  /** Returns points to the window that ends in `msLeft`. If that window has ended, nothing is returned. */
  readonly giveBack: (rule: QuotaRule, key: string, points: number, msLeft: number) => Promise<unknown>;
  readonly read: (rule: QuotaRule, key: string) => Promise<StoredWindow | undefined>;
}

const minuteSeconds = 60;
/** A day's counter has the date in its key. It only has to outlast the day in every clock. */
const dayTtlSeconds = (2 * dayMs) / 1_000;

/** Returns how long a counter lasts from its first point. */
export function counterSeconds(rule: QuotaRule): number {
  return isOfDay(rule) ? dayTtlSeconds : minuteSeconds;
}

/** Returns the deadline for returned points, so that they never reach the next window, which ends a minute later. */
export function givenBackWithinMs(msLeft: number): number {
  return msLeft + (minuteSeconds * 1_000) / 2;
}

/** Quotas that may reserve points ahead of requests. */
export interface SharedQuotas extends Quotas {
  /** Returns reserved points, as far as the store accepts them soon. */
  readonly close: () => Promise<void>;
}

/** Timeout of limits that are optional: requests pass without them. */
const openTimeoutMs = 1_000;
/** Timeout of mandatory limits; the timeouts of the store are not longer. */
export const closedTimeoutMs = 5_000;

/** Points are not returned this close to the end of a window, because they would reach the next one. */
const lastMs = closedTimeoutMs;
const logEveryMs = 60_000;
/** A full window is checked again after this time, because another process may return points. */
const fullMs = 250;
/** Unused points are returned after this time. */
const idleMs = 10_000;
const closeWithinMs = 2_000;
/** Limits memory; points of evicted counters are returned. */
const maxLeases = 100_000;

interface Counter {
  readonly rule: QuotaRule;
  readonly key: string;
  readonly lease: Lease;
}

/**
 * Counts in a shared store. For large limits, each process reserves points in advance, so that most requests need no
 * store access. For small limits, concurrent requests are counted together. Rules are checked in order, and a rejected
 * request uses no points of the others.
 */
export function sharedQuotas(store: CounterStore, log: (message: string) => void): SharedQuotas {
  // A fast failure of a mandatory limit is retried immediately, because the store may be back.
  const [open, closed] = [createBreaker(0), createBreaker(openTimeoutMs)];
  let quietUntil = 0;
  const report = (cause: unknown) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + logEveryMs;
    log(`Requests cannot be counted, account and address limits are not enforced until they can: ${cause}`);
  };

  const counters = new LRUCache<string, Counter>({
    // `max` would allocate all entries in advance.
    maxSize: maxLeases,
    sizeCalculation: () => 1,
    dispose: (counter) => void returnPoints(counter),
  });
  const counterOf = (rule: QuotaRule, caller: string, now: number): Counter => {
    const key = keyOf(rule, caller, now);
    const known = counters.get(key);
    if (known && known.lease.endsAt <= performance.now()) endWindow(known.lease);
    // A change of plan keeps the name of a rule but changes its limit.
    if (known?.rule === rule) return known;
    const counter = { rule, key, lease: known?.lease ?? newLease() };
    counters.set(key, counter, { noDisposeOnSet: true });
    return counter;
  };

  const giveBack = async ({ rule, key, lease }: Counter, points: number) => {
    const msLeft = lease.endsAt - performance.now();
    if (points > 0 && msLeft > lastMs)
      await within(openTimeoutMs, store.giveBack(rule, key, points, msLeft)).catch(report);
  };
  function returnPoints(counter: Counter): Promise<void> {
    const { lease } = counter;
    const points = lease.points;
    lease.points = 0;
    lease.used -= points;
    return giveBack(counter, points);
  }
  const returning = setInterval(() => {
    const before = performance.now() - idleMs;
    for (const counter of counters.values()) if (counter.lease.spentAt < before) void returnPoints(counter);
  }, idleMs).unref();

  /** Only one refill per counter runs at a time. Concurrent requests share one access to the store. */
  const refill = (counter: Counter): Promise<void> => {
    counter.lease.refilling ??= takePoints(counter).finally(() => {
      counter.lease.refilling = undefined;
    });
    return counter.lease.refilling;
  };
  const takePoints = async (counter: Counter) => {
    const { rule, key, lease } = counter;
    const sentAt = performance.now();
    const points = pointsToTake(rule, lease, sentAt);
    const add = () => store.add(rule, key, points);
    const window = await (rule.closed ? closed(closedTimeoutMs, add) : open(openTimeoutMs, add));
    const clock = performance.now();
    if (lease.endsAt <= clock) endWindow(lease);
    const over = Math.min(points, Math.max(0, window.used - rule.limit));
    lease.points += points - over;
    lease.used = window.used - over;
    // The window starts with the request, so it may seem to end early, but its points never count for the next one.
    lease.endsAt = sentAt + window.msLeft;
    lease.taken = lease.points;
    lease.takenAt = clock;
    if (lease.points === 0) lease.fullUntil = Math.min(clock + fullMs, lease.endsAt);
    void giveBack(counter, over);
  };

  /** Returns whether a point was spent; undefined if it could not be counted and the request may pass. */
  const spend = async (counter: Counter): Promise<boolean | undefined> => {
    const { rule, lease } = counter;
    lease.waiting += 1;
    try {
      // Reserved points stay usable while the store is unreachable.
      if (isStale(rule, lease, performance.now())) await refill(counter).catch(report);
      for (;;) {
        if (spendNow(counter)) return true;
        if (performance.now() < lease.fullUntil) return false;
        await refill(counter);
      }
    } catch (cause) {
      report(cause);
      if (rule.closed) throw new QuotasUnreadable("A limit cannot be checked now");
      return undefined;
    } finally {
      lease.waiting -= 1;
    }
  };
  const renew = (counter: Counter) => {
    if (isToRenew(counter.rule, counter.lease, performance.now())) refill(counter).catch(report);
  };

  const takeWaiting = async (all: readonly Counter[], now: number) => {
    const spent: Counter[] = [];
    let isCounted = true;
    const undo = async () => {
      for (const { lease } of spent) lease.points += 1;
      // Points of small limits are not reserved, so they are returned.
      await Promise.all(spent.filter(({ rule }) => !isLeased(rule)).map(returnPoints));
    };
    for (const counter of all) {
      const passed = await spend(counter).catch(async (cause: unknown) => {
        await undo();
        throw cause;
      });
      if (passed) spent.push(counter);
      isCounted &&= passed !== undefined;
      if (passed !== false) continue;
      await undo();
      throw rejectionOf(counter.rule, resetAt(counter, now));
    }
    // The tightest rule may be one that could not be counted.
    return isCounted ? narrowest(spent, now) : undefined;
  };

  return {
    take(rules, caller, now) {
      const all = rules.map((rule) => counterOf(rule, caller, now));
      const clock = performance.now();
      if (!all.every(({ rule, lease }) => lease.points > 0 && !isStale(rule, lease, clock)))
        return takeWaiting(all, now);
      for (const counter of all) {
        spendNow(counter);
        renew(counter);
      }
      return narrowest(all, now);
    },
    async charge(rules, caller, now, points) {
      const charged: Counter[] = [];
      const undo = async () => {
        await Promise.all(charged.map((counter) => giveBack(counter, points)));
      };
      for (const rule of rules) {
        const counter = counterOf(rule, caller, now);
        const { key, lease } = counter;
        // Reserved points are returned first, so that they do not block a large charge.
        await returnPoints(counter);
        const window = await closed(closedTimeoutMs, () => store.add(rule, key, points)).catch(
          async (cause: unknown) => {
            report(cause);
            await undo();
            throw new QuotasUnreadable("A limit cannot be checked now");
          },
        );
        charged.push(counter);
        lease.used = window.used;
        lease.endsAt = performance.now() + window.msLeft;
        if (window.used <= rule.limit) continue;
        await undo();
        throw rejectionOf(rule, resetAt(counter, now), {
          points,
          remaining: rule.limit - (window.used - points),
          isPart: true,
        });
      }
      return undo;
    },
    left: (rules, caller, now) =>
      Promise.all(
        rules.map(async (rule) => {
          const counter = counterOf(rule, caller, now);
          const window = await closed(closedTimeoutMs, () => store.read(rule, counter.key)).catch((cause: unknown) => {
            throw new QuotasUnreadable("What is left of a limit cannot be read now", { cause });
          });
          if (!window) return allowanceOf(rule, 0, endOfWindow(rule, now));
          const ends = isOfDay(rule) ? nextMidnight(now) : now + window.msLeft;
          return allowanceOf(rule, window.used - counter.lease.points, ends);
        }),
      ),
    async close() {
      clearInterval(returning);
      const last = async (counter: Counter) => {
        // Points of a running refill would be lost.
        await counter.lease.refilling?.catch(() => undefined);
        await returnPoints(counter);
      };
      await within(closeWithinMs, Promise.all([...counters.values()].map(last))).catch(() => undefined);
    },
  };
}

function spendNow({ lease }: Counter): boolean {
  if (lease.points === 0) return false;
  lease.points -= 1;
  lease.spentAt = performance.now();
  return true;
}

function narrowest(counters: readonly Counter[], now: number): Allowance | undefined {
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
function keyOf(rule: QuotaRule, caller: string, now: number): string {
  const what = `${rule.name}:${caller}`;
  return isOfDay(rule) ? `${what}:${dayOf(now)}` : what;
}

function resetAt({ rule, lease }: Counter, now: number): number {
  return isOfDay(rule) ? nextMidnight(now) : now + Math.max(0, lease.endsAt - performance.now());
}

let knownDay: readonly [number, string] = [-1, ""];

function dayOf(now: number): string {
  const day = Math.floor(now / dayMs);
  if (knownDay[0] !== day) knownDay = [day, new Date(now).toISOString().slice(0, 10)];
  return knownDay[1];
}
