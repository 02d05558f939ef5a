import { PhysicalPremiumTrend as Trend } from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import { roundedAway } from "../../../reference/rounding.ts";
import { trends } from "./divergence-method.ts";

/** Returns the share of the values that are not greater than this one, 0 to 100. */
export function percentile(values: readonly number[], value: number): number {
  return (100 * values.filter((other) => other <= value).length) / values.length;
}

/** This factor makes a median absolute deviation comparable to a standard deviation. */
const scale = 0.67448975;

/** Returns undefined if the median absolute deviation is 0 and the distance is not. */
export function robustZ(values: readonly number[], value: number): number | undefined {
  const middle = median(values);
  const deviation = median(values.map((other) => Math.abs(other - middle)));
  if (deviation === 0) return value === middle ? 0 : undefined;
  return roundedAway((scale * (value - middle)) / deviation, 6);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/** The values are oldest first. */
export function change(values: readonly number[], prints: number): number {
  const [newest = Number.NaN, earlier = Number.NaN] = [values.at(-1), values.at(-1 - prints)];
  return roundedAway(newest - earlier, 4);
}

export function trendOf(delta: number): Trend {
  if (Math.abs(delta) <= trends.stableWithin) return Trend.STABLE;
  return delta > 0 ? Trend.WIDENING : Trend.NARROWING;
}
