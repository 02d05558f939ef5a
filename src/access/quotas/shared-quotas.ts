import { type Allowance, QuotasUnreadable } from "../../errors.ts";
import { coalesce } from "./coalesce.ts";
import { within } from "./deadline.ts";
import type { QuotaRule } from "./quota-rules.ts";
import { allowanceOf, endOfWindow, isOfDay, nextMidnight, type Quotas, refusalOf } from "./quotas.ts";

/** A window as the store has it. */
export interface StoredWindow {
  readonly used: number;
  readonly msLeft: number;
}

/** Counters that processes share. */
export interface CounterStore {
  /** Adds to a window, which begins with the first, whatever it holds already. */
  readonly add: (rule: QuotaRule, key: string, points: number) => Promise<StoredWindow>;
  readonly giveBack: (rule: QuotaRule, key: string, points: number) => Promise<unknown>;
  readonly read: (rule: QuotaRule, key: string) => Promise<StoredWindow | undefined>;
}

/** Nobody waits longer for a counter that would let him pass anyway, and after a failure nobody waits for a while. */
const openPatienceMs = 1_000;
const pauseMs = 1_000;
/** Limits that must hold may take as long as an answer may; the store's own time-outs are no longer. */
export const closedPatienceMs = 5_000;

/** So close to its end nothing is given back to a window: it would arrive in the next one and let too many through. */
const lastMomentsMs = closedPatienceMs;
const logEveryMs = 60_000;

/** Counts in a store that processes share: rule by rule, so that whoever is refused by one has not used up those after it. */
export function sharedQuotas(store: CounterStore, log: (message: string) => void): Quotas {
  const add = coalesce(store.add);
  const subtract = coalesce(store.giveBack);
  let pausedUntil = 0;
  let quietUntil = 0;

  const report = (cause: unknown) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + logEveryMs;
    log(`Requests cannot be counted, account and address limits are not held meanwhile: ${cause}`);
  };

  /** Undefined: not counted, and to be let pass. */
  const charge = async (rule: QuotaRule, key: string): Promise<StoredWindow | undefined> => {
    if (!rule.closed && performance.now() < pausedUntil) return undefined;
    try {
      const turn = await within(rule.closed ? closedPatienceMs : openPatienceMs, add(rule, key));
      const { used, msLeft } = turn.result;
      return { used: used - turn.shared + turn.place, msLeft };
    } catch (cause) {
      report(cause);
      if (rule.closed) throw new QuotasUnreadable("A limit cannot be checked now");
      pausedUntil = performance.now() + pauseMs;
      return undefined;
    }
  };

  const giveBack = async ({ rule, key, window }: Charge) => {
    if (window.msLeft > lastMomentsMs) await within(openPatienceMs, subtract(rule, key)).catch(report);
  };

  const chargeEach = async (rules: readonly QuotaRule[], caller: string, now: number) => {
    const charges: Charge[] = [];
    for (const rule of rules) {
      const key = keyOf(rule, caller, now);
      const window = await charge(rule, key);
      if (!window) continue;
      if (window.used > rule.limit) {
        // Its own window is full with or without this one; those before it are not.
        void giveBack({ rule, key, window });
        await Promise.all(charges.map(giveBack));
        throw refusalOf(rule, resetAt(rule, window, now));
      }
      charges.push({ rule, key, window });
    }
    return charges;
  };

  return {
    async take(rules, caller, now) {
      let narrowest: Allowance | undefined;
      for (const { rule, window } of await chargeEach(rules, caller, now)) {
        const allowance = allowanceOf(rule, window.used, resetAt(rule, window, now));
        // Of two as narrow the later ends no sooner.
        if (!narrowest || allowance.remaining <= narrowest.remaining) narrowest = allowance;
      }
      return narrowest;
    },
    async charge(rules, caller, now, points) {
      const charged: { rule: QuotaRule; key: string }[] = [];
      const undo = () => Promise.all(charged.map(({ rule, key }) => store.giveBack(rule, key, points).catch(report)));
      for (const rule of rules) {
        const key = keyOf(rule, caller, now);
        const window = await within(closedPatienceMs, store.add(rule, key, points)).catch(async (cause: unknown) => {
          report(cause);
          await undo();
          throw new QuotasUnreadable("A limit cannot be checked now");
        });
        charged.push({ rule, key });
        if (window.used <= rule.limit) continue;
        await undo();
        throw refusalOf(rule, resetAt(rule, window, now));
      }
    },
    left: (rules, caller, now) =>
      Promise.all(
        rules.map(async (rule) => {
          const window = await within(closedPatienceMs, store.read(rule, keyOf(rule, caller, now))).catch(
            (cause: unknown) => {
              throw new QuotasUnreadable("What is left of a limit cannot be read now", { cause });
            },
          );
          return window
            ? allowanceOf(rule, window.used, resetAt(rule, window, now))
            : allowanceOf(rule, 0, endOfWindow(rule, now));
        }),
      ),
  };
}

interface Charge {
  readonly rule: QuotaRule;
  readonly key: string;
  readonly window: StoredWindow;
}

/** A day's counter is named for its date, so that it ends at midnight by our clock and not by the store's. */
function keyOf(rule: QuotaRule, caller: string, now: number): string {
  const what = `${rule.name}:${caller}`;
  return isOfDay(rule) ? `${what}:${new Date(now).toISOString().slice(0, 10)}` : what;
}

function resetAt(rule: QuotaRule, { msLeft }: StoredWindow, now: number): number {
  return isOfDay(rule) ? nextMidnight(now) : now + msLeft;
}
