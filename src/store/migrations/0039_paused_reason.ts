import { type Kysely, sql } from "kysely";

/** Why a rule was paused, where nobody asked for it. Ids of endpoints that are gone leave the rules that had others beside them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table alert_rule add column paused_reason text collate "C"`.execute(db);
  await sql`
    update alert_rule set endpoints = there.endpoints, paused_at = case when cardinality(there.endpoints) = 0 then coalesce(paused_at, now()) else paused_at end,
      paused_reason = case when cardinality(there.endpoints) = 0 then 'no endpoints' end
    from (
      select rule.id, array(
        select endpoint from unnest(rule.endpoints) with ordinality as named (endpoint, place)
        where exists (select from webhook where webhook.id = endpoint) order by place) as endpoints
      from alert_rule rule where cardinality(rule.endpoints) > 0
    ) as there
    where there.id = alert_rule.id and there.endpoints <> alert_rule.endpoints`.execute(db);
}
