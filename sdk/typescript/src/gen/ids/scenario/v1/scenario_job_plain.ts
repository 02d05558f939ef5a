// Written by `make generate`.
import type { ScenarioId } from "../../../known.ts";
/** The queued job. */
export interface RunScenarioResponse {
  /** `scenario:`, 13 digits of Unix epoch milliseconds, `:` and 32 hexadecimal digits. */
  jobId: string;
  /** Always `pending`. */
  status: "pending";
  /** Relative URL of GetScenarioStatus for this job. Same as the `Location` header. */
  statusUrl: string;
}

/** Status of a job. */
export interface GetScenarioStatusResponse {
  /** `pending` until a worker starts it, `processing`, then `done` or `failed`. If the worker is lost, the job is started again. */
  status: "pending" | "processing" | "done" | "failed";
  /** Result. Absent until the job is done. */
  result?: ScenarioResult;
  /** `computation_error` if the computation failed three times. Otherwise empty. */
  error: "" | "computation_error";
}

/** Scenario to run, countries and severity. */
export interface RunScenarioRequest {
  /** Id of a template from ListScenarioTemplates. */
  scenarioId: ScenarioId;
  /** Single country to compute, in any form: code or English name. Default: all countries with stored exposures. For a single country, `impactPct` is 100 if its impact is at least 1. */
  iso2?: string | undefined;
  /** Percent of the traffic that is lost, 0 to 100. Default: the template's value. Rejected for a tariff, which blocks no traffic. */
  disruptionPct?: number | undefined;
}

/** Effects of a scenario by country. */
export interface ScenarioResult {
  /** Disrupted chokepoints. Empty for a tariff. */
  affectedChokepointIds: string[];
  /** Up to 20 countries with an impact, highest first, ties by code. If empty and `coverage` is complete, no country is affected. */
  topImpactCountries: CountryImpact[];
  /** Parameters used in the computation. */
  template?: ScenarioParameters;
  /** Id of the template. */
  scenarioId: string;
  /** The requested country. Empty for all countries. */
  scopedIso2: string;
  /** Computation time, ISO 8601 in UTC. */
  computedAt: string;
  /** How much of the requested exposure data was available. */
  coverage?: ScenarioCoverage;
  /** Status of the disrupted chokepoints at computation time, for comparison. Not used in the impact. */
  currentDisruptionScores: CurrentDisruption[];
  /** Assumptions of the impacts, which are the result of a model, not a forecast. */
  assumptions?: ScenarioAssumptions;
}

/** Impact on one country. */
export interface CountryImpact {
  /** ISO 3166-1 alpha-2 country code, or `XK`. */
  iso2: string;
  /** `transit_exposure` times `factor` of the assumptions, four decimals. Has no unit; compare only within one scenario. */
  totalImpact: number;
  /** Percent of the impact on the most affected country, or of 1 if that is less, 0 to 100. */
  impactPct: number;
  /** Number of this country's chapters with a stored exposure. */
  evaluatedRecords: number;
  /** Number of chapters that the scenario requires. */
  requestedRecords: number;
  /** True if an exposure is missing for any chapter. The impact is then understated. */
  partialEvidence: boolean;
  /** Sum of the measure over chapters and affected chokepoints, 100 for a chapter that passes one of them whole. Four decimals. */
  transitExposure: number;
}

/** Parameters of a result. */
export interface ScenarioParameters {
  /** The disrupted chokepoints joined by `+`, or `tariff_shock`. */
  name: string;
  /** Percent of the traffic that is lost: the requested value, or the template's. */
  disruptionPct: number;
  /** Assumed duration in days. Not used in the computation. */
  durationDays: number;
  /** Cost multiplier for the remaining traffic. */
  costShockMultiplier: number;
}

/** How much of the exposure data required by a scenario was available. A record is the exposure of one country and chapter. */
export interface ScenarioCoverage {
  /** `complete`: all records were available. `partial`: some records were missing, or the time limit was reached. `unknown`: no records were available; an empty result is then not a finding. */
  status: "complete" | "partial" | "unknown";
  /** Number of countries to compute. */
  countries: number;
  /** Chapters of the Harmonized System to compute. */
  hs2Codes: string[];
  /** Number of required records: countries times chapters. */
  requestedRecords: number;
  /** Number of records used in the result. */
  evaluatedRecords: number;
  /** Number of used records that are based on the country's imports. The others are based on its trade routes only. */
  flowWeightedRecords: number;
  /** True if the time limit ended the computation. Countries not reached are missing. */
  timeLimitReached: boolean;
  /** Computation time of the oldest record used, ISO 8601 in UTC. Empty if no record was used. */
  exposuresComputedAt: string;
}

/** Status of one chokepoint. */
export interface CurrentDisruption {
  /** Canonical chokepoint id, such as `hormuz_strait`. */
  chokepointId: string;
  /** Disruption score, 0 to 100. Absent if unknown. */
  score?: number;
}

/** Assumptions of a scenario. They are the same for every country and chapter; `template` has the constants. */
export interface ScenarioAssumptions {
  /** Measure of dependence that is multiplied: `exposure_score` of GetCountryChokepointIndex, or `vulnerability_index` for a tariff. Both are modeled from imports and trade routes. */
  measure: "exposure_score" | "vulnerability_index";
  /** Number that each measure is multiplied by: `disruption_pct` / 100 × `cost_shock_multiplier`, or the multiplier only for a tariff. */
  factor: number;
  /** Share of the lost traffic that bypasses carry, 0 to 1. Always 0: bypasses are not modeled. */
  bypassCargoShare: number;
}

export interface GetPaths {
  /** Returns the status and result of a scenario job.
   *
   * The result is kept for 24 hours after the job ends. A job that is unknown, older or owned by another account returns 404. The impact on a country is the sum, over the watched chapters of goods and the affected chokepoints, of exposure score × disruption × cost multiplier. For a tariff, it is vulnerability index × cost multiplier. Exposure is defined in GetCountryChokepointIndex. The impact is a relative measure, not an amount of money, and does not depend on the duration. It is the result of a model, not a forecast: `assumptions` contains what it assumes. */
  "/api/scenario/v1/get-scenario-status": {
    query: {
      /** `jobId` from the RunScenario response. */
      job_id: string;
    };
    answer: GetScenarioStatusResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "result.topImpactCountries" | "result.currentDisruptionScores" | "response" | undefined; raw?: boolean | undefined };
  };
}

export interface PostPaths {
  /** Queues a scenario computation and returns its status URL.
   *
   * The `Location` header equals `statusUrl` of the body. By default, an account can have 5 unfinished jobs and 100 jobs can be queued in total; the operator can change both limits. Beyond a limit, the operation returns 429 with `Retry-After`. 502 means that the job could not be queued; nothing was started. With an `Idempotency-Key`, a repeated request returns the first job. Poll the status after one second, then at doubling intervals of at most ten seconds. */
  "/api/scenario/v1/run-scenario": { body: RunScenarioRequest; answer: RunScenarioResponse };
}

