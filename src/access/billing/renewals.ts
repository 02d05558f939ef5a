import type { Selectable } from "kysely";
import { LRUCache } from "lru-cache";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { Unavailable } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { Store, StoreTables } from "../../store/tables.ts";
import { keysGeneration } from "../keys/keys.ts";
import type { Plans } from "../plans.ts";
import { endedAt, isRunning, type Subscription, toSubscription } from "../subscriptions.ts";
import type { Billed, BillingProviders } from "./provider.ts";

type Row = Selectable<StoreTables["subscription"]>;

/** Maximum time for which one process checks a subscription and others must not, even if the process crashes. */
const leaseMs = 15_000;

/**
 * Takes the lease to check whether a subscription was renewed. Fails if another process has the lease, checks are
 * paused, or the stored subscription is valid again.
 */
async function takeLease(database: Store, id: string, now: number): Promise<boolean> {
  const at = new Date(now);
  const { numUpdatedRows } = await database
    .updateTable("subscription")
    .set({ checking_since: at })
    .where("id", "=", id)
    .where(({ or, eb }) => or([eb("checking_since", "is", null), eb("checking_since", "<=", new Date(now - leaseMs))]))
    .where(({ or, eb }) => or([eb("check_after", "is", null), eb("check_after", "<=", at)]))
    .where(({ or, eb }) => or([eb("active", "=", false), eb("valid_until", "<", at)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function readSubscription(database: Store, id: string): Promise<Row | undefined> {
  return database.selectFrom("subscription").selectAll().where("id", "=", id).executeTakeFirst();
}

/**
 * Ends the lease taken at `since` and stores the result of the check. If the subscription changed, every process
 * invalidates its cached keys. Does nothing if another process has taken the lease or an event of the provider has
 * arrived since.
 */
async function endLease(
  database: Store,
  lease: { readonly id: string; readonly since: number },
  learnt: Partial<Pick<Row, "active" | "plan" | "valid_until" | "updated_at">> & Pick<Row, "check_after">,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("subscription")
      .set({ ...learnt, checking_since: null })
      .where("id", "=", lease.id)
      .where("checking_since", "=", new Date(lease.since))
      .executeTakeFirst();
    if (numUpdatedRows > 0n && learnt.updated_at) await raiseGeneration(transaction, keysGeneration);
  });
}

export interface Renewals {
  readonly verify: (subscription: Subscription, now: number) => Promise<Renewal>;
  readonly forget: () => void;
}

/**
 * Result of a check. `pending`: another check is running; `failed`: no usable response of the provider; `lapsed`: the
 * provider confirmed the end; `unavailable`: the store or the provider's settings are missing; `ended`: there is no
 * more information.
 */
export type Renewal =
  | { readonly state: "renewed"; readonly subscription: Subscription }
  | { readonly state: "pending" | "failed" | "unavailable"; readonly retryAt: number; readonly cause?: unknown }
  | { readonly state: "lapsed" | "ended" };

export interface RenewalParts {
  readonly database: Store;
  readonly plans: Plans;
  readonly providers: BillingProviders;
  readonly clock: () => Date;
  readonly log: (message: string) => void;
}

/** A subscription that ended longer ago is not checked: the provider would already have reported a renewal. */
const requestedForMs = 3 * dayMs;
/** Expected duration of a check, returned to requests that arrive during one. */
const checkMs = 3_000;
const cooldownSeconds = 60;
/** Minimum time between checks of a subscription whose end the provider has confirmed. */
export const lapsedPauseMs = 5 * 60_000;
const lapsedTtlMs = 60_000;
const unavailableTtlMs = 3_000;
const unavailableRetryMs = 5_000;
const rememberedRenewals = 10_000;

export function createRenewals({ database, plans, providers, clock, log }: RenewalParts): Renewals {
  const known = new LRUCache<string, { readonly renewal: Renewal; readonly until: number }>({
    max: rememberedRenewals,
  });

  const verify = async (subscription: Subscription, now: number): Promise<Renewal> => {
    const { id, provider: name, active } = subscription;
    const provider = providers[name];
    const isConfirmed = name !== "local" && !active;
    if (now - endedAt(subscription) > requestedForMs || (provider && !provider.call))
      return { state: isConfirmed ? "lapsed" : "ended" };
    // If the provider's settings are missing, no check is possible. A cancellation that the provider reported earlier
    // still counts.
    if (!provider?.call)
      return isConfirmed ? { state: "lapsed" } : { state: "unavailable", retryAt: now + unavailableRetryMs };
    const remembered = known.get(id);
    if (remembered && now < remembered.until) return remembered.renewal;
    const renewal = await look(id, provider.call, now).catch((cause: unknown): Renewal => {
      if (!(cause instanceof Unavailable)) throw cause;
      return { state: "unavailable", retryAt: now + unavailableRetryMs, cause };
    });
    // Renewals are not cached here, because a renewal changes the subscription in the store.
    if (renewal.state !== "renewed") known.set(id, { renewal, until: validUntil(renewal, clock().getTime()) });
    return renewal;
  };

  /** Requests the subscription from the provider, unless another check is running or ended recently. */
  const look = async (id: string, readBilled: (id: string) => Promise<Billed>, now: number): Promise<Renewal> => {
    const isMine = await takeLease(database, id, now);
    const row = await readSubscription(database, id);
    const subscription = row && toSubscription(row, plans);
    if (!subscription) return { state: "ended" };
    if (isMine) return learn(subscription, readBilled, now);
    if (isRunning(subscription, now)) return { state: "renewed", subscription };
    // An ended subscription is reported as ended while another process checks it again.
    if (!subscription.active) return { state: "lapsed" };
    const pause = row.check_after?.getTime() ?? 0;
    if (pause > now) return { state: "failed", retryAt: pause };
    return { state: "pending", retryAt: Math.max((row.checking_since?.getTime() ?? 0) + checkMs, now + 1) };
  };

  const learn = async (
    subscription: Subscription,
    readBilled: (id: string) => Promise<Billed>,
    since: number,
  ): Promise<Renewal> => {
    const { id, active } = subscription;
    const reported = await readBilled(id).catch((error: unknown) => {
      if (!(error instanceof UpstreamError)) throw error;
      return error;
    });
    const now = clock().getTime();
    if (reported instanceof UpstreamError || (reported.running && reported.validUntil.getTime() < now)) {
      const reason = reported instanceof UpstreamError ? reported.message : "the paid period has not moved on yet";
      log(`The renewal of subscription ${id} could not be verified: ${reason}`);
      const seconds = (reported instanceof UpstreamError && reported.retryAfterSeconds) || cooldownSeconds;
      const retryAt = now + 1000 * Math.min(Math.max(seconds, 1), cooldownSeconds);
      await endLease(database, { id, since }, { check_after: new Date(retryAt) });
      return active ? { state: "failed", retryAt } : { state: "lapsed" };
    }
    if (!reported.running) {
      const ended = active ? { active: false, updated_at: new Date(now) } : {};
      await endLease(database, { id, since }, { ...ended, check_after: new Date(now + lapsedPauseMs) });
      return { state: "lapsed" };
    }
    const plan = plans.get(reported.plan ?? "") ?? subscription.plan;
    const values = { active: true, plan: plan.key, valid_until: reported.validUntil, updated_at: new Date(now) };
    await endLease(database, { id, since }, { ...values, check_after: null });
    return {
      state: "renewed",
      subscription: { ...subscription, active: true, plan, validUntil: reported.validUntil.getTime(), updatedAt: now },
    };
  };

  return { verify, forget: () => known.clear() };
}

function validUntil(renewal: Renewal, now: number): number {
  if (renewal.state === "unavailable") return now + unavailableTtlMs;
  return "retryAt" in renewal ? renewal.retryAt : now + lapsedTtlMs;
}
