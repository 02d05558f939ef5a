import { LRUCache } from "lru-cache";
import type { Allowance } from "../../allowance.ts";
import { QuotasUnreadable } from "../../errors.ts";
import { createBreaker, within } from "../../reference/deadline.ts";
import { dayMs } from "../../reference/duration.ts";
import {
  type Counter,
  endWindow,
  isLeased,
  isStale,
  isToRenew,
  keyOf,
  narrowest,
  newLease,
  pointsToTake,
  resetAt,
  spendNow,
} from "./lease.ts";
import type { QuotaRule } from "./quota-rules.ts";
import { allowanceOf, endOfWindow, isOfDay, nextMidnight, type Quotas, type Refund, rejectionOf } from "./quotas.ts";

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

/**
 * Counts in a shared store. For large limits, each process reserves points in advance, so that most requests need no
 * store access. For small limits, concurrent requests are counted together. Rules are checked in order, and a rejected
 * request uses no points of the others.
 */
export class SharedQuotas implements Quotas {
  readonly #store: CounterStore;
  readonly #log: (message: string) => void;
  readonly #closeStore: () => Promise<void>;
  // A fast failure of a mandatory limit is retried immediately, because the store may be back.
  readonly #open = createBreaker(0);
  readonly #closed = createBreaker(openTimeoutMs);
  readonly #counters = new LRUCache<string, Counter>({
    // `max` would allocate all entries in advance.
    maxSize: maxLeases,
    sizeCalculation: () => 1,
    dispose: (counter) => void this.#returnPoints(counter),
  });
  readonly #returning = setInterval(() => this.#returnIdle(), idleMs).unref();
  #quietUntil = 0;

  /** `closeStore` runs after the reserved points were returned. */
  constructor(store: CounterStore, log: (message: string) => void, closeStore = async () => {}) {
    this.#store = store;
    this.#log = log;
    this.#closeStore = closeStore;
  }

  take(rules: readonly QuotaRule[], caller: string, now: number) {
    const all = rules.map((rule) => this.#counterOf(rule, caller, now));
    const clock = performance.now();
    if (!all.every(({ rule, lease }) => lease.points > 0 && !isStale(rule, lease, clock)))
      return this.#takeWaiting(all, now);
    for (const counter of all) {
      spendNow(counter);
      this.#renew(counter);
    }
    return narrowest(all, now);
  }

  async charge(rules: readonly QuotaRule[], caller: string, now: number, points: number): Promise<Refund> {
    const charged: (() => Promise<void>)[] = [];
    const refund = async () => {
      await Promise.all(charged.map((giveBack) => giveBack()));
    };
    for (const rule of rules) {
      const counter = this.#counterOf(rule, caller, now);
      const { used, endsAt } = await this.#add(counter, points).catch(async (cause: unknown) => {
        this.#report(cause);
        await refund();
        throw new QuotasUnreadable("A limit cannot be checked now");
      });
      // By the time of a refund, the counter may be in its next window.
      charged.push(() => this.#giveBack(counter, points, endsAt));
      if (used <= rule.limit) continue;
      await refund();
      const remaining = rule.limit - (used - points);
      throw rejectionOf(rule, resetAt(counter, now), { points, remaining, isPart: true });
    }
    return refund;
  }

  left(rules: readonly QuotaRule[], caller: string, now: number): Promise<readonly Allowance[]> {
    const leftOf = async (rule: QuotaRule) => {
      const counter = this.#counterOf(rule, caller, now);
      const read = () => this.#store.read(rule, counter.key);
      const window = await this.#closed(closedTimeoutMs, read).catch((cause: unknown) => {
        throw new QuotasUnreadable("What is left of a limit cannot be read now", { cause });
      });
      if (!window) return allowanceOf(rule, 0, endOfWindow(rule, now));
      const ends = isOfDay(rule) ? nextMidnight(now) : now + window.msLeft;
      return allowanceOf(rule, window.used - counter.lease.points, ends);
    };
    return Promise.all(rules.map(leftOf));
  }

  /** Returns reserved points, as far as the store accepts them soon. */
  async close(): Promise<void> {
    clearInterval(this.#returning);
    const last = async (counter: Counter) => {
      // Points of a running refill would be lost.
      await counter.lease.refilling?.catch(() => undefined);
      await this.#returnPoints(counter);
    };
    await within(closeWithinMs, Promise.all([...this.#counters.values()].map(last))).catch(() => undefined);
    await this.#closeStore();
  }

  #report(cause: unknown): void {
    const now = performance.now();
    if (now < this.#quietUntil) return;
    this.#quietUntil = now + logEveryMs;
    this.#log(`Requests cannot be counted, account and address limits are not enforced until they can: ${cause}`);
  }

  #counterOf(rule: QuotaRule, caller: string, now: number): Counter {
    const key = keyOf(rule, caller, now);
    const known = this.#counters.get(key);
    if (known && known.lease.endsAt <= performance.now()) endWindow(known.lease);
    // A change of plan keeps the name of a rule but changes its limit.
    if (known?.rule === rule) return known;
    const counter = { rule, key, lease: known?.lease ?? newLease() };
    this.#counters.set(key, counter, { noDisposeOnSet: true });
    return counter;
  }

  /** Counts points of a charge, and returns the points and the end of the window. */
  async #add(counter: Counter, points: number): Promise<{ readonly used: number; readonly endsAt: number }> {
    const { rule, key, lease } = counter;
    // Reserved points are returned first, so that they do not block a large charge.
    await this.#returnPoints(counter);
    const { used, msLeft } = await this.#closed(closedTimeoutMs, () => this.#store.add(rule, key, points));
    lease.used = used;
    lease.endsAt = performance.now() + msLeft;
    return { used, endsAt: lease.endsAt };
  }

  async #giveBack({ rule, key }: Counter, points: number, endsAt: number): Promise<void> {
    const msLeft = endsAt - performance.now();
    if (points <= 0 || msLeft <= lastMs) return;
    const returned = this.#store.giveBack(rule, key, points, msLeft);
    await within(openTimeoutMs, returned).catch((cause: unknown) => this.#report(cause));
  }

  #returnPoints(counter: Counter): Promise<void> {
    const { lease } = counter;
    const points = lease.points;
    lease.points = 0;
    lease.used -= points;
    return this.#giveBack(counter, points, lease.endsAt);
  }

  #returnIdle(): void {
    const before = performance.now() - idleMs;
    for (const counter of this.#counters.values()) if (counter.lease.spentAt < before) void this.#returnPoints(counter);
  }

  /** Only one refill per counter runs at a time. Concurrent requests share one access to the store. */
  #refill(counter: Counter): Promise<void> {
    counter.lease.refilling ??= this.#takePoints(counter).finally(() => {
      counter.lease.refilling = undefined;
    });
    return counter.lease.refilling;
  }

  async #takePoints(counter: Counter): Promise<void> {
    const { rule, key, lease } = counter;
    const sentAt = performance.now();
    const points = pointsToTake(rule, lease, sentAt);
    const add = () => this.#store.add(rule, key, points);
    const window = await (rule.closed ? this.#closed(closedTimeoutMs, add) : this.#open(openTimeoutMs, add));
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
    void this.#giveBack(counter, over, lease.endsAt);
  }

  /** Returns whether a point was spent; undefined if it could not be counted and the request may pass. */
  async #spend(counter: Counter): Promise<boolean | undefined> {
    const { rule, lease } = counter;
    lease.waiting += 1;
    try {
      // Reserved points stay usable while the store is unreachable.
      if (isStale(rule, lease, performance.now()))
        await this.#refill(counter).catch((cause: unknown) => this.#report(cause));
      for (;;) {
        if (spendNow(counter)) return true;
        if (performance.now() < lease.fullUntil) return false;
        await this.#refill(counter);
      }
    } catch (cause) {
      this.#report(cause);
      if (rule.closed) throw new QuotasUnreadable("A limit cannot be checked now");
      return undefined;
    } finally {
      lease.waiting -= 1;
    }
  }

  #renew(counter: Counter): void {
    if (isToRenew(counter.rule, counter.lease, performance.now()))
      this.#refill(counter).catch((cause: unknown) => this.#report(cause));
  }

  async #takeWaiting(all: readonly Counter[], now: number): Promise<Allowance | undefined> {
    const spent: Counter[] = [];
    let isCounted = true;
    const undo = async () => {
      for (const { lease } of spent) lease.points += 1;
      // Points of small limits are not reserved, so they are returned.
      await Promise.all(spent.filter(({ rule }) => !isLeased(rule)).map((counter) => this.#returnPoints(counter)));
    };
    for (const counter of all) {
      const passed = await this.#spend(counter).catch(async (cause: unknown) => {
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
  }
}
