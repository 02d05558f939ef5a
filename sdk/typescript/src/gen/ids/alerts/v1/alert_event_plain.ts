// Written by `make generate`.
import type { Change } from "../../../ids/changes/v1/changes_plain.ts";
import type { SeriesCrossing } from "../../../ids/alerts/v1/trigger_plain.ts";
/** Changes that a rule reports. */
export interface ChangeEvent {
  /** `change.matched`: rows of datasets. `tender.matched`: procurement notices. `dataset.stale`: a dataset passed its age. `dataset.degraded`: its rows lost inputs. `dataset.recovered`: it was read again, or its inputs are back. */
  type: "change.matched" | "tender.matched" | "dataset.stale" | "dataset.degraded" | "dataset.recovered";
  /** Time of the event, ISO 8601 in UTC. */
  timestamp: string;
  /** The rule and the changes. */
  data: ChangeEventData;
}

/** Figures that crossed the threshold of a rule. */
export interface SeriesEvent {
  /** `series.crossed`: figures stand beyond the threshold. `series.recovered`: they are back by the hysteresis. */
  type: "series.crossed" | "series.recovered";
  /** Time of the event, ISO 8601 in UTC. */
  timestamp: string;
  /** The rule and the figures. */
  data: SeriesEventData;
}

/** What concerns rules and endpoints themselves. */
export interface NoticeEvent {
  /** `rule.test`: sent by TestRule. `endpoint.disabled`: another endpoint of the account, or one of its shipping webhooks, was disabled. */
  type: "rule.test" | "endpoint.disabled";
  /** Time of the event, ISO 8601 in UTC. */
  timestamp: string;
  /** The rule or the endpoint. */
  data: NoticeEventData;
}

/** The rule and the changes that it reports. */
export interface ChangeEventData {
  /** Id of the rule. */
  ruleId: string;
  /** Name of the rule. */
  ruleName: string;
  /** `live`, or `sample` for invented data. */
  origin: "live" | "sample";
  /** Changes in the order in which they became visible: 1 to 50. */
  changes: Change[];
}

/** The rule and the figures that it reports. */
export interface SeriesEventData {
  /** Id of the rule. */
  ruleId: string;
  /** Name of the rule. */
  ruleName: string;
  /** `live`, or `sample` for invented data. */
  origin: "live" | "sample";
  /** Threshold of the rule. */
  threshold: number;
  /** Direction of the rule: `above` or `below`. */
  direction: "above" | "below";
  /** The figures: 1 to 50. */
  crossings: SeriesCrossing[];
}

/** The rule or the endpoint that a notice is about. */
export interface NoticeEventData {
  /** `rule_…`, `ep_…`, or `wh_…` for a shipping webhook. */
  id: string;
  /** Its name. Empty for a shipping webhook. */
  name: string;
  /** Why the endpoint was disabled: `gone` or `exhausted`. Empty in a test. */
  reason: string;
}

