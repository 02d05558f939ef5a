import { dayMs } from "../../../reference/duration.ts";
import { mean } from "../../../reference/sums.ts";
import type { ThreatLevel } from "../../../reference/trade/chokepoints.ts";
import { warRisks } from "../../../reference/trade/war-risk.ts";

export interface Inputs {
  readonly threat: ThreatLevel;
  readonly warnings: number;
  /** The days with counted ships, in any order. */
  readonly days: readonly Day[];
  readonly flowCovered: boolean;
}

export interface Day {
  /** The day on which the ships were counted, YYYY-MM-DD. */
  readonly day: string;
  readonly ships: number;
  readonly tankers: number;
  /** The capacity of the tankers in deadweight tons. Absent if it is unknown. */
  readonly tankerCapacity?: number | undefined;
}

export interface Disruption {
  /** The disruption score, 0 to 100. */
  readonly score: number;
  readonly status: "green" | "yellow" | "red";
  /** Whether traffic has fallen to half or less while the threat level is so high that this is a sign of danger. */
  readonly anomaly: boolean;
  /**
   * The oil flow of the last week relative to the three months before, at most 1.5. Undefined if the flow is unknown or
   * not monitored.
   */
  readonly flowRatio: number | undefined;
  /**
   * Whether the flow was below 85 % of the three months' mean on each of the last three days. Undefined without a flow.
   */
  readonly disrupted: boolean | undefined;
  /** The mean number of ships per day in the last week. Undefined if no ships are counted. */
  readonly shipsPerDay: number | undefined;
}

const pointsAWarning = 5;
const maxWarningPoints = 15;
const anomalyPoints = 10;
const [yellowFrom, redFrom] = [20, 50];
/** The threat levels at which a collapse of traffic is a sign of danger. */
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

/** Computes the score. The threat level gives the base, each warning adds 5 points, up to 15, and an anomaly 10. */
export function disruptionOf({ threat, warnings, days, flowCovered }: Inputs): Disruption {
  const collapsed = watched.includes(threat) && hasCollapsed(days);
  const score = Math.min(
    100,
    warRisks[threat].weight + Math.min(maxWarningPoints, pointsAWarning * warnings) + (collapsed ? anomalyPoints : 0),
  );
  const counted = windows(days, flow).recent.map(({ ships }) => ships);
  const shipsPerDay = counted.length === 0 ? undefined : mean(counted);
  return { score, status: statusOf(score), anomaly: collapsed, shipsPerDay, ...(flowCovered ? flowOf(days) : noFlow) };
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

/** Returns the last days up to the newest stored day, and the longer period before them, each oldest first. */
function windows(days: readonly Day[], { recentDays, baselineDays }: { recentDays: number; baselineDays: number }) {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const newest = Date.parse(sorted.at(-1)?.day ?? "");
  const daysBefore = ({ day }: Day) => (newest - Date.parse(day)) / dayMs;
  return {
    recent: sorted.filter((one) => daysBefore(one) < recentDays),
    baseline: sorted.filter((one) => daysBefore(one) >= recentDays && daysBefore(one) < recentDays + baselineDays),
  };
}
