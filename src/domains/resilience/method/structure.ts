// Methodology, first part: how scores are put together. Everything about the method that is a choice stands in tables.

/** Raised with every change of a table that shifts scores. */
export const methodologyVersion = "v8";

/** Pillars in the order in which they are served, with their weights. */
export const pillars = {
  "structural-readiness": 0.4,
  "live-shock-exposure": 0.35,
  "recovery-capacity": 0.25,
} as const;

/** Domains in the order in which they are served. */
export const domains = {
  economic: { weight: 0.17, pillar: "structural-readiness" },
  infrastructure: { weight: 0.15, pillar: "live-shock-exposure" },
  energy: { weight: 0.11, pillar: "live-shock-exposure" },
  "social-governance": { weight: 0.19, pillar: "structural-readiness" },
  "health-food": { weight: 0.13, pillar: "live-shock-exposure" },
  recovery: { weight: 0.25, pillar: "recovery-capacity" },
} as const satisfies Record<string, { weight: number; pillar: PillarId }>;

/** Dimensions in the order in which they are served, each with its domain, its weight in it and the score it is part of. */
export const dimensions = {
  macroFiscal: { domain: "economic", weight: 1, kind: "baseline" },
  currencyExternal: { domain: "economic", weight: 1, kind: "stress", absent: "noCurrencyData" },
  tradePolicy: { domain: "economic", weight: 0.5, kind: "stress" },
  financialSystemExposure: { domain: "economic", weight: 0.5, kind: "stress" },
  cyberDigital: { domain: "infrastructure", weight: 1, kind: "stress" },
  logisticsSupply: { domain: "infrastructure", weight: 1, kind: "mixed" },
  infrastructure: { domain: "infrastructure", weight: 1, kind: "baseline" },
  energy: { domain: "energy", weight: 1, kind: "mixed" },
  governanceInstitutional: { domain: "social-governance", weight: 1, kind: "baseline" },
  socialCohesion: { domain: "social-governance", weight: 1, kind: "baseline" },
  borderSecurity: { domain: "social-governance", weight: 1, kind: "stress" },
  informationCognitive: { domain: "social-governance", weight: 1, kind: "stress" },
  education: { domain: "social-governance", weight: 0.5, kind: "baseline", absent: "noEducationData" },
  healthPublicService: { domain: "health-food", weight: 1, kind: "baseline" },
  foodWater: { domain: "health-food", weight: 1, kind: "mixed" },
  fiscalSpace: { domain: "recovery", weight: 1, kind: "baseline", absent: "noRecoveryData" },
  reserveAdequacy: { domain: "recovery", weight: 1, kind: "baseline", retired: true },
  externalDebtCoverage: { domain: "recovery", weight: 1, kind: "baseline", absent: "noRecoveryData" },
  importConcentration: { domain: "recovery", weight: 1, kind: "baseline", absent: "noRecoveryData" },
  stateContinuity: { domain: "recovery", weight: 1, kind: "baseline", absent: "noRecoveryData" },
  fuelStockDays: { domain: "recovery", weight: 1, kind: "mixed", retired: true },
  liquidReserveAdequacy: { domain: "recovery", weight: 0.5, kind: "baseline", absent: "noRecoveryData" },
  sovereignFiscalBuffer: { domain: "recovery", weight: 0.5, kind: "baseline", absent: "noFund" },
} as const satisfies Record<string, DimensionTerms>;

interface DimensionTerms {
  readonly domain: DomainId;
  readonly weight: number;
  /** `mixed` is part of the baseline score and of the stress score. */
  readonly kind: "baseline" | "stress" | "mixed";
  /** What stands in where none of its indicators has a score. */
  readonly absent?: ImputationId;
  /** Not scored any more; its row stays, without weight. */
  readonly retired?: true;
}

