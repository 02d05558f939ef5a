import { namesOf } from "../../../reference/named.ts";

type Span =
  /**
   * The sum of the amounts of the last `recentDays` days, plus `olderFactor` times the sum of the amounts of the days
   * before, up to `monthDays` ago.
   */
  | "weighted month"
  /** The sum of the amounts of the last `recentDays` days. */
  | "week"
  /** The amount of the newest stored day. */
  | "newest"
  /** 1 if the amount of the newest day is greater than that of the oldest stored day, and otherwise 0. */
  | "growth";

export interface Measured {
  readonly source: string;
  /** The name under which the source reports the values, if it differs from the name of the input. */
  readonly of?: string;
  readonly span: Span;
  /** Set if the source reports all countries each day. A country that is missing on a day then has the amount 0. */
  readonly wholeDays?: true;
}

/** The sources, with the hours after their last read at which their values count as missing. */
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

/** For how many days before the current UTC day amounts count in full, and for how many they count at all. */
export const recentDays = 7;
export const monthDays = 30;
export const olderFactor = 0.4;

/** For how many days the lengths of sanctions lists are stored, from which their growth is computed. */
export const growthDays = 8;

const unrest = { source: "acled-unrest", span: "weighted month" } as const;
const acled = { source: "acled", span: "weighted month" } as const;
const outage = { source: "cloudflare-radar", span: "newest" } as const;
const quakes = { source: "usgs-earthquakes", span: "week" } as const;
const sanctions = { source: "ofac-sdn", wholeDays: true } as const;
const war = { source: "ucdp", span: "newest" } as const;

/** The inputs of the formula. An input that no source reports is absent and counts as 0. */
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
