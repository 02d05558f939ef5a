import type { GetSeriesRequest } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { readRequestTime } from "../../contract/request/request-time.ts";
import { InvalidRequest } from "../../errors.ts";
import { type Interval, startOf } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";

export type Aggregation = "last" | "mean" | "min" | "max" | "sum";

/** Which time of a series is wanted, and in which steps; both ends included, Unix epoch milliseconds. */
export interface Span {
  /** As it was asked for. */
  readonly requested: number;
  /** Start of the interval that contains it, so that the first one is whole. */
  readonly from: number;
  readonly to: number;
  readonly interval: Interval;
  readonly aggregation: Aggregation;
}

const intervals: readonly Interval[] = ["raw", "day", "week", "month"];
const aggregations: readonly Aggregation[] = ["last", "mean", "min", "max", "sum"];
const defaultDays = 30;

/** The span of a request; its end is no later than now. Throws `InvalidRequest`. */
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