/** What stands in for a value that is not told: a score, how certain it is, and why there is none. */
export const imputations = {
  noWtoReporter: { score: 60, certainty: 0.4, class: "unmonitored", when: "the country reports no tariffs to the WTO" },
  noHostedRow: { score: 85, certainty: 0.6, class: "stable-absence", when: "UNHCR tells of nobody" },
  noDisplacedRow: { score: 70, certainty: 0.6, class: "stable-absence", when: "UNHCR tells of nobody" },
  noFoodCrisisRecord: { score: 88, certainty: 0.7, class: "stable-absence", when: "no food crisis was ever recorded" },
  debtNotReported: { score: 75, certainty: 0.3, class: "not-applicable", when: "the country need not report its debt" },
  noCurrencyData: { score: 50, certainty: 0.3, class: "unmonitored", when: "neither inflation nor reserves are known" },
  noEducationData: {
    score: 50,
    certainty: 0.3,
    class: "unmonitored",
    when: "no census or survey of 15 years tells it",
  },
  noRecoveryData: { score: 50, certainty: 0.3, class: "unmonitored", when: "nothing of it is known" },
  noFund: { score: 0, certainty: 0, class: "not-applicable", when: "the country has no sovereign wealth fund" },
} as const satisfies Record<string, Imputation>;

export interface Imputation {
  /** 0 to 100. */
  readonly score: number;
  /** 0 to 1. */
  readonly certainty: number;
  readonly class: Exclude<ImputationClass, "">;
  readonly when: string;
}

/** The order decides between classes of equal weight; empty: something was observed, or nothing stands in. */
export const imputationClasses = ["stable-absence", "unmonitored", "source-failure", "not-applicable"] as const;

/** Coverage of `currencyExternal` by what is known of it. */
export const currencyCoverage = { both: 0.85, inflation: 0.55, reserves: 0.4 } as const;

/** What makes the exposure to foreign finance: see the indicators of `financialSystemExposure`. */
export const finance = {
  /** Score up to which claims count in full; what is above is multiplied by the score of the home countries' number. */
  premiumAbove: 75,
  /** A home country of banks counts from this share of GDP on, in percent. */
  homeFromPct: 1,
  /** Home countries that a whole answer has; with fewer the claims are half as certain. */
  homes: 16,
  certaintyOfIncomplete: 0.5,
  /** Shut out of the market: debt and claims at most so high, in percent, and no home country; its debt counts for a part. */
  constrained: { debtPct: 1, claimsPct: 5, share: 0.3 },
} as const;

export const rules = {
  /** Share of a wholly imputed dimension's weight that counts in its domain. */
  imputedFactor: 0.5,
  /** How much of the overall score a weakest pillar of 0 takes away. */
  penalty: 0.5,
  levels: { high: 60, medium: 30 },
  /** What of a dimension's coverage counts by the age of its sources. */
  confidence: { "": 1, fresh: 1, aging: 0.7, stale: 0.4 },
  /** Ages in units of the cadence, up to which a source is fresh, and aging. */
  ages: { fresh: 1.5, aging: 3 },
  lowConfidence: { coverageBelow: 0.55, imputationShareAbove: 0.4 },
  eligible: { coverage: 0.65, population: 200_000, coverageOfSmall: 0.85 },
  interval: { draws: 100, spread: 0.1, low: 0.05, high: 0.95, minCountries: 180, stableWidth: 8 },
  /** Share of the mean by which a day has to move a trend; days that it needs. */
  trend: { slope: 0.005, minPoints: 3 },
  historyDays: 30,
  /** Ranking is partial below this share of scored countries. */
  wholeRanking: 0.95,
  /** The dimension is a failure of its source where fewer countries have a value. */
  minEducationCountries: 180,
} as const;

export type PillarId = keyof typeof pillars;
export type DomainId = keyof typeof domains;
export type ImputationId = keyof typeof imputations;
export type ImputationClass = "" | (typeof imputationClasses)[number];
export type DimensionId = keyof typeof dimensions;
