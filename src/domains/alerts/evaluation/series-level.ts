import type { SeriesTrigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";

export interface Level {
  /** Unix epoch milliseconds. */
  readonly at: number;
  readonly value: number;
  /** The version of the method and of the sources that the value was computed from. */
  readonly basis: number;
  /** Whether a crossing was reported and the value has not recovered yet. */
  readonly beyond: boolean;
}

export interface Threshold {
  readonly threshold: number;
  readonly direction: "above" | "below";
  /** The value recovers at this distance from the threshold. */
  readonly hysteresis: number;
}

export type Point = Omit<Level, "beyond">;

interface Step {
  readonly level: Level;
  readonly crossing?: "crossed" | "recovered";
}

/**
 * Compares a point with the level before. A rule reports when a value crosses the threshold, or when its first value is
 * past the threshold, and again when the value recovers. If the basis of a point differs, the point sets the level
 * without a report. Points with an earlier time are ignored.
 */
export function step(before: Level | undefined, point: Point, rule: Threshold): Step {
  if (before && point.at < before.at) return { level: before };
  const isBeyond = (rule.direction === "above" ? 1 : -1) * (point.value - rule.threshold) >= 0;
  if (before && before.basis !== point.basis) return { level: { ...point, beyond: isBeyond } };
  if (isBeyond) return { level: { ...point, beyond: true }, ...(!before?.beyond && { crossing: "crossed" }) };
  if (!before?.beyond) return { level: { ...point, beyond: false } };
  if (!hasRecovered(point.value, rule)) return { level: { ...point, beyond: true } };
  return { level: { ...point, beyond: false }, crossing: "recovered" };
}

/** Returns whether a value has recovered. It expects a value that is not past the threshold. */
function hasRecovered(value: number, { threshold, direction, hysteresis }: Threshold): boolean {
  return direction === "above"
    ? value <= threshold - hysteresis || hysteresis === 0
    : value >= threshold + hysteresis || hysteresis === 0;
}

/** If there is no level yet, only the newest point counts, because the rule has no history for the series. */
export function pointsToSee<P extends { readonly at: Date }>(
  before: Level | undefined,
  reported: readonly P[],
): readonly P[] {
  if (before) return reported;
  const newest = reported.reduce<P | undefined>((last, each) => (last && last.at > each.at ? last : each), undefined);
  return newest ? [newest] : [];
}

/** The API rejects other directions and rules without a threshold. Earlier rules without a threshold used 0. */
export function thresholdOf({ threshold = 0, direction, hysteresis }: SeriesTrigger): Threshold {
  return { threshold, direction: direction === "below" ? "below" : "above", hysteresis };
}

export function crossingMessage(
  series: string,
  key: string,
  { level, before }: { readonly level: Level; readonly before: Level | undefined },
) {
  return {
    series,
    key,
    at: BigInt(level.at),
    value: level.value,
    ...(before && { previousValue: before.value }),
    beyond: level.beyond,
  };
}

/** Returns whether a rule watches a key. One of the rule's keys must be equal to the key or to its first parts. */
export function watchesKey({ keys }: SeriesTrigger, key: string): boolean {
  const upper = key.toUpperCase();
  return (
    keys.length === 0 || keys.some((own) => upper === own.toUpperCase() || upper.startsWith(`${own.toUpperCase()}/`))
  );
}
