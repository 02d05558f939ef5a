import type { GetSeriesRequest } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { readMoment } from "../../contract/as-of.ts";
import { InvalidRequest } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";

export type Interval = "raw" | "day" | "week" | "month";
export type Aggregation = "last" | "mean" | "min" | "max" | "sum";

/** Which time of a series is wanted, and in which steps; both ends included, Unix epoch milliseconds. */
export interface Span {
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
  const to = Math.min(request.to === "" ? now : readMoment(request.to, "to").end, now);
  const from = request.from === "" ? to - defaultDays * dayMs : readMoment(request.from, "from").start;
  if (from > to)
    throw new InvalidRequest([
      { field: "from", description: "value must not be later than `to`, and not in the future" },
    ]);
  return {
    from,
    to,
    interval: intervals.find((each) => each === request.interval) ?? "raw",
    aggregation: aggregations.find((each) => each === request.aggregation) ?? "last",
  };
}
