import { maxWebhooks } from "../domains/shipping/registry.ts";

const replaced = "current data of its source: each refresh replaces the rows or deletes those that are gone";

/** Tables whose rows need no deletion by age, each with the reason. */
export const boundedTables: Readonly<Record<string, string>> = {
  account: "one per customer, created by the operator",
  monitoring_account: "one per account",
  subscription: "one per purchase of an account",
  webhook: `at most ${maxWebhooks} per account, and the endpoints that its plan includes`,
  alert_rule: "as many per account as its plan includes",
  alert_position: "one",
  alert_point: "deleted by the next evaluation of points, within a minute",
  alert_level: "one per rule and key of its series",
  webhook_alert: "one per webhook and chokepoint",
  quota: "current windows: expired ones are deleted within five minutes",
  generation: "one per dataset",
  dataset: "one per dataset",
  source: "one per source of a dataset",
  source_response: "deleted with its read",
  host_rest: "one per host that rejects requests",
  operator_problem: "one per problem that lasts",
  backup_run: "one",
  series_key: "one per key of a series",
  series_basis: "one per methodology and set of sources",
  snapshot: "one per message type and part",
  migration: "one per migration",
  tender_detail: "deleted with its notice",
  tender_source: "one per source",
  tender_word: "one per word or name of all notices so far",
  metal_premium: "the newest per place: each refresh deletes older ones",
  metal_current: replaced,
  chokepoint_exposure: replaced,
  chokepoint_status: replaced,
  imported_product: replaced,
  military_base: replaced,
  resilience_input: replaced,
  supply_vulnerability: replaced,
  vulnerability_cohort: replaced,
  trade_collected_tariff: replaced,
  trade_coverage: replaced,
  trade_flow: replaced,
  trade_tariff: replaced,
};

/** Tables that keep growing until their first rows reach the maximum age, each with the reason. */
export const filledTables: Readonly<Record<string, string>> = {
  webhook_attempt: "deleted with its delivery, which has a limited number of attempts",
  billing_event: "30 days: each event deletes older ones",
  source_request: "30 days per source with a daily budget: the first request of a day deletes older ones",
  scenario_job: "a day after its end, checked every minute; the number of waiting jobs is limited",
  conflict_event: "retained forever, because any period may be requested: one per event",
  risk_history: "the days that are compared: each refresh deletes older ones",
  change_baseline: "400 days: each refresh that stores rows deletes older ones",
  resilience_history: "the days that are compared: each refresh deletes older ones",
};

export const boundedQueueTables: Readonly<Record<string, string>> = {
  job: "an hour to a week after its end, by kind: deleted by the queue's maintenance",
  job_dependency: "not used",
  queue: "one per kind of job",
  schedule: "one per schedule",
  subscription: "not used",
  version: "one",
  bam: "one per change of the queue's tables",
  queue_stats: "not stored",
  warning: "not stored",
};
