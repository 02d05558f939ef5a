import type { JsonValue } from "@bufbuild/protobuf";
import { TimeEncoding } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { Column } from "./columns.ts";
import { parseRequestTime } from "./request/request-time.ts";

/** First and last millisecond in Unix epoch milliseconds. An open end is infinite. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

export function overlaps(a: Interval, b: Interval): boolean {
  return a.from <= b.to && b.from <= a.to;
}

/** Returns the time that a cell stands for, such as a whole day; undefined if it is unknown. */
export function cellTime({ time }: Pick<Column, "time">, value: JsonValue): Interval | undefined {
  if (value === null || value === "") return undefined;
  if (time === TimeEncoding.EPOCH_MS) return { from: Number(value), to: Number(value) };
  if (time === TimeEncoding.YEAR || time === TimeEncoding.PERIOD) return periodOf(String(value));
  const parsed = parseRequestTime(String(value));
  return parsed && { from: parsed.start, to: parsed.end };
}

/** Returns the interval of a year, quarter, or month, such as `2026`, `2026-Q1` or `2026-03`. */
function periodOf(text: string): Interval | undefined {
  const [, year, quarter, month] = /^(\d{4})(?:-Q([1-4])|-(\d\d))?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const first = quarter ? Number(quarter) * 3 - 3 : month ? Number(month) - 1 : 0;
  const months = quarter ? 3 : month ? 1 : 12;
  return { from: Date.UTC(Number(year), first), to: Date.UTC(Number(year), first + months) - 1 };
}
