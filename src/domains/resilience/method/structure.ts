// The first part of the methodology: how scores are combined. Its tables contain all choices of the method.

/** Increase this version with each change of a table that affects scores. */
export const methodologyVersion = "v8";

export const pillars = {
  "structural-readiness": 0.4,
  "live-shock-exposure": 0.35,
  "recovery-capacity": 0.25,
} as const;

export const domains = {
  economic: { weight: 0.17, pillar: "structural-readiness" },
  infrastructure: { weight: 0.15, pillar: "live-shock-exposure" },
  energy: { weight: 0.11, pillar: "live-shock-exposure" },
  "social-governance": { weight: 0.19, pillar: "structural-readiness" },
  "health-food": { weight: 0.13, pillar: "live-shock-exposure" },
  recovery: { weight: 0.25, pillar: "recovery-capacity" },
} as const satisfies Record<string, { weight: number; pillar: PillarId }>;

/**
 * The dimensions in the order of responses. Each one has a domain, a weight in it, and a kind of score it counts for.
 */
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
  /** The kind of score for which the dimension counts. `mixed` counts for both. */
  readonly kind: "baseline" | "stress" | "mixed";
  /** The substitute for the score of the dimension if none of its indicators has a score. */
  readonly absent?: ImputationId;
  /** A retired dimension has no score. Responses still list it, with a coverage of 0. */
  readonly retired?: true;
}

/** Substitutes for unknown values. Each has a score, a certainty, and the reason why the value is unknown. */
export const imputations = {
  noWtoReporter: { score: 60, certainty: 0.4, class: "unmonitored", when: "the country reports no tariffs to the WTO" },
  noHostedRow: { score: 85, certainty: 0.6, class: "stable-absence", when: "UNHCR reports no people" },
  noDisplacedRow: { score: 70, certainty: 0.6, class: "stable-absence", when: "UNHCR reports no people" },
  noFoodCrisisRecord: { score: 88, certainty: 0.7, class: "stable-absence", when: "no food crisis was ever recorded" },
  debtNotReported: { score: 75, certainty: 0.3, class: "not-applicable", when: "the country need not report its debt" },
  noCurrencyData: { score: 50, certainty: 0.3, class: "unmonitored", when: "neither inflation nor reserves are known" },
  noEducationData: {
    score: 50,
    certainty: 0.3,
    class: "unmonitored",
    when: "no census or survey of the last 15 years has it",
  },
  noRecoveryData: { score: 50, certainty: 0.3, class: "unmonitored", when: "no input is known" },
  noFund: { score: 0, certainty: 0, class: "not-applicable", when: "the country has no sovereign wealth fund" },
} as const satisfies Record<string, Imputation>;

export interface Imputation {
  /** The score that replaces the unknown one, 0 to 100. */
  readonly score: number;
  /** How certain the substitute is, 0 to 1. */
  readonly certainty: number;
  readonly class: Exclude<ImputationClass, "">;
  readonly when: string;
}

/**
 * The classes of substitutes. If two classes have equal weight in a dimension, the first one in this list is reported.
 * An empty class means that a value was observed, or that there is no substitute.
 */
export const imputationClasses = ["stable-absence", "unmonitored", "source-failure", "not-applicable"] as const;

/** The coverage of the dimension `currencyExternal`, depending on which inputs are known. */
export const currencyCoverage = { both: 0.85, inflation: 0.55, reserves: 0.4 } as const;

/** Constants of the dimension `financialSystemExposure`. */
export const finance = {
  /** The score for foreign claims counts in full up to this value. The score for home countries scales the rest. */
  premiumAbove: 75,
  /** A home country of banks counts if its claims are at least this percentage of GDP. */
  homeFromPct: 1,
  /** A complete response has claims from 16 home countries of banks. With fewer, claims are only half as certain. */
  homes: 16,
  certaintyOfIncomplete: 0.5,
  /**
   * A country has no market access if its debt and its foreign claims are at most these percentages of GDP, and no home
   * country of banks counts. Its score for debt then counts only in part.
   */
  constrained: { debtPct: 1, claimsPct: 5, share: 0.3 },
} as const;

export const rules = {
  /** The factor on the weight of a dimension that has only substitutes instead of observed values. */
  imputedFactor: 0.5,
  /** The share of the overall score that a country loses if its weakest pillar has a score of 0. */
  penalty: 0.5,
  levels: { high: 60, medium: 30 },
  /** The factor on the coverage of a dimension, by how old its sources are. */
  confidence: { "": 1, fresh: 1, aging: 0.7, stale: 0.4 },
  /** A source is `fresh` or `aging` up to these ages, as multiples of the usual time between its publications. */
  ages: { fresh: 1.5, aging: 3 },
  lowConfidence: { coverageBelow: 0.55, imputationShareAbove: 0.4 },
  eligible: { coverage: 0.65, population: 200_000, coverageOfSmall: 0.85 },
  interval: { draws: 100, spread: 0.1, low: 0.05, high: 0.95, minCountries: 180, stableWidth: 8 },
  /** A trend needs at least this slope per day, relative to the mean, and at least this number of days. */
  trend: { slope: 0.005, minPoints: 3 },
  historyDays: 30,
  /** The ranking is marked as partial if less than this share of the countries has a score. */
  wholeRanking: 0.95,
  /** If fewer countries have a value for education, the source of education counts as failed. */
  minEducationCountries: 180,
} as const;

export type PillarId = keyof typeof pillars;
export type DomainId = keyof typeof domains;
export type ImputationId = keyof typeof imputations;
export type ImputationClass = "" | (typeof imputationClasses)[number];
export type DimensionId = keyof typeof dimensions;
