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

/** State of a counter's window in the store. */
export interface StoredWindow {
  readonly used: number;
  readonly msLeft: number;
}

/** Counters in a store that all processes share. */
export interface CounterStore {
  /** Adds points to a window, even above its limit. The first points of a window start it. */
  readonly add: (rule: QuotaRule, key: string, points: number) => Promise<StoredWindow>;
  /** Subtracts points from the window that ends in `msLeft`. Does nothing if that window has ended. */
  readonly giveBack: (rule: QuotaRule, key: string, points: number, msLeft: number) => Promise<unknown>;
  readonly read: (rule: QuotaRule, key: string) => Promise<StoredWindow | undefined>;
}

const minuteSeconds = 60;
/** Lifetime of a daily counter. Its key contains the date, and it must outlast that day on every process's clock. */
const dayTtlSeconds = (2 * dayMs) / 1_000;

/** Returns the lifetime of a counter from its first point, in seconds. */
export function counterSeconds(rule: QuotaRule): number {
  return isOfDay(rule) ? dayTtlSeconds : minuteSeconds;
}

/** Returns the time within which a window must end for a refund to be applied, so that no later window is refunded. */
export function givenBackWithinMs(msLeft: number): number {
  return msLeft + (minuteSeconds * 1_000) / 2;
}

/** Timeout for optional limits. If it expires, requests pass. */
const openTimeoutMs = 1_000;
/** Timeout for mandatory limits. Timeouts of the store are not longer. */
export const closedTimeoutMs = 5_000;

/** No refund is sent this close to the end of a window, because it could reach the next window. */
const lastMs = closedTimeoutMs;
const logEveryMs = 60_000;
/** A full window is checked again after this time, because another process may return reserved points. */
const fullMs = 250;
/** Reserved points that are unused for this time are returned to the store. */
const idleMs = 10_000;
const closeWithinMs = 2_000;
/** Maximum number of counters in memory. Evicted counters return their points. */
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
  // Counting for optional limits pauses after any failure. For mandatory limits, it pauses only after a slow failure,
  // because after a quick one the store may respond again.
  readonly #open = createBreaker(0);
  readonly #closed = createBreaker(openTimeoutMs);
  readonly #counters = new LRUCache<string, Counter>({
    // `max` would allocate all entries in advance, but `maxSize` does not.
    maxSize: maxLeases,
    sizeCalculation: () => 1,
    dispose: (counter) => void this.#returnPoints(counter),
  });
  readonly #returning = setInterval(() => this.#returnIdle(), idleMs).unref();
  #quietUntil = 0;

  /** `closeStore` is called after the reserved points were returned to the store. */
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
      // The refund names the window of the charge, because the counter may already be in its next window.
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

  /** Returns reserved points to the store and waits a short time for that. */
  async close(): Promise<void> {
    clearInterval(this.#returning);
    const last = async (counter: Counter) => {
      // Waits for a running reservation, because its points would otherwise be lost.
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
    // If the account's plan changes, the limit of the same name differs, so the counter gets the new rule.
    if (known?.rule === rule) return known;
    const counter = { rule, key, lease: known?.lease ?? newLease() };
    this.#counters.set(key, counter, { noDisposeOnSet: true });
    return counter;
  }

  /** Adds the points of a charge to the store, and returns the used points and the end of the window. */
  async #add(counter: Counter, points: number): Promise<{ readonly used: number; readonly endsAt: number }> {
    const { rule, key, lease } = counter;
    // Reserved points are returned first, because they count as used and a large charge might not fit.
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

  /** Reserves points. Concurrent requests for one counter share a reservation. */
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
    // The time of sending is used, so that the window may seem to end early, but never lasts too long.
    lease.endsAt = sentAt + window.msLeft;
    lease.taken = lease.points;
    lease.takenAt = clock;
    if (lease.points === 0) lease.fullUntil = Math.min(clock + fullMs, lease.endsAt);
    void this.#giveBack(counter, over, lease.endsAt);
  }

  /** Returns whether a point was spent; undefined if the limit could not be counted and is optional. */
  async #spend(counter: Counter): Promise<boolean | undefined> {
    const { rule, lease } = counter;
    lease.waiting += 1;
    try {
      // If the store is unreachable, reserved points are still usable.
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
      // Small limits reserve no points, so points of a rejected request are returned to the store.
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
    // If a limit was not counted, it is unknown which limit has the least left.
    return isCounted ? narrowest(spent, now) : undefined;
  }
}
