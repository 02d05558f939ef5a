import type { GetSeriesRequest } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { readRequestTime } from "../../contract/request/request-time.ts";
import { InvalidRequest } from "../../errors.ts";
import { type Interval, startOf } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";

export type Aggregation = "last" | "mean" | "min" | "max" | "sum";

/** A requested span and its intervals. Both ends are included, in Unix epoch milliseconds. */
export interface Span {
  readonly requested: number;
  /** The start of the interval that contains `requested`, so that the first interval is complete. */
  readonly from: number;
  readonly to: number;
  readonly interval: Interval;
  readonly aggregation: Aggregation;
}

const intervals: readonly Interval[] = ["raw", "day", "week", "month"];
const aggregations: readonly Aggregation[] = ["last", "mean", "min", "max", "sum"];
const defaultDays = 30;

/** Returns the span of a request. Its end is at most the current time. Throws `InvalidRequest`. */
export function spanOf(request: Pick<GetSeriesRequest, "from" | "to" | "interval" | "aggregation">, now: number): Span {
  const to = Math.min(request.to === "" ? now : readRequestTime(request.to, "to").end, now);
  const requested = request.from === "" ? to - defaultDays * dayMs : readRequestTime(request.from, "from").start;
  if (requested > to)
    throw new InvalidRequest([
      { field: "from", description: "value must not be later than `to`, and not in the future" },
    ]);
  const interval = intervals.find((each) => each === request.interval) ?? "raw";
  return {
    requested,
    from: startOf(requested, interval),
    to,
    interval,
    aggregation: aggregations.find((each) => each === request.aggregation) ?? "last",
  };
}
