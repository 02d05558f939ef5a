import type { SeriesTrigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";

export interface Level {
  /** The time of the value in Unix epoch milliseconds. */
  readonly at: number;
  readonly value: number;
  /** A number that stands for the method and the sources of the value. Values with other numbers are not comparable. */
  readonly basis: number;
  /** Whether the value is past the threshold, or was past it and has not recovered yet. */
  readonly beyond: boolean;
}

export interface Threshold {
  readonly threshold: number;
  readonly direction: "above" | "below";
  /** The distance from the threshold to which a value must return to count as recovered. */
  readonly hysteresis: number;
}

export type Point = Omit<Level, "beyond">;

interface Step {
  readonly level: Level;
  readonly crossing?: "crossed" | "recovered";
}

/**
 * Compares a point with the previous level. An event reports that the value has crossed the threshold or has recovered.
 * A first value is reported if it is past the threshold. If the basis has changed, nothing is reported. Earlier points
 * are ignored.
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

/** Returns whether a value that is not past the threshold is far enough from it to count as recovered. */
function hasRecovered(value: number, { threshold, direction, hysteresis }: Threshold): boolean {
  return direction === "above"
    ? value <= threshold - hysteresis || hysteresis === 0
    : value >= threshold + hysteresis || hysteresis === 0;
}

/** Returns the points to evaluate. Without a previous level, the rule starts with the newest point only. */
export function pointsToSee<P extends { readonly at: Date }>(
  before: Level | undefined,
  reported: readonly P[],
): readonly P[] {
  if (before) return reported;
  const newest = reported.reduce<P | undefined>((last, each) => (last && last.at > each.at ? last : each), undefined);
  return newest ? [newest] : [];
}

/** Returns the threshold of a rule. It is 0 for rules of earlier versions, in which the threshold was optional. */
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

/** Returns whether a rule watches a key. The rule's key `DE` also covers longer keys, such as `DE/coal`. */
export function watchesKey({ keys }: SeriesTrigger, key: string): boolean {
  const upper = key.toUpperCase();
  return (
    keys.length === 0 || keys.some((own) => upper === own.toUpperCase() || upper.startsWith(`${own.toUpperCase()}/`))
  );
}
