import { maxWebhooks } from "../domains/shipping/registry.ts";

const replaced = "what its source lists or covers now: each refresh replaces it or takes away what is gone";

/** Why no hourly job needs to end rows of these tables. */
export const boundedTables: Readonly<Record<string, string>> = {
  account: "one a customer, made by the operator",
  monitoring_account: "one an account",
  subscription: "one a purchase of an account",
  webhook: `at most ${maxWebhooks} an account, and as many endpoints as its plan includes`,
  alert_rule: "as many an account as its plan includes",
  alert_position: "one",
  alert_point: "taken away by the next look at new points, at most a minute later",
  alert_level: "one a rule and key of its series",
  webhook_alert: "one a webhook and chokepoint",
  quota: "running windows: those that ended go within five minutes",
  generation: "one a dataset",
  dataset: "one a dataset",
  source: "one a source of a dataset",
  host_rest: "one a host that refuses",
  series_key: "one a key of a series",
  series_basis: "one a methodology and set of sources",
  snapshot: "one a message type and part",
  migration: "one a migration",
  tender_detail: "goes with its notice",
  tender_source: "one a source",
  tender_word: "one a word or name that was ever in a notice",
  metal_premium: "the newest of each place: each refresh takes away those before",
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

/** The same of tables that fill for as long as a row is kept, and then stand still. */
export const filledTables: Readonly<Record<string, string>> = {
  webhook_attempt: "goes with its delivery, which has a bounded number of attempts",
  billing_event: "30 days: each event takes away those before",
  source_request: "30 days of each source with a daily budget: the first request of a day takes away those before",
  scenario_job: "a day after it ended: looked at every minute; those that wait are limited",
  conflict_event: "kept for good, because any span may be asked for: one an event of the world",
  risk_history: "the days that are compared: each refresh takes away those before",
  change_baseline: "400 days: each refresh that stores some takes away those before",
  resilience_history: "the days that are compared: each refresh takes away those before",
};

/** The same of the job queue's own schema. */
export const boundedQueueTables: Readonly<Record<string, string>> = {
  job: "an hour to a week after its end, by kind: the queue's own maintenance",
  job_dependency: "not used",
  queue: "one a kind of job",
  schedule: "one a schedule",
  subscription: "not used",
  version: "one",
  bam: "one a change of the queue's tables",
  queue_stats: "not kept",
  warning: "not kept",
};
