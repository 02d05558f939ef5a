import { type Kysely, sql, type Transaction } from "kysely";
import { ConfigurationError } from "../errors.ts";
import type { Database } from "./database.ts";
import * as store from "./migrations/0001_store.ts";
import * as conflictEvent from "./migrations/0002_conflict_event.ts";
import * as militaryBase from "./migrations/0003_military_base.ts";
import * as account from "./migrations/0004_account.ts";
import * as billing from "./migrations/0005_billing.ts";
import * as quota from "./migrations/0006_quota.ts";
import * as usage from "./migrations/0007_usage.ts";
import * as sourceAskedAt from "./migrations/0008_source_asked_at.ts";
import * as tender from "./migrations/0009_tender.ts";
import * as trade from "./migrations/0010_trade.ts";
import * as metalPremium from "./migrations/0011_metal_premium.ts";
import * as companyMonitoring from "./migrations/0012_company_monitoring.ts";
import * as riskHistory from "./migrations/0013_risk_history.ts";
import * as tenderRangeKeys from "./migrations/0014_tender_range_keys.ts";
import * as supplyChain from "./migrations/0015_supply_chain.ts";
import * as shippingWebhook from "./migrations/0016_shipping_webhook.ts";
import * as scenarioJob from "./migrations/0017_scenario_job.ts";
import * as supplyVulnerability from "./migrations/0018_supply_vulnerability.ts";
import * as resilience from "./migrations/0019_resilience.ts";
import * as tenderPartitions from "./migrations/0020_tender_partitions.ts";
import * as keyRights from "./migrations/0021_key_rights.ts";
import * as monitoringOrigin from "./migrations/0022_monitoring_origin.ts";
import * as sourceFailure from "./migrations/0023_source_failure.ts";
import * as tenderTerms from "./migrations/0024_tender_terms.ts";
import * as sourceCoverage from "./migrations/0025_source_coverage.ts";
import * as sourceShape from "./migrations/0026_source_shape.ts";
import * as sourceRequest from "./migrations/0027_source_request.ts";
import * as hostRest from "./migrations/0028_host_rest.ts";
import * as retention from "./migrations/0029_retention.ts";
import * as feedUrl from "./migrations/0030_feed_url.ts";
import * as history from "./migrations/0031_history.ts";
import * as series from "./migrations/0032_series.ts";
import * as change from "./migrations/0033_change.ts";
import * as seriesReferences from "./migrations/0034_series_references.ts";
import * as alerts from "./migrations/0035_alerts.ts";
import * as heldGeneration from "./migrations/0036_held_generation.ts";
import * as consoleSession from "./migrations/0037_console_session.ts";
import * as storedAt from "./migrations/0038_stored_at.ts";
import * as pausedReason from "./migrations/0039_paused_reason.ts";
import * as requestLog from "./migrations/0040_request_log.ts";
import * as stateDay from "./migrations/0041_state_day.ts";
import * as filledPoint from "./migrations/0042_filled_point.ts";
import * as claimedCall from "./migrations/0043_claimed_call.ts";
import * as changeMoment from "./migrations/0044_change_moment.ts";
import * as sharedEvidence from "./migrations/0045_shared_evidence.ts";
import * as coveringSeries from "./migrations/0046_covering_series.ts";
import * as foldedTenders from "./migrations/0047_folded_tenders.ts";
import * as changeBaseline from "./migrations/0048_change_baseline.ts";
import { migrateQueue } from "./queue-schema.ts";
import type { StoreTables } from "./tables.ts";

interface Migration {
  readonly name: string;
  /** Additive: programs without it go on, and start, on a store that has it. The rule; a breaking one takes two releases. */
  readonly compatible?: true;
  // A method, so that migrations need not know today's tables: parameters of methods are compared loosely.
  up(transaction: Kysely<StoreTables>): Promise<void>;
}

