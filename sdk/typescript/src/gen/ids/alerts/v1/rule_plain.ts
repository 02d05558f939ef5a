// Written by `make generate`.
import type { Change } from "../../../ids/changes/v1/changes_plain.ts";
import type { SeriesCrossing, Trigger } from "../../../ids/alerts/v1/trigger_plain.ts";
/** The new rule. */
export interface CreateRuleResponse {
  /** The rule as it is stored. */
  rule?: Rule;
  /** Keys of the trigger that the series has no value of so far: it was never loaded, or counts events and had none. The rule reports once there is a value. Keys that the series does not cover are rejected. Empty for rules without a series. */
  unknownKeys: string[];
}

/** Rules of the account. */
export interface ListRulesResponse {
  /** Oldest first. */
  rules: Rule[];
}

/** The changed rule. */
export interface UpdateRuleResponse {
  /** The rule as it is stored. */
  rule?: Rule;
  /** Keys of the trigger that the series has no value of so far: it was never loaded, or counts events and had none. The rule reports once there is a value. Keys that the series does not cover are rejected. Empty for rules without a series. */
  unknownKeys: string[];
}

/** The paused rule. */
export interface PauseRuleResponse {
  /** The rule as it is stored. */
  rule?: Rule;
}

/** The resumed rule. */
export interface ResumeRuleResponse {
  /** The rule as it is stored. */
  rule?: Rule;
}

/** Empty response. */
export interface DeleteRuleResponse {
}

/** The queued deliveries. */
export interface TestRuleResponse {
  /** Ids of the deliveries, one for each endpoint. */
  deliveryIds: string[];
}

/** What the rule would have reported. */
export interface PreviewRuleResponse {
  /** Number of changes, or of crossings of the threshold, that it would have reported. */
  fired: number;
  /** Start of the time that was looked at, Unix epoch milliseconds. */
  since: number;
  /** False if not everything of that time was looked at, or if figures of the series are kept for less time. */
  complete: boolean;
  /** The first 5 changes. Empty for a series. */
  changes: Change[];
  /** The first 5 crossings. Empty for other rules. */
  crossings: SeriesCrossing[];
  /** Keys of the trigger that the series has no value of so far: it was never loaded, or counts events and had none. The rule reports once there is a value. Keys that the series does not cover are rejected. Empty for rules without a series. */
  unknownKeys: string[];
}

/** The new rule. */
export interface CreateRuleRequest {
  /** Display name, 1 to 100 characters in one line that are not all blank, without control and invisible characters. It is part of every report. */
  name: string;
  /** What the rule watches. */
  trigger: Trigger;
  /** Ids of the endpoints that it reports to, up to 50. Default: every endpoint of the account, later ones included. */
  endpointIds?: string[] | undefined;
}

/** What the rule becomes. */
export interface UpdateRuleRequest {
  /** Id of the rule. */
  ruleId: string;
  /** Display name, 1 to 100 characters in one line that are not all blank, without control and invisible characters. */
  name: string;
  /** What the rule watches. */
  trigger: Trigger;
  /** Ids of the endpoints that it reports to, up to 50. Default: every endpoint of the account. */
  endpointIds?: string[] | undefined;
}

/** Rule to pause. */
export interface PauseRuleRequest {
  /** Id of the rule. */
  ruleId: string;
}

/** Rule to resume. */
export interface ResumeRuleRequest {
  /** Id of the rule. */
  ruleId: string;
}

/** Rule to delete. */
export interface DeleteRuleRequest {
  /** Id of the rule. */
  ruleId: string;
}

/** Rule to test. */
export interface TestRuleRequest {
  /** Id of the rule. */
  ruleId: string;
}

/** Rule to try: its id, or what it would watch. */
export interface PreviewRuleRequest {
  /** Id of a rule of the account. */
  ruleId?: string | undefined;
  /** What a rule would watch. */
  trigger?: Trigger | undefined;
}

/** A stored rule. */
export interface Rule {
  /** `rule_` and 24 hexadecimal digits. */
  id: string;
  /** Display name. */
  name: string;
  /** What it watches. */
  trigger?: Trigger;
  /** Ids of the endpoints that it reports to. Empty: every endpoint of the account. */
  endpointIds: string[];
  /** True if the rule reports nothing until it is resumed. */
  paused: boolean;
  /** Creation time, Unix epoch milliseconds. */
  createdAt: number;
  /** Time of the last report, Unix epoch milliseconds. Absent if there was none. */
  lastFiredAt?: number;
  /** Number of changes or crossings that were reported. */
  fired: number;
  /** `no endpoints` if the rule was paused because the last of its endpoints was deleted: update it with others, then resume it. Otherwise empty. */
  pausedReason: "" | "no endpoints";
}

export interface GetPaths {
  /** Lists the account's rules, oldest first. */
  "/api/alerts/v1/list-rules": {
    query: Record<never, never>;
    answer: ListRulesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

export interface PostPaths {
  /** Creates a rule that reports matching changes to endpoints.
   *
   * A rule watches one of four things: changes of datasets, the level of a series, procurement notices, or the age of datasets. It reports what happens after its creation. 400 for names that do not exist and for a condition that is no JMESPath expression, 403 if the plan does not cover the data or their terms do not permit to pass them on, 404 if the account does not have an endpoint that is named, 409 if it already has as many rules as its plan includes. */
  "/api/alerts/v1/create-rule": { body: CreateRuleRequest; answer: CreateRuleResponse };
  /** Replaces what a rule watches, its name and its endpoints.
   *
   * Like a new rule it reports what happens from then on. Refused as CreateRule is. 404 if the account has no such rule. */
  "/api/alerts/v1/update-rule": { body: UpdateRuleRequest; answer: UpdateRuleResponse };
  /** Pauses a rule. What happens meanwhile is never reported. 404 if the account has no such rule. */
  "/api/alerts/v1/pause-rule": { body: PauseRuleRequest; answer: PauseRuleResponse };
  /** Resumes a paused rule. It reports what happens from then on. 404 if the account has no such rule. */
  "/api/alerts/v1/resume-rule": { body: ResumeRuleRequest; answer: ResumeRuleResponse };
  /** Deletes a rule. Deliveries that it has queued are still sent. 404 if the account has no such rule. */
  "/api/alerts/v1/delete-rule": { body: DeleteRuleRequest; answer: DeleteRuleResponse };
  /** Sends a `rule.test` event to the endpoints of a rule.
   *
   * At each it comes after all pending deliveries, the first of which is tried again at once. 404 if the account has no such rule, 409 if none of its endpoints is active. */
  "/api/alerts/v1/test-rule": { body: TestRuleRequest; answer: TestRuleResponse };
  /** Returns what a rule would have reported in the last 7 days.
   *
   * Nothing is stored or sent. Give the id of a rule, or what it would watch. A call looks at up to 20,000 changes of the datasets, oldest first; `complete` is false if there were more, or if the condition cost too much. Refused as CreateRule is. */
  "/api/alerts/v1/preview-rule": { body: PreviewRuleRequest; answer: PreviewRuleResponse };
}

