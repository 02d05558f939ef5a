import { dayMs } from "../../reference/duration.ts";
import { dayText, monthText, shortDayText } from "./times.ts";

/** Round values from below the least to above the greatest, four to six steps. */
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

export interface TimeTick {
  readonly at: number;
  readonly text: string;
}

/** A handful of days, months or years within a span. */
export function timeTicks(from: number, to: number): readonly TimeTick[] {
  const days = (to - from) / dayMs;
  if (days > 1_100) return yearTicks(from, to);
  if (days > 100) return monthTicks(from, to, Math.ceil(days / 30 / 6));
  const step = Math.max(1, Math.ceil(days / 6)) * dayMs;
  const first = Math.ceil(from / dayMs) * dayMs;
  const ticks: TimeTick[] = [];
  for (let at = first; at <= to; at += step) ticks.push({ at, text: shortDayText(at) });
  return ticks.length > 0 ? ticks : [{ at: from, text: dayText(from) }];
}

function monthTicks(from: number, to: number, step: number): TimeTick[] {
  const begin = new Date(from);
  const ticks: TimeTick[] = [];
  for (let month = begin.getUTCMonth() + 1; ; month += step) {
    const at = Date.UTC(begin.getUTCFullYear(), month);
    if (at > to) return ticks;
    ticks.push({ at, text: monthText(at) });
  }
}

function yearTicks(from: number, to: number): TimeTick[] {
  const [first, last] = [new Date(from).getUTCFullYear(), new Date(to).getUTCFullYear()];
  const step = Math.max(1, Math.ceil((last - first) / 7));
  const ticks: TimeTick[] = [];
  for (let year = first; year <= last; year += step) {
    const at = Date.UTC(year, 0);
    if (at >= from && at <= to) ticks.push({ at, text: String(year) });
  }
  return ticks;
}
