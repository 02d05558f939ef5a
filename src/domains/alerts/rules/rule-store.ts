import { fromJson, type JsonValue, toJsonString } from "@bufbuild/protobuf";
import { sql, type Updateable } from "kysely";
import { type Trigger, TriggerSchema } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import type { Plan } from "../../../access/plans.ts";
import { Conflict, NotFound } from "../../../errors.ts";
import { logExtent } from "../../../store/changes/change-log.ts";
import { raiseGeneration } from "../../../store/served/generations.ts";
import type { Store, Transaction } from "../../../store/tables.ts";
import type { AlertTables, RuleRow } from "../alert-table.ts";
import { dropEndpoint } from "../endpoints/endpoint-store.ts";
import { kindOf } from "./rule-trigger.ts";

/** The name of a number that each change of a rule increases, so that every process reads the rules again. */
export const rulesGeneration = "alert-rules";

/** Number of older rules of the account. Rules beyond the number that the plan includes are not evaluated. */
export const rankInAccount = sql<number>`(select count(*)::int4 from alert_rule as older
  where older.account = alert_rule.account and (older.created_at, older.id) < (alert_rule.created_at, alert_rule.id))`;

export interface RuleWish {
  readonly name: string;
  readonly trigger: Trigger;
  readonly endpointIds: readonly string[];
}

export function triggerOf({ trigger }: { readonly trigger: JsonValue }): Trigger {
  return fromJson(TriggerSchema, trigger, { ignoreUnknownFields: true });
}

/** Returns the rules of an account, oldest first, and at most `max` of them. */
export function rulesOf(database: Store, account: string, max?: number): Promise<RuleRow[]> {
  const rules = ownRules(database, account).selectAll().orderBy("created_at").orderBy("id");
  return (max === undefined ? rules : rules.limit(max)).execute();
}

/** Returns a rule. Throws `NotFound` if the account does not have the rule. */
export async function ruleOf(database: Store, account: string, id: string): Promise<RuleRow> {
  return found(await ownRules(database, account).selectAll().where("id", "=", id).executeTakeFirst());
}

export async function countRules(database: Store, account: string): Promise<number> {
  const { rules } = await ownRules(database, account)
    .select(({ fn }) => fn.countAll<string>().as("rules"))
    .executeTakeFirstOrThrow();
  return Number(rules);
}

/** Stores a rule. Throws `Conflict` if the account already has as many rules as its plan includes. */
export function addRule(
  database: Store,
  { id, account, plan: { rules: max } }: { readonly id: string; readonly account: string; readonly plan: Plan },
  wish: RuleWish,
  now: Date,
): Promise<RuleRow> {
  return changing(database, async (transaction) => {
    // The account is locked, so that two concurrent requests cannot exceed the limit.
    await transaction.selectFrom("account").select("id").where("id", "=", account).forUpdate().execute();
    if (max !== undefined && (await countRules(transaction, account)) >= max)
      throw new Conflict(`The plan includes ${max} rule${max === 1 ? "" : "s"}: delete one first`);
    return transaction
      .withTables<AlertTables>()
      .insertInto("alert_rule")
      .values({ id, account, ...(await valuesOf(transaction, wish)), created_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Replaces a rule and deletes its levels, which may be of other values. Throws `NotFound` without the rule. */
export function replaceRule(database: Store, account: string, id: string, wish: RuleWish): Promise<RuleRow> {
  return changing(database, async (transaction) => {
    await transaction.withTables<AlertTables>().deleteFrom("alert_level").where("rule", "=", id).execute();
    return setRule(transaction, account, id, { ...(await valuesOf(transaction, wish)), paused_reason: null });
  });
}

/**
 * Pauses or resumes a rule. A resumed rule ignores earlier changes. Throws `NotFound` if there is no such rule, and
 * `Conflict` if all endpoints of a rule to resume were deleted.
 */
export function pauseRule(database: Store, account: string, id: string, pausedAt: Date | null): Promise<RuleRow> {
  return changing(database, async (transaction) => {
    const { paused_reason: reason } = await ruleOf(transaction, account, id);
    // A rule without endpoints cannot be resumed, because an empty list would mean all endpoints of the account.
    if (reason !== null && pausedAt === null)
      throw new Conflict("The endpoints of the rule were deleted: name others with UpdateRule first");
    const { newest } = await logExtent(transaction);
    return setRule(transaction, account, id, { paused_at: pausedAt, after_position: newest });
  });
}

/** Deletes a rule. Throws `NotFound` if the account does not have the rule. */
export function dropRule(database: Store, account: string, id: string): Promise<void> {
  return changing(database, async (transaction) => {
    const row = await transaction
      .withTables<AlertTables>()
      .deleteFrom("alert_rule")
      .where("account", "=", account)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    found(row);
  });
}

/** Deletes an endpoint. A rule that has no other endpoint is paused. Throws `NotFound` if there is none with the ID. */
export function dropRuleEndpoint(database: Store, account: string, endpoint: string, now: Date): Promise<void> {
  return changing(database, async (transaction) => {
    await dropEndpoint(transaction, account, endpoint);
    await sql`
      update alert_rule set endpoints = array_remove(endpoints, ${endpoint}),
        paused_at = case when endpoints = array[${endpoint}] then coalesce(paused_at, ${now}) else paused_at end,
        paused_reason = case when endpoints = array[${endpoint}] then 'no endpoints' else paused_reason end
      where account = ${account} and ${endpoint} = any(endpoints)`.execute(transaction);
  });
}

/** Raises the version of the rules before the work. Evaluations also lock it before rules, so no deadlock occurs. */
function changing<T>(database: Store, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return database.transaction().execute(async (transaction) => {
    await raiseGeneration(transaction, rulesGeneration);
    return work(transaction);
  });
}

async function valuesOf(transaction: Transaction, { name, trigger, endpointIds }: RuleWish) {
  const { newest } = await logExtent(transaction);
  return {
    name,
    kind: kindOf(trigger),
    trigger: toJsonString(TriggerSchema, trigger),
    series: trigger.series?.series ?? null,
    endpoints: [...endpointIds],
    after_position: newest,
  };
}

function ownRules(database: Store, account: string) {
  return database.withTables<AlertTables>().selectFrom("alert_rule").where("account", "=", account);
}

async function setRule(
  transaction: Transaction,
  account: string,
  id: string,
  values: Updateable<AlertTables["alert_rule"]>,
): Promise<RuleRow> {
  const row = await transaction
    .withTables<AlertTables>()
    .updateTable("alert_rule")
    .set(values)
    .where("account", "=", account)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return found(row);
}

function found(row: RuleRow | undefined): RuleRow {
  if (!row) throw new NotFound("Rule not found");
  return row;
}

export async function areRules(database: Store): Promise<boolean> {
  const { rows } = await sql`select from alert_rule where paused_at is null limit 1`.execute(database);
  return rows.length > 0;
}