// Applied in this order, each once; a migration that was released is never changed.
const migrations: readonly Migration[] = [
  { name: "0001_store", up: store.up },
  { name: "0002_conflict_event", up: conflictEvent.up },
  { name: "0003_military_base", up: militaryBase.up },
  { name: "0004_account", up: account.up },
  { name: "0005_billing", up: billing.up },
  { name: "0006_quota", up: quota.up },
  { name: "0007_usage", up: usage.up },
  { name: "0008_source_asked_at", up: sourceAskedAt.up },
  { name: "0009_tender", up: tender.up },
  { name: "0010_trade", up: trade.up },
  { name: "0011_metal_premium", up: metalPremium.up },
  { name: "0012_company_monitoring", up: companyMonitoring.up },
  { name: "0013_risk_history", up: riskHistory.up },
  { name: "0014_tender_range_keys", up: tenderRangeKeys.up },
  { name: "0015_supply_chain", up: supplyChain.up },
  { name: "0016_shipping_webhook", up: shippingWebhook.up },
  { name: "0017_scenario_job", up: scenarioJob.up },
  { name: "0018_supply_vulnerability", up: supplyVulnerability.up },
  { name: "0019_resilience", up: resilience.up },
  { name: "0020_tender_partitions", up: tenderPartitions.up },
  { name: "0021_key_rights", up: keyRights.up, compatible: true },
  { name: "0022_monitoring_origin", up: monitoringOrigin.up, compatible: true },
  { name: "0023_source_failure", up: sourceFailure.up, compatible: true },
  { name: "0024_tender_terms", up: tenderTerms.up },
  { name: "0025_source_coverage", up: sourceCoverage.up, compatible: true },
  { name: "0026_source_shape", up: sourceShape.up, compatible: true },
  { name: "0027_source_request", up: sourceRequest.up, compatible: true },
  { name: "0028_host_rest", up: hostRest.up, compatible: true },
  { name: "0029_retention", up: retention.up, compatible: true },
  { name: "0030_feed_url", up: feedUrl.up, compatible: true },
  { name: "0031_history", up: history.up, compatible: true },
  { name: "0032_series", up: series.up, compatible: true },
  { name: "0033_change", up: change.up, compatible: true },
  { name: "0034_series_references", up: seriesReferences.up, compatible: true },
  { name: "0035_alerts", up: alerts.up, compatible: true },
  { name: "0036_held_generation", up: heldGeneration.up, compatible: true },
  { name: "0037_console_session", up: consoleSession.up, compatible: true },
  { name: "0038_stored_at", up: storedAt.up, compatible: true },
  { name: "0039_paused_reason", up: pausedReason.up, compatible: true },
  { name: "0040_request_log", up: requestLog.up, compatible: true },
  { name: "0041_state_day", up: stateDay.up, compatible: true },
  { name: "0042_filled_point", up: filledPoint.up, compatible: true },
  { name: "0043_claimed_call", up: claimedCall.up, compatible: true },
  { name: "0044_change_moment", up: changeMoment.up, compatible: true },
  { name: "0045_shared_evidence", compatible: true, up: sharedEvidence.up },
  { name: "0046_covering_series", compatible: true, up: coveringSeries.up },
  { name: "0047_folded_tenders", compatible: true, up: foldedTenders.up },
  { name: "0048_change_baseline", compatible: true, up: changeBaseline.up },
];

// Any number, as long as no other program locks it in the same database.
const lock = 4_815_162_342n;

/** The names of the migrations that this program knows, in order. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name);

/** Brings the tables and the job queue's to what this code needs; safe to run from several processes at once. */
export async function migrate(database: Database, now: () => Date): Promise<void> {
  // One transaction a migration.
  while (await database.kysely.transaction().execute((transaction) => applyNext(transaction, now())));
  await migrateQueue(database);
}

/** Makes the tables as they were when a store had these migrations, without a row. */
export async function makeTables(transaction: Transaction<StoreTables>, names: readonly string[]): Promise<void> {
  await provideMigrationTable(transaction);
  for (const { name, up } of migrations) if (names.includes(name)) await up(transaction);
}

/** Only one process at a time changes tables; until the transaction ends. */
export async function lockTables(transaction: Transaction<StoreTables>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${lock})`.execute(transaction);
}

async function provideMigrationTable(transaction: Transaction<StoreTables>): Promise<void> {
  await sql`create table if not exists migration (name text primary key, applied_at timestamptz not null)`.execute(
    transaction,
  );
  await sql`alter table migration add column if not exists compatible bool not null default false`.execute(transaction);
}

/** Applies the first migration that is missing; false when there is none. */
export async function applyNext(transaction: Transaction<StoreTables>, now: Date): Promise<boolean> {
  await lockTables(transaction);
  await provideMigrationTable(transaction);
  const rows = await transaction.selectFrom("migration").select(["name", "compatible"]).execute();
  const applied = new Set(rows.map(({ name }) => name));
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = rows.flatMap(({ name, compatible }) => (known.has(name) || compatible ? [] : [name]));
  if (unknown.length > 0)
    throw new ConfigurationError(
      `The database is newer than this program: it has ${unknown.join(", ")}, which older programs cannot run on. Update the program`,
    );
  const next = migrations.find(({ name }) => !applied.has(name));
  if (next === undefined) return false;
  await next.up(transaction);
  const { name, compatible = false } = next;
  await transaction.insertInto("migration").values({ name, compatible, applied_at: now }).execute();
  return true;
}
