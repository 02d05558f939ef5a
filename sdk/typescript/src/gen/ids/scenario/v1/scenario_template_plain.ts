// Written by `make generate`.
/** The scenarios that can be run. */
export interface ListScenarioTemplatesResponse {
  /** Templates in a fixed order. */
  templates: ScenarioTemplate[];
}

/** A scenario: disruption, extent and cost. Templates are editorial assumptions, not forecasts. */
export interface ScenarioTemplate {
  /** Scenario id for RunScenario. */
  id: string;
  /** Display name. */
  name: string;
  /** Disrupted chokepoints, such as `suez`. Empty for a tariff. */
  affectedChokepointIds: string[];
  /** Percent of the traffic that is lost. 0 for a tariff. */
  disruptionPct: number;
  /** Assumed duration in days. For information only; not used in the impact. */
  durationDays: number;
  /** Affected chapters of the Harmonized System, two digits each. Empty means all watched chapters. */
  affectedHs2: string[];
  /** Cost multiplier for the remaining traffic. */
  costShockMultiplier: number;
  /** One-sentence description of the assumed events. */
  description: string;
  /** Type of cause: `conflict`, `weather`, `sanctions`, `tariff_shock`, `infrastructure` or `pandemic`. */
  type: "conflict" | "weather" | "sanctions" | "tariff_shock" | "infrastructure" | "pandemic";
}

export interface GetPaths {
  /** Lists the scenarios that can be run. */
  "/api/scenario/v1/list-scenario-templates": {
    query: Record<never, never>;
    answer: ListScenarioTemplatesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

