import { LRUCache } from "lru-cache";
import { type Allowance, QuotasUnreadable } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import { createBreaker } from "./breaker.ts";
import { within } from "./deadline.ts";
import { endWindow, isLeased, isStale, isToRenew, type Lease, newLease, pointsToTake } from "./lease.ts";
import type { QuotaRule } from "./quota-rules.ts";
import { allowanceOf, endOfWindow, isOfDay, nextMidnight, type Quotas, rejectionOf } from "./quotas.ts";

/** A window as the store has it. */
export interface StoredWindow {
  readonly used: number;
  readonly msLeft: number;
}

/** Counters that processes share. */
export interface CounterStore {
  /** Adds to a window, which begins with the first, whatever it holds already. */
  readonly add: (rule: QuotaRule, key: string, points: number) => Promise<StoredWindow>;
  /** To the window that ends in so many milliseconds; to a later one nothing is given. */
  readonly giveBack: (rule: QuotaRule, key: string, points: number, msLeft: number) => Promise<unknown>;
  readonly read: (rule: QuotaRule, key: string) => Promise<StoredWindow | undefined>;
}

const minuteSeconds = 60;
/** A day's counter is named for its date: it only has to outlast it in every clock. */
const dayTtlSeconds = (2 * dayMs) / 1_000;

/** So long a counter lasts from its first point on. */
export function counterSeconds(rule: QuotaRule): number {
  return isOfDay(rule) ? dayTtlSeconds : minuteSeconds;
}

/** However late points are given back, they find their own window or none: the next one ends a minute later. */
export function givenBackWithinMs(msLeft: number): number {
  return msLeft + (minuteSeconds * 1_000) / 2;
}

/** Quotas that may hold points ahead of requests. */
export interface SharedQuotas extends Quotas {
  /** Gives them back, as far as the store takes them soon. */
  readonly close: () => Promise<void>;
}

/** Nobody waits longer for a counter that would let him pass anyway. */
const openTimeoutMs = 1_000;
/** Limits that must hold may take as long as an answer may; the store's own time-outs are no longer. */
export const closedTimeoutMs = 5_000;

/** So close to its end nothing is given back to a window: it would arrive in the next one and let too many through. */
const lastMs = closedTimeoutMs;
const logEveryMs = 60_000;
/** A window that was found full is not asked for again at once: another process may give points back. */
const fullMs = 250;
/** Points that nobody has spent for so long go back. */
const idleMs = 10_000;
const closeWithinMs = 2_000;
/** Bounds the memory; points of who is forgotten go back. */
const maxLeases = 100_000;

interface Counter {
  readonly rule: QuotaRule;
  readonly key: string;
  readonly lease: Lease;
}

/**
 * Counts in a store that processes share. Of a large limit each process takes points ahead, so that most requests ask nobody;
 * of a small one those who come together are counted together. Rule by rule: whoever is refused by one uses up no other.
 */
export function sharedQuotas(store: CounterStore, log: (message: string) => void): SharedQuotas {
  // What must hold is asked for again at once after a failure that nobody waited for: the store may be back.
  const [open, closed] = [createBreaker(0), createBreaker(openTimeoutMs)];
  let quietUntil = 0;
  const report = (cause: unknown) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + logEveryMs;
    log(`Requests cannot be counted, account and address limits are not held meanwhile: ${cause}`);
  };

  const counters = new LRUCache<string, Counter>({
    // A bound on their number would have room for so many from the start.
    maxSize: maxLeases,
    sizeCalculation: () => 1,
    dispose: (counter) => void returnPoints(counter),
  });
  const counterOf = (rule: QuotaRule, caller: string, now: number): Counter => {
    const key = keyOf(rule, caller, now);
    const known = counters.get(key);
    if (known && known.lease.endsAt <= performance.now()) endWindow(known.lease);
    // A change of plan keeps the name and has another limit.
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

  /** One at a time for each counter: however many requests come at once, it costs one trip to the store for all of them. */
  const refill = (counter: Counter): Promise<void> => {
    counter.lease.refilling ??= takePoints(counter).finally(() => {
      counter.lease.refilling = undefined;
    });
    return counter.lease.refilling;
  };
  const takePoints = async (counter: Counter) => {
    const { rule, key, lease } = counter;
    const requested = performance.now();
    const points = pointsToTake(rule, lease, requested);
    const add = () => store.add(rule, key, points);
    const window = await (rule.closed ? closed(closedTimeoutMs, add) : open(openTimeoutMs, add));
    const clock = performance.now();
    if (lease.endsAt <= clock) endWindow(lease);
    const over = Math.min(points, Math.max(0, window.used - rule.limit));
    lease.points += points - over;
    lease.used = window.used - over;
    // From when it was asked on: rather too early than points of a window in the next one.
    lease.endsAt = requested + window.msLeft;
    lease.taken = lease.points;
    lease.takenAt = clock;
    if (lease.points === 0) lease.fullUntil = Math.min(clock + fullMs, lease.endsAt);
    void giveBack(counter, over);
  };

  /** Whether a point was spent; undefined: it could not be counted, and the request is to be let pass. */
  const spend = async (counter: Counter): Promise<boolean | undefined> => {
    const { rule, lease } = counter;
    lease.waiting += 1;
    try {
      // Points that are here are as good while the store is away.
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
      // What is not taken ahead is not kept either.
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
    // The narrowest may be one of those that could not be counted.
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
        // Points of its own do not stand in the way of a large charge.
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
        // Points that are under way would be lost.
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
    // Of two as narrow the later ends no sooner.
    if (!found || allowance.remaining <= found.remaining) found = allowance;
  }
  return found;
}

/** A day's counter is named for its date, so that it ends at midnight by our clock and not by the store's. */
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
