import { rounded } from "../../../reference/rounding.ts";

export function clamped(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

/** How to convert a value to a score from 0 to 100. */
export type Scale =
  /** A straight line from the value with score 0 to the value with score 100. */
  | { readonly worst: number; readonly best: number }
  /** Straight lines between points. Values outside the points have the score of the nearest point. */
  | { readonly points: readonly (readonly [value: number, score: number])[] }
  /** The score rises with the value ever more slowly: 100·(1 − e^(−value / `filling`)). */
  | { readonly filling: number };

/**
 * Returns the score of a value. The share of the country that is not exposed scores 100. The score is rounded, except
 * on the scale `filling`. Undefined if the value is not a finite number.
 */
export function scoreOn(scale: Scale, value: number, exposedShare = 1): number | undefined {
  if (!Number.isFinite(value)) return undefined;
  const score = exactScore(scale, value) * exposedShare + 100 * (1 - exposedShare);
  return "filling" in scale ? score : rounded(score);
}

export function exactScore(scale: Scale, value: number): number {
  if ("filling" in scale) return 100 * (1 - Math.exp(-Math.max(0, value) / scale.filling));
  if ("points" in scale) return onLines(scale.points, value);
  return clamped(((value - scale.worst) / (scale.best - scale.worst)) * 100, 0, 100);
}

function onLines(points: readonly (readonly [number, number])[], value: number): number {
  const after = points.findIndex(([x]) => value <= x);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || after === 0) return first?.[1] ?? 0;
  if (after === -1) return last[1];
  const [[x0, y0], [x1, y1]] = [points[after - 1] ?? first, points[after] ?? last];
  return y0 + ((value - x0) / (x1 - x0)) * (y1 - y0);
}

export function scaleText(scale: Scale): string {
  if ("filling" in scale) return `100·(1 − e^(−value/${scale.filling}))`;
  if ("points" in scale) return scale.points.map(([value, score]) => `${value} → ${score}`).join(", ");
  return `${scale.worst} → 0, ${scale.best} → 100`;
}
