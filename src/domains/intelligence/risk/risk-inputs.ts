import { namesOf } from "../../../reference/named.ts";

type Span =
  /**
   * The sum of the amounts. Days up to `recentDays` ago count fully, and older days up to `monthDays` ago are
   * multiplied by `olderFactor`.
   */
  | "weighted month"
  /** The sum of the days up to `recentDays` ago. */
  | "week"
  /** The amount of the newest day. */
  | "newest"
  /** Whether the amount of the newest day is greater than that of the oldest stored day. */
  | "growth";

export interface Measured {
  readonly source: string;
  /** The input that the sources report, if it is a different one. */
  readonly of?: string;
  readonly span: Span;
  /** The source reports a complete list each day. A country without a row on a reported day has 0. */
  readonly wholeDays?: true;
}

/** The time in hours after which the values of a silent source count as missing. */
export const riskSources: Readonly<Record<string, number>> = {
  acled: 26,
  "acled-unrest": 26,
  ucdp: 26,
  "cloudflare-radar": 3,
  firms: 24,
  "usgs-earthquakes": 3,
  "ofac-sdn": 72,
  "state-advisories": 72,
  unhcr: 30 * 24,
};

/** Whole UTC days before the current one. */
export const recentDays = 7;
export const monthDays = 30;
export const olderFactor = 0.4;

/** The number of days for which list sizes are stored, so that growth can be computed. */
export const growthDays = 8;

const unrest = { source: "acled-unrest", span: "weighted month" } as const;
const acled = { source: "acled", span: "weighted month" } as const;
const outage = { source: "cloudflare-radar", span: "newest" } as const;
const quakes = { source: "usgs-earthquakes", span: "week" } as const;
const sanctions = { source: "ofac-sdn", wholeDays: true } as const;
const war = { source: "ucdp", span: "newest" } as const;

/** Every input of the formula. Inputs without a source are absent and count as 0. */
export const riskInputs = {
  protests: unrest,
  protestDeaths: unrest,
  severeProtests: unrest,
  totalOutages: outage,
  majorOutages: outage,
  partialOutages: outage,
  battles: acled,
  explosions: acled,
  civilianViolence: acled,
  conflictDeaths: acled,
  strikes: undefined,
  severeStrikes: undefined,
  activeSirens: undefined,
  ownFlights: undefined,
  foreignFlights: undefined,
  vessels: undefined,
  closedAirports: undefined,
  severeDelays: undefined,
  majorDelays: undefined,
  moderateDelays: undefined,
  strongJamming: undefined,
  mediumJamming: undefined,
  newsScore: undefined,
  criticalThreats: undefined,
  highThreats: undefined,
  mediumThreats: undefined,
  lowThreats: undefined,
  climateSeverity: undefined,
  criticalCyber: undefined,
  highCyber: undefined,
  mediumCyber: undefined,
  strongFires: { source: "firms", span: "newest" },
  fires: { source: "firms", span: "newest" },
  advisoryLevel: { source: "state-advisories", span: "newest" },
  sirensOfDay: undefined,
  displaced: { source: "unhcr", span: "newest" },
  greatQuakes: quakes,
  majorQuakes: quakes,
  strongQuakes: quakes,
  sanctionedParties: { ...sanctions, span: "newest" },
  newSanctions: { ...sanctions, of: "sanctionedParties", span: "growth" },
  highDisruptions: undefined,
  elevatedDisruptions: undefined,
  lowDisruptions: undefined,
  warDeaths: war,
  warEvents: war,
} as const satisfies Readonly<Record<string, Measured | undefined>>;

export type RiskInputName = keyof typeof riskInputs;
export type ReportedInput = {
  [Name in RiskInputName]: (typeof riskInputs)[Name] extends undefined ? never : Name;
}[RiskInputName];

export const riskInputList: readonly { name: RiskInputName; measured: Measured | undefined }[] = namesOf(
  riskInputs,
).map((name) => ({ name, measured: riskInputs[name] }));
