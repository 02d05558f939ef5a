import { PhysicalDivergenceState as State } from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import { dayMs, hourMs, weekMs } from "../../../reference/duration.ts";
import { limits } from "../divergence/divergence-method.ts";

/** The zone of Shanghai has been UTC+8 without daylight saving time since 1992. */
const shanghaiMs = 8 * hourMs;
/** 1970-01-01 was a Thursday. The Monday of its week was this many milliseconds before. */
const firstMondayMs = 3 * dayMs;

/** Returns how many calendar days in Shanghai ago a print was made. `printDay` is its day as midnight in UTC. */
export function calendarDaysOld(printDay: number, now: number): number {
  return Math.floor((now + shanghaiMs) / dayMs) - Math.round(printDay / dayMs);
}

/** Returns the hours between two times. Saturdays and Sundays in UTC do not count. */
export function weekdayHours(from: number, to: number): number {
  return (weekdayMs(to) - weekdayMs(from)) / hourMs;
}

function weekdayMs(instant: number): number {
  const since = instant + firstMondayMs;
  const week = Math.floor(since / weekMs);
  return week * 5 * dayMs + Math.min(since - week * weekMs, 5 * dayMs);
}

/** The times of the inputs of a premium in Unix epoch milliseconds. An unknown time is NaN or infinite. */
export interface InputClocks {
  /** The day in Shanghai on which the benchmark price was fixed, as midnight in UTC. */
  readonly physical: number;
  readonly paper: number;
  readonly fx: number;
}

export interface Finding {
  readonly state: State;
  readonly reason: string;
}

interface Rule extends Finding {
  readonly holds: (clocks: InputClocks, now: number) => boolean;
}

const missing: readonly Rule[] = [
  { state: State.MISSING_INPUT, reason: "evaluation_clock_invalid", holds: (_, now) => !Number.isFinite(now) },
  { state: State.MISSING_INPUT, reason: "physical_print_invalid", holds: ({ physical }) => !Number.isFinite(physical) },
  { state: State.MISSING_INPUT, reason: "paper_snapshot_invalid", holds: ({ paper }) => !Number.isFinite(paper) },
  { state: State.MISSING_INPUT, reason: "fx_snapshot_invalid", holds: ({ fx }) => !Number.isFinite(fx) },
  {
    state: State.MISSING_INPUT,
    reason: "physical_print_in_future",
    holds: ({ physical }, now) => calendarDaysOld(physical, now) < 0,
  },
  { state: State.MISSING_INPUT, reason: "paper_snapshot_in_future", holds: ({ paper }, now) => paper > now },
  { state: State.MISSING_INPUT, reason: "fx_snapshot_in_future", holds: ({ fx }, now) => fx > now },
];

const stale: readonly Rule[] = [
  {
    state: State.STALE_INPUT,
    reason: `physical_print_older_than_${limits.physicalDays}_calendar_days`,
    holds: ({ physical }, now) => calendarDaysOld(physical, now) > limits.physicalDays,
  },
  {
    state: State.STALE_INPUT,
    reason: `paper_snapshot_older_than_${limits.paperHours}_hours`,
    holds: ({ paper }, now) => weekdayHours(paper, now) > limits.paperHours,
  },
  {
    state: State.STALE_INPUT,
    reason: `fx_snapshot_older_than_${limits.fxHours}_hours`,
    holds: ({ fx }, now) => weekdayHours(fx, now) > limits.fxHours,
  },
];

export function missingInput(clocks: InputClocks, now: number): Finding | undefined {
  return missing.find(({ holds }) => holds(clocks, now));
}

export function staleInput(clocks: InputClocks, now: number): Finding | undefined {
  return stale.find(({ holds }) => holds(clocks, now));
}

export function isFresh(clocks: InputClocks, now: number): boolean {
  return (missingInput(clocks, now) ?? staleInput(clocks, now)) === undefined;
}
