import { randomBytes } from "node:crypto";
import { chunked } from "../../delivery/queue-deliveries.ts";
import { chokepointById } from "../../reference/trade/chokepoints.ts";
import type { Transaction } from "../../store/tables.ts";
import { type Alert, judge, queueEvents, type WebhookEvent, type WebhookTables } from "./event.ts";

export interface ChokepointState {
  readonly chokepoint_id: string;
  /** The disruption score, 0 to 100. */
  readonly score: number;
  /** The status of the chokepoint: `green`, `yellow`, or `red`. */
  readonly status: string;
  readonly threat: string;
  readonly upstream_unavailable: boolean;
}

/** Queues events of webhooks in the transaction that stores the states. States with a missing input cause none. */
export async function enqueueEvents(
  transaction: Transaction,
  states: readonly ChokepointState[],
  { now, fresh }: { readonly now: Date; readonly fresh: boolean },
): Promise<void> {
  const readable = states.filter((state) => !state.upstream_unavailable);
  const tables = transaction.withTables<WebhookTables>();
  // The webhooks are locked, so that none is disabled before the transaction is committed.
  const webhooks = await tables
    .selectFrom("webhook")
    .select(["id", "chokepoint_ids", "alert_threshold"])
    .where("kind", "=", "chokepoints")
    .where("inactive_reason", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  if (webhooks.length === 0) return;
  // Scores that webhooks saw last are deleted, because live scores must not be compared with those of samples.
  if (fresh) await tables.deleteFrom("webhook_alert").execute();
  const known = await tables.selectFrom("webhook_alert").selectAll().execute();
  const alerts = new Map<string, Alert>(known.map((row) => [`${row.webhook} ${row.chokepoint}`, row]));
  const events: WebhookEvent[] = [];
  const changedAlerts: { webhook: string; chokepoint: string; score: number; armed: boolean }[] = [];
  for (const { id, chokepoint_ids: chosen, alert_threshold: threshold } of webhooks)
    for (const state of readable.filter(({ chokepoint_id: each }) => chosen.length === 0 || chosen.includes(each))) {
      const before = alerts.get(`${id} ${state.chokepoint_id}`);
      const judged = judge(before, state.score, threshold);
      if (before?.score !== judged.alert.score || before.armed !== judged.alert.armed)
        changedAlerts.push({ webhook: id, chokepoint: state.chokepoint_id, ...judged.alert });
      if (judged.event) events.push(eventOf(id, threshold, state, before, judged.event));
    }
  for (const rows of chunked(changedAlerts))
    await tables
      .insertInto("webhook_alert")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["webhook", "chokepoint"]).doUpdateSet(({ ref }) => ({
          score: ref("excluded.score"),
          armed: ref("excluded.armed"),
        })),
      )
      .execute();
  await queueEvents(transaction, events, { now, randomBytes });
}

function eventOf(
  subscriberId: string,
  alertThreshold: number,
  { chokepoint_id: id, score, status, threat }: ChokepointState,
  before: Alert | undefined,
  { type, reason }: Pick<WebhookEvent, "type"> & { readonly reason: string },
): WebhookEvent {
  const previousScore = before?.score ?? score;
  const trend = score > previousScore ? "rising" : score < previousScore ? "falling" : "flat";
  const details = {
    ...(before && { previousScore }),
    trend,
    status,
    warRiskTier: `WAR_RISK_TIER_${threat.toUpperCase()}`,
  };
  const chokepointName = chokepointById(id)?.name ?? id;
  return { type, data: { subscriberId, chokepointId: id, chokepointName, score, alertThreshold, reason, details } };
}
