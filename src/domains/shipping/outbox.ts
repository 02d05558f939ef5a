import type { Transaction } from "kysely";
import { chokepoints } from "../../reference/chokepoints.ts";
import type { StoreTables } from "../../store/tables.ts";
import { type Alert, judge } from "./alert.ts";
import { queueDeliveries, type Told } from "./event.ts";
import type { WebhookTables } from "./webhook-table.ts";

/** A chokepoint as its status was just stored. */
export interface ChokepointScore {
  readonly id: string;
  /** Disruption score, 0 to 100. */
  readonly score: number;
  /** `green`, `yellow` or `red`. */
  readonly status: string;
  readonly warRiskTier: string;
}

export interface OutboxParts {
  readonly now: Date;
  readonly randomBytes: (size: number) => Buffer;
}

/**
 * Queues what the webhooks are to be told of new scores, in the transaction that stores them: neither is ever there without
 * the other. Returns the webhooks that something waits for.
 */
export async function tellScores(
  transaction: Transaction<StoreTables>,
  scores: readonly ChokepointScore[],
  parts: OutboxParts,
): Promise<string[]> {
  const tables = transaction.withTables<WebhookTables>();
  // Locked, so that one who is switched off meanwhile is not told.
  const webhooks = await tables
    .selectFrom("webhook")
    .select(["id", "chokepoint_ids", "alert_threshold"])
    .where("inactive_reason", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  if (webhooks.length === 0) return [];
  const known = await tables.selectFrom("webhook_alert").selectAll().execute();
  const alerts = new Map<string, Alert>(known.map((row) => [`${row.webhook} ${row.chokepoint}`, row]));
  const told: Told[] = [];
  const kept: { webhook: string; chokepoint: string; score: number; armed: boolean }[] = [];
  for (const { id, chokepoint_ids: chosen, alert_threshold: threshold } of webhooks)
    for (const chokepoint of scores.filter((each) => chosen.length === 0 || chosen.includes(each.id))) {
      const before = alerts.get(`${id} ${chokepoint.id}`);
      const judged = judge(before, chokepoint.score, threshold);
      if (before?.score !== judged.alert.score || before.armed !== judged.alert.armed)
        kept.push({ webhook: id, chokepoint: chokepoint.id, ...judged.alert });
      if (judged.told) told.push(toldOf(id, threshold, chokepoint, before, judged.told));
    }
  if (kept.length > 0)
    await tables
      .insertInto("webhook_alert")
      .values(kept)
      .onConflict((conflict) =>
        conflict.columns(["webhook", "chokepoint"]).doUpdateSet(({ ref }) => ({
          score: ref("excluded.score"),
          armed: ref("excluded.armed"),
        })),
      )
      .execute();
  await queueDeliveries(transaction, told, parts);
  return [...new Set(told.map(({ data }) => data.subscriberId))];
}

function toldOf(
  subscriberId: string,
  alertThreshold: number,
  { id, score, status, warRiskTier }: ChokepointScore,
  before: Alert | undefined,
  { type, reason }: Pick<Told, "type"> & { readonly reason: string },
): Told {
  const previousScore = before?.score ?? score;
  const trend = score > previousScore ? "rising" : score < previousScore ? "falling" : "flat";
  const details = { ...(before && { previousScore }), trend, status, warRiskTier };
  const chokepointName = chokepoints.find((chokepoint) => chokepoint.id === id)?.name ?? id;
  return { type, data: { subscriberId, chokepointId: id, chokepointName, score, alertThreshold, reason, details } };
}
