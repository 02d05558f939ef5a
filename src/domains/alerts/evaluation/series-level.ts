/** Where a figure stands for a rule. */
export interface Level {
  /** Unix epoch milliseconds. */
  readonly at: number;
  readonly value: number;
  /** What it was computed by and from. */
  readonly basis: number;
  /** It was reported beyond the threshold, and not yet back. */
  readonly beyond: boolean;
}

export interface Threshold {
  readonly threshold: number;
  readonly direction: "above" | "below";
  /** How far it must be back. */
  readonly hysteresis: number;
}

export type Point = Omit<Level, "beyond">;

/** Where a figure stands after a point, and what is reported of it. */
export interface Step {
  readonly level: Level;
  readonly crossing?: "crossed" | "recovered";
}

/**
 * A figure is reported when it comes to stand beyond the threshold, or is first seen there, then when it is back. A point of
 * another basis is reported never: it only says where the figure stands from then on. Nor is one of an earlier time.
 */
export function step(before: Level | undefined, point: Point, rule: Threshold): Step {
  if (before && point.at < before.at) return { level: before };
  const isBeyond = (rule.direction === "above" ? 1 : -1) * (point.value - rule.threshold) >= 0;
  if (before && before.basis !== point.basis) return { level: { ...point, beyond: isBeyond } };
  if (isBeyond) return { level: { ...point, beyond: true }, ...(!before?.beyond && { crossing: "crossed" }) };
  if (!before?.beyond) return { level: { ...point, beyond: false } };
  if (!isBack(point.value, rule)) return { level: { ...point, beyond: true } };
  return { level: { ...point, beyond: false }, crossing: "recovered" };
}

/** Of a value on the near side of the threshold. */
function isBack(value: number, { threshold, direction, hysteresis }: Threshold): boolean {
  return direction === "above"
    ? value <= threshold - hysteresis || hysteresis === 0
    : value >= threshold + hysteresis || hysteresis === 0;
}

/** Of a figure that is seen first only where it stands now counts, not how it came there. */
export function pointsToSee<P extends { readonly at: Date }>(
  before: Level | undefined,
  reported: readonly P[],
): readonly P[] {
  if (before) return reported;
  const newest = reported.reduce<P | undefined>((last, each) => (last && last.at > each.at ? last : each), undefined);
  return newest ? [newest] : [];
}
