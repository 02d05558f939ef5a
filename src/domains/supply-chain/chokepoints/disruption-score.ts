import { dayMs } from "../../../reference/duration.ts";
import type { ThreatLevel } from "../../../reference/trade/chokepoints.ts";
import { warRisks } from "../../../reference/trade/war-risk.ts";

/** What is known of a chokepoint. */
export interface Inputs {
  readonly threat: ThreatLevel;
  /** Navigational warnings in force. */
  readonly warnings: number;
  /** Of each day on record, in any order. */
  readonly days: readonly Day[];
  /** Its flow of oil is followed. */
  readonly flowCovered: boolean;
}

/** The ships of one day. */
export interface Day {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly ships: number;
  readonly tankers: number;
  /** Tonnes of deadweight; absent where unknown. */
  readonly tankerCapacity?: number | undefined;
}

/** How a chokepoint stands. */
export interface Disruption {
  /** 0 to 100. */
  readonly score: number;
  readonly status: "green" | "yellow" | "red";
  /** Traffic has halved where that is a sign of danger. */
  readonly anomaly: boolean;
  /** Oil flow of the last week over that of the three months before, at most 1.5; undefined where not followed or not known. */
  readonly flowRatio: number | undefined;
  /** Each of the last three days was below 85 % of the baseline; undefined with `flowRatio`. */
  readonly disrupted: boolean | undefined;
}

const pointsAWarning = 5;
const maxWarningPoints = 15;
const anomalyPoints = 10;
const [yellowFrom, redFrom] = [20, 50];
/** Traffic is watched for a collapse only where the threat makes one likely. */
const watched: readonly ThreatLevel[] = ["war_zone", "critical"];
const anomaly = { recentDays: 7, baselineDays: 30, minHistory: 37, minADay: 2, fallsTo: 0.5 };
const flow = {
  recentDays: 7,
  baselineDays: 90,
  minHistory: 40,
  minRecent: 3,
  minBaseline: 20,
  highest: 1.5,
  disruptedDays: 3,
  disruptedBelow: 0.85,
};

/** Weight of the threat, 5 a warning up to 15, 10 for an anomaly; congestion has no source and adds nothing. */
export function disruptionOf({ threat, warnings, days, flowCovered }: Inputs): Disruption {
  const collapsed = watched.includes(threat) && hasCollapsed(days);
  const score = Math.min(
    100,
    warRisks[threat].weight + Math.min(maxWarningPoints, pointsAWarning * warnings) + (collapsed ? anomalyPoints : 0),
  );
  return { score, status: statusOf(score), anomaly: collapsed, ...(flowCovered ? flowOf(days) : noFlow) };
}

const noFlow = { flowRatio: undefined, disrupted: undefined };

function statusOf(score: number): Disruption["status"] {
  if (score >= redFrom) return "red";
  return score >= yellowFrom ? "yellow" : "green";
}

function hasCollapsed(days: readonly Day[]): boolean {
  const { recent, baseline } = windows(days, anomaly);
  if (recent.length === 0 || recent.length + baseline.length < anomaly.minHistory) return false;
  const usual = mean(baseline.map(({ ships }) => ships));
  return usual >= anomaly.minADay && mean(recent.map(({ ships }) => ships)) <= usual * anomaly.fallsTo;
}

function flowOf(days: readonly Day[]): Pick<Disruption, "flowRatio" | "disrupted"> {
  const { recent, baseline } = windows(days, flow);
  const tooFew =
    recent.length < flow.minRecent ||
    baseline.length < flow.minBaseline ||
    recent.length + baseline.length < flow.minHistory;
  if (tooFew) return noFlow;
  const hasCapacity = ({ tankerCapacity }: Day) => tankerCapacity !== undefined;
  const byCapacity = baseline.filter(hasCapacity).length * 2 >= baseline.length && recent.some(hasCapacity);
  const valuesOf = (some: readonly Day[]) =>
    byCapacity ? some.flatMap(({ tankerCapacity }) => tankerCapacity ?? []) : some.map(({ tankers }) => tankers);
  const usual = mean(valuesOf(baseline));
  if (usual === 0) return noFlow;
  const last = valuesOf(recent).slice(-flow.disruptedDays);
  return {
    flowRatio: Math.min(flow.highest, mean(valuesOf(recent)) / usual),
    disrupted: last.length === flow.disruptedDays && last.every((value) => value < usual * flow.disruptedBelow),
  };
}

/** The days of a last week and of the time before it, counted back from the newest day on record; oldest first. */
function windows(days: readonly Day[], { recentDays, baselineDays }: { recentDays: number; baselineDays: number }) {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const newest = Date.parse(sorted.at(-1)?.day ?? "");
  const daysBefore = ({ day }: Day) => (newest - Date.parse(day)) / dayMs;
  return {
    recent: sorted.filter((one) => daysBefore(one) < recentDays),
    baseline: sorted.filter((one) => daysBefore(one) >= recentDays && daysBefore(one) < recentDays + baselineDays),
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
