import type { Dimension } from "../../../contract/dimensions.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { dayMs } from "../../../reference/duration.ts";
import { dayText, periodText, shortDayText } from "../../view/times.ts";

/** First and last time of counted rows, in Unix epoch milliseconds. */
export interface CountedSpan {
  readonly from: number;
  readonly until: number;
}

/** Returns the name of a period. If only a part is counted, its days follow: `2026-09 (from 29 Sep)`. */
export function stepText(text: string, { name, stepOf, isOfPeriods }: Dimension, { from, until }: CountedSpan): string {
  if (!stepOf || name === "day" || isOfPeriods) return text;
  const isIn = (at: number) => Number.isFinite(at) && stepOf(new Date(at)) === text;
  const first = isIn(from) && isIn(from - 1) ? `from ${shortDayText(from)}` : "";
  const last = isIn(until) && isIn(until + 1) ? `until ${shortDayText(until)}` : "";
  const days = [first, last].filter((each) => each !== "").join(" ");
  return days === "" ? text : `${text} (${days})`;
}

/** Returns the first and last period as text, and a remark on those of which only a part is counted. */
export function spanText(
  [first = "", ...others]: readonly string[],
  step: string,
): readonly [span: string, partial: string] {
  const last = others.at(-1) ?? first;
  const next = isoDay(Date.parse(last) + dayMs);
  const edge = { month: "-01", year: "-01-01" }[step] ?? "";
  const partial = [first.endsWith(edge) ? [] : [first], next.endsWith(edge) ? [] : [last]].flat();
  const names = partial.map((day) => periodText(Date.parse(day), step)).join(" and ");
  return [`${dayText(Date.parse(first))} to ${dayText(Date.parse(last))}`, names && ` Partial: ${names}.`];
}
