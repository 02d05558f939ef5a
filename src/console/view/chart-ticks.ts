import { dayMs } from "../../reference/duration.ts";
import { dayText, hasPeriods, periodText, shortDayText } from "./times.ts";

export interface TimeTick {
  readonly at: number;
  readonly text: string;
}

const maxPeriods = 6;

/** Returns the first and last time of a chart. A single point gets some time around it, so that it has a position. */
export function spanOf(instants: readonly number[]): readonly [number, number] {
  const from = instants.reduce((min, at) => Math.min(min, at), Number.POSITIVE_INFINITY);
  const to = instants.reduce((max, at) => Math.max(max, at), Number.NEGATIVE_INFINITY);
  return from === to ? [from - 43_200_000, to + 43_200_000] : [from, to];
}

/** Returns the ticks of the time axis. If points are few months, quarters, or years, each has a tick. */
export function ticksOf(instants: readonly number[], step: string | undefined): readonly TimeTick[] {
  const own = [...new Set(instants)];
  if (hasPeriods(step) && own.length <= maxPeriods) return own.map((at) => ({ at, text: periodText(at, step) }));
  return timeTicks(...spanOf(instants));
}

/** Returns four to six round values around the minimum and the maximum. */
export function niceTicks(low: number, high: number): readonly number[] {
  const isFlat = high === low;
  const [from, to] = isFlat
    ? [low - Math.max(Math.abs(low) * 0.1, 1), high + Math.max(Math.abs(high) * 0.1, 1)]
    : [low, high];
  const rough = (to - from) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.floor(from / step);
  const last = Math.ceil(to / step);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

function timeTicks(from: number, to: number): readonly TimeTick[] {
  const days = (to - from) / dayMs;
  const years = days / 365;
  if (days > 1_100) return monthTicks(from, to, 12 * Math.max(1, Math.ceil(years / 7)));
  if (days > 100) return monthTicks(from, to, Math.ceil(days / 30 / 6));
  const step = Math.max(1, Math.ceil(days / 6)) * dayMs;
  const first = Math.ceil(from / dayMs) * dayMs;
  const ticks: TimeTick[] = [];
  for (let at = first; at <= to; at += step) ticks.push({ at, text: shortDayText(at) });
  return ticks.length > 0 ? ticks : [{ at: from, text: dayText(from) }];
}

/** Ticks that are whole years apart are in January. */
function monthTicks(from: number, to: number, step: number): TimeTick[] {
  const begin = new Date(from);
  const isOfYears = step % 12 === 0;
  const ticks: TimeTick[] = [];
  for (let month = isOfYears ? 0 : begin.getUTCMonth() + 1; ; month += step) {
    const at = Date.UTC(begin.getUTCFullYear(), month);
    if (at > to) return ticks;
    if (at >= from) ticks.push({ at, text: periodText(at, isOfYears ? "year" : "month") });
  }
}
