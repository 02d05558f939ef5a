import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { accountPlans } from "../../../access/account-plans.ts";
import type { Plan } from "../../../access/plans.ts";
import { type DeliveryData, deliveryJob, sweepJob } from "../../../delivery/delivery-kinds.ts";
import { eventBody, type NewDelivery, queueDeliveries } from "../../../delivery/queue-deliveries.ts";
import type { Transaction } from "../../../store/tables.ts";
import type { RuleRow } from "../alert-table.ts";
import { deliveriesTo, receivers } from "../endpoints/receivers.ts";
import type { EvaluationParts } from "./evaluation-parts.ts";

export interface Firing {
  readonly rule: Pick<RuleRow, "id" | "account" | "endpoints"> & { readonly rank: number };
  readonly type: string;
  /** Identifies the reported changes. The same changes have the same mark, so that they are not sent twice. */
  readonly mark: string;
  readonly requiredTier: number;
  readonly count: number;
  readonly data: object;
}

/** Maximum deliveries of an account per evaluation, so that an account with many rules cannot fill the store. */
const maxDeliveries = 1_000;
/** Maximum endpoints for which jobs send the deliveries. If there are more, the periodic sweep sends the deliveries. */
const maxSent = 20;

/** Queues deliveries of events. An event is dropped if the plan no longer includes the data or the rule. */
export async function queueFirings(
  transaction: Transaction,
  firings: readonly Firing[],
  { plans: all, admits, clock, send, warn }: Pick<EvaluationParts, "plans" | "admits" | "clock" | "send" | "warn">,
): Promise<void> {
  if (firings.length === 0) return;
  const now = clock();
  const accounts = [...new Set(firings.map(({ rule }) => rule.account))].filter(admits);
  const plans = await accountPlans(transaction, all, accounts, now.getTime());
  const endpoints = await receivers(transaction, plans);
  const due = firings.filter((firing) => mayFire(firing, plans.get(firing.rule.account)));
  const queued = new Map<string, number>();
  const deliveries = due.flatMap(({ rule, type, mark, requiredTier, data }): NewDelivery[] => {
    const all = endpoints.get(rule.account) ?? [];
    const own = rule.endpoints.length === 0 ? all : all.filter(({ id }) => rule.endpoints.includes(id));
    const count = (queued.get(rule.account) ?? 0) + own.length;
    queued.set(rule.account, count);
    if (own.length === 0 || count > maxDeliveries) return [];
    const shared = { type, rule: rule.id, requiredTier, mark: `${rule.id} ${type} ${mark}` };
    return deliveriesTo(own, { ...shared, body: eventBody(type, now, data) });
  });
  for (const [account, count] of queued)
    if (count > maxDeliveries) warn(`The rules of ${account} report too many events at a time: some are not sent`);
  await queueDeliveries(transaction, deliveries, { now, randomBytes });
  await countFirings(transaction, due, now);
  await sendSoon(transaction, deliveries, send);
}

/** Queues jobs that send the deliveries. They start after the transaction is committed. */
async function sendSoon(
  transaction: Transaction,
  deliveries: readonly NewDelivery[],
  send: EvaluationParts["send"],
): Promise<void> {
  const waiting = new Set(deliveries.filter(({ state }) => state === "pending").map(({ endpoint }) => endpoint));
  if (waiting.size > maxSent) await send(sweepJob, {}, { key: sweepJob.name, transaction });
  else for (const webhook of waiting) await send<DeliveryData>(deliveryJob, { webhook }, { transaction });
}

function mayFire({ rule, requiredTier }: Firing, plan: Plan | undefined): boolean {
  return plan !== undefined && plan.tier >= requiredTier && rule.rank < (plan.rules ?? Number.POSITIVE_INFINITY);
}

async function countFirings(transaction: Transaction, firings: readonly Firing[], now: Date) {
  if (firings.length === 0) return;
  const counts = new Map<string, number>();
  for (const { rule, count } of firings) counts.set(rule.id, (counts.get(rule.id) ?? 0) + count);
  await sql`
    update alert_rule set fired = alert_rule.fired + given.count, last_fired_at = ${now}
    from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::int8[]) as given (id, count)
    where alert_rule.id = given.id`.execute(transaction);
}
