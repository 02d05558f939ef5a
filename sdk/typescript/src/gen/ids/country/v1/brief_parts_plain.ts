// Written by `make generate`.
import type { CiiScore } from "../../../ids/intelligence/v1/risk_plain.ts";
import type { InternetOutage } from "../../../ids/infrastructure/v1/infrastructure_plain.ts";
import type { ChokepointExposure } from "../../../ids/supply_chain/v1/chokepoint_index_plain.ts";
import type { CountryExternal, CountryGrowth, CountryLabor, CountryPrices } from "../../../ids/economic/v1/country_macro_plain.ts";
import type { TariffDatapoint, TradeFlow } from "../../../ids/trade/v1/trade_plain.ts";
import type { ArmsSupplier, DefenseIndicator } from "../../../ids/military/v1/defense_industrial_base_plain.ts";
/** Instability. */
export interface RiskPart {
  /** State of this part. */
  state: PartState;
  /** Score of the country. Absent unless the part is available. */
  score?: CiiScore;
  /** Inputs that count as 0 because data is missing, as in GetRiskScores. */
  missingInputs: string[];
}

/** Resilience. */
export interface ResiliencePart {
  /** State of this part. */
  state: PartState;
  /** 0 to 100, two decimals. Higher means more resilient. Absent unless the part is available. */
  overallScore?: number;
  /** `high`, `medium` or `low`. Empty unless the part is available. */
  level: string;
  /** Direction over the last 30 days: `rising`, `stable` or `falling`. Empty unless the part is available. */
  trend: string;
  /** Change against the oldest score of the last 30 days. Absent if no earlier day is known. */
  change30d?: number;
  /** True if little is known about the country. */
  lowConfidence: boolean;
  /** Scores of the domains. */
  domains: PartScore[];
  /** Scores of the pillars. Empty if the service has pillars switched off. */
  pillars: PartScore[];
}

/** Internet outages of the last 30 days. */
export interface OutagesPart {
  /** State of this part. */
  state: PartState;
  /** Number of outages detected. Absent unless the part is available. */
  outages?: number;
  /** Those that have not ended. Absent unless the part is available. */
  ongoing?: number;
  /** The most recent outages, at most five, newest first. */
  latest: InternetOutage[];
}

/** Exposure of energy imports to chokepoints. */
export interface ChokepointsPart {
  /** State of this part. */
  state: PartState;
  /** Weighted sum of the three highest scores, 0 to 100. Absent unless the part is available. */
  vulnerabilityIndex?: number;
  /** The most exposed chokepoints, at most five, highest score first. */
  exposures: ChokepointExposure[];
}

/** Commodities whose supply is most vulnerable. */
export interface VulnerabilitiesPart {
  /** State of this part. */
  state: PartState;
  /** Commodities with a score, at most five, highest score first. */
  commodities: VulnerableCommodity[];
}

/** Macroeconomic figures. A subject without figures for the country is absent. */
export interface MacroPart {
  /** State of this part. */
  state: PartState;
  /** Prices, government finance and the current account. */
  prices?: CountryPrices;
  /** Output, saving and investment. */
  growth?: CountryGrowth;
  /** Employment and population. */
  labor?: CountryLabor;
  /** Trade and the current account in US dollars. */
  external?: CountryExternal;
}

/** Merchandise trade. */
export interface TradePart {
  /** State of this part. */
  state: PartState;
  /** Most recent year on record. Absent unless the part is available. */
  flow?: TradeFlow;
}

/** Tariffs. */
export interface TariffsPart {
  /** State of this part. */
  state: PartState;
  /** Most recent year on record. Absent unless the part is available. */
  tariff?: TariffDatapoint;
}

/** Military spending, personnel and arms suppliers. */
export interface DefensePart {
  /** State of this part. */
  state: PartState;
  /** Military expenditure, percent of GDP. */
  expenditurePctGdp?: DefenseIndicator;
  /** Military expenditure, current US dollars. */
  expenditureUsd?: DefenseIndicator;
  /** Number of armed forces personnel. */
  personnel?: DefenseIndicator;
  /** Supplier countries of arms imports, at most five, largest share first. Empty if suppliers are unknown. */
  suppliers: ArmsSupplier[];
}

/** Military bases in the country. */
export interface BasesPart {
  /** State of this part. */
  state: PartState;
  /** Number of known bases, of every operating power. Absent unless the part is available. */
  bases?: number;
}

/** Open tenders. */
export interface TendersPart {
  /** State of this part. */
  state: PartState;
  /** Number of open notices, at most 10,000. Absent unless the part is available. */
  open?: number;
  /** True if there are more. */
  capped: boolean;
}

/** Gas storage of the country. Of a member of the European Union whose own is not known, that of the Union. */
export interface GasPart {
  /** State of this part. */
  state: PartState;
  /** How full the storage is, percent of the working volume. Absent unless the part is available. */
  fillPct?: number;
  /** Direction since the previous gas day: `injecting`, `withdrawing` or `stable`. Empty unless `area` is `EU`. */
  trend: string;
  /** Gas day of the level, `YYYY-MM-DD`. Empty unless the part is available. */
  gasDay: string;
  /** Whose level it is: the country's alpha-2 code, or `EU` for the European Union. Empty unless the part is available. */
  area: string;
}

/** State of a part and where it comes from. */
export interface PartState {
  /** Whether the part has values. */
  availability: PartAvailability;
  /** Why it has none. Empty if it is available. */
  reason: string;
  /** Time when the oldest of its data was last read from the sources, Unix epoch milliseconds. Absent if unknown. */
  asOf?: number;
  /** True if the data is older than it should be. */
  stale: boolean;
  /** `live` or `sample`. Empty if there is no data. */
  origin: string;
  /** Names of the sources that the operation is made from, as in ListSources. */
  sources: string[];
  /** Operation that returns all of this part. */
  operation: string;
  /** Its path and query for this country. If it cannot be asked about this country, its path alone. */
  path: string;
  /** Minimum tier of the operation: 0 free, 1 pro, 2 api, 3 enterprise. */
  requiredTier: number;
}

/** A named score. */
export interface PartScore {
  /** Id of the domain or pillar. */
  id: string;
  /** 0 to 100, two decimals. */
  score: number;
}

/** A commodity and the vulnerability of its supply. */
export interface VulnerableCommodity {
  /** Id of the commodity. */
  commodityId: string;
  /** English name. */
  commodity: string;
  /** 0 to 100, two decimals. Higher means more vulnerable. */
  score: number;
  /** `low`, `moderate`, `high` or `critical`. */
  band: string;
}

/** Whether a part has values, and why not. */
export type PartAvailability = "PART_AVAILABILITY_UNSPECIFIED" | "PART_AVAILABILITY_AVAILABLE" | "PART_AVAILABILITY_NOT_COVERED" | "PART_AVAILABILITY_NOT_APPLICABLE" | "PART_AVAILABILITY_UNAVAILABLE" | "PART_AVAILABILITY_NOT_ENTITLED" | "PART_AVAILABILITY_DEGRADED";

