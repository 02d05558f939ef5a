// Written by `make generate`.
import type { ChokepointId } from "../../../known.ts";
/** Cost of the closure by sector. */
export interface GetMultiSectorCostShockResponse {
  /** The requested country. */
  iso2: string;
  /** The requested chokepoint. */
  chokepointId: string;
  /** Duration of the closure in days, as used in the computation. */
  closureDays: number;
  /** War-risk tier of the chokepoint. */
  warRiskTier: WarRiskTier;
  /** Ten sectors, highest cost per day first. */
  sectors: SectorCostShock[];
  /** Sum of the sectors' `total_cost_shock`, in US dollars. */
  totalAddedCost: number;
  /** Computation time, ISO 8601 in UTC. */
  fetchedAt: string;
  /** Reason why every cost is 0. Empty if imports are on record; a 0 is then a measured zero. */
  unavailableReason: string;
  /** True if no imports of any country could be read yet, or those used are more than 45 days old. */
  upstreamUnavailable: boolean;
  /** Assumptions of the costs, which are the result of a model, not a forecast. */
  assumptions: CostShockAssumptions;
}

/** War-risk tier of a chokepoint, from a manually maintained table. */
export type WarRiskTier = "WAR_RISK_TIER_UNSPECIFIED" | "WAR_RISK_TIER_NORMAL" | "WAR_RISK_TIER_ELEVATED" | "WAR_RISK_TIER_HIGH" | "WAR_RISK_TIER_CRITICAL" | "WAR_RISK_TIER_WAR_ZONE";

/** A sector: one chapter of the Harmonized System. */
export interface SectorCostShock {
  /** Chapter of the Harmonized System, two digits. */
  hs2: string;
  /** Label of the chapter. */
  hs2Label: string;
  /** Annual imports of the chapter's watched headings, whole US dollars. */
  importValueAnnual: number;
  /** Freight surcharge of the best bypass, as a fraction of the cargo value: 0.05 is 5%. Four decimals. 0 if there is no bypass. */
  freightAddedPctPerTon: number;
  /** War-risk premium on the cargo value, in basis points. */
  warRiskPremiumBps: number;
  /** Additional transit days of the best bypass. */
  addedTransitDays: number;
  /** Cost per day, whole US dollars. Each total is rounded separately. */
  totalCostShockPerDay: number;
  /** Cost of 30 days, whole US dollars. */
  totalCostShock30Days: number;
  /** Cost of 90 days, whole US dollars. */
  totalCostShock90Days: number;
  /** Cost of the whole closure, whole US dollars. */
  totalCostShock: number;
  /** Duration of the closure in days, as used in the computation. */
  closureDays: number;
}

/** Assumptions of a cost shock. They are the same for every sector and country. */
export interface CostShockAssumptions {
  /** Share of the country's imports that passes the chokepoint, 0 to 1. Always 1: the country's modeled exposure (GetCountryChokepointIndex) is not used. */
  transitShare: number;
  /** Id of the bypass whose surcharge and days are used: the quickest one for any kind of cargo. Empty if there is none. */
  bypassId: string;
  /** Share of the cargo that the bypass carries, 0 to 1: 1 with a bypass, whatever its capacity and kind of cargo. Otherwise 0. */
  bypassCargoShare: number;
  /** Freight surcharge of the bypass, as a fraction of the cargo value: 0.1 is 10%. An editorial constant of the bypass. */
  freightAdded: number;
  /** War-risk premium on the cargo value, in basis points. An editorial constant of the `war_risk_tier`. */
  warRiskPremiumBps: number;
}

export interface GetPaths {
  /** Returns the added import cost by sector if a chokepoint closes.
   *
   * The cost per day is the sector's annual imports times the sum of the best bypass's surcharge and the war-risk premium, divided by 365. The result is a model, not a forecast: it assumes that all imports pass the chokepoint, that the best bypass carries all cargo, and the same surcharge and premium for every sector. `assumptions` contains the values used. */
  "/api/supply-chain/v1/get-multi-sector-cost-shock": {
    query: {
      /** Importing country in any form: code or English name. */
      iso2: string;
      /** Canonical id of the chokepoint, case-insensitive. */
      chokepoint_id: ChokepointId;
      /** Duration of the closure in days. Clamped to 1–365. Default 30. */
      closure_days?: number | undefined;
    };
    answer: GetMultiSectorCostShockResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

