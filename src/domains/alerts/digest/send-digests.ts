import { sql } from "kysely";
import { accountPlans } from "../../../access/account-plans.ts";
import { dayMs } from "../../../reference/duration.ts";
import { globalTenders } from "../../economic/published.ts";
import type { RuleRow } from "../alert-table.ts";
import type { EvaluationParts } from "../evaluation/evaluation-parts.ts";
import { type Firing, queueFirings } from "../evaluation/firing.ts";
import { holdPosition } from "../evaluation/position.ts";
import { rankInAccount, triggerOf } from "../rules/rule-store.ts";
import { type DigestItem, daysOf, readDigests } from "./digest.ts";

const sentAt = 6 * 3_600_000;
/** Weekly digests are sent on Mondays. The first day of Unix time was a Thursday. */
const mondayOffset = 4 * dayMs;
const maxItems = 100;

/** Returns the last time at which daily or weekly digests were due. */
function lastDue(now: number, days: 1 | 7): number {
  const start = sentAt + (days === 7 ? mondayOffset : 0);
  const length = days * dayMs;
  return Math.floor((now - start) / length) * length + start;
}

/** Sends the digests of the watchlists that are due. If one fails, the others are sent, and the next run tries it again. */
export async function sendDigests(parts: EvaluationParts): Promise<void> {
  const now = parts.clock().getTime();
  const failures: unknown[] = [];
  for (const rule of await dueRules(parts, now))
    await sendDigest(rule, now, parts).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} digests were not sent`);
}

/** Sends a digest. A digest without a change is not sent. */
async function sendDigest(rule: DueRule, now: number, parts: EvaluationParts): Promise<void> {
  const { database, plans, admits } = parts;
  const { watchlist } = triggerOf(rule);
  if (!watchlist || !admits(rule.account)) return;
  const due = lastDue(now, daysOf(watchlist));
  const plan = (await accountPlans(database, plans, [rule.account], now)).get(rule.account);
  if (!plan || (rule.digested_at ?? rule.created_at).getTime() >= due) return;
  const [digest] = await readDigests([watchlist], { to: due, tier: plan.tier }, parts);
  const items = changed(digest?.items ?? []);
  const data = { ruleId: rule.id, ruleName: rule.name, origin: parts.data, ...digest?.period, items };
  const firing: Firing = {
    ...{ rule, type: "watchlist.digest", mark: String(due), count: items.length, data },
    requiredTier: Math.max(0, ...items.map(({ series = "" }) => tierOf(series, parts.watched))),
  };
  await database.transaction().execute(async (transaction) => {
    // Only one process at a time sends digests. The update finds no row if the rule was deleted or paused in the meantime.
    await holdPosition(transaction);
    const { numAffectedRows = 0n } = await sql`
      update alert_rule set digested_at = ${new Date(due)} where id = ${rule.id} and paused_at is null
        and coalesce(digested_at, created_at) < ${new Date(due)}`.execute(transaction);
    if (numAffectedRows > 0n && items.length > 0) await queueFirings(transaction, [firing], parts);
  });
}

/** Returns the tier that an item requires. A search of tenders has no series, so the tier of the dataset applies. */
function tierOf(series: string, { series: known, tiers }: EvaluationParts["watched"]): number {
  return (series === "" ? tiers.get(globalTenders.name) : known.get(series)?.tier) ?? 0;
}

type DueRule = RuleRow & { readonly rank: number };

/** Returns the watchlists whose digest is due if it is daily. A weekly digest may be due only later. */
async function dueRules({ database }: EvaluationParts, now: number): Promise<readonly DueRule[]> {
  const { rows } = await sql<DueRule>`
    select *, ${rankInAccount} as rank
    from alert_rule where kind = 'watchlist' and paused_at is null
      and coalesce(digested_at, created_at) < ${new Date(lastDue(now, 1))}`.execute(database);
  return rows;
}

/** Returns the items that changed, the largest relative change first. */
function changed(items: readonly DigestItem[]): readonly DigestItem[] {
  const size = ({ change = 0, valueThen = 0 }: DigestItem) => Math.abs(change) / Math.max(1, Math.abs(valueThen));
  return items
    .filter(({ kind, change = 0, valueNow = 0 }) => (kind === "search" ? valueNow > 0 : change !== 0))
    .toSorted((a, b) => size(b) - size(a))
    .slice(0, maxItems);
}
