import { rounded } from "../../../reference/rounding.ts";
import { mean, total } from "../method/mean.ts";
import { rules } from "../method/structure.ts";

export interface Movement {
  /** The trend is empty if there is no score. */
  readonly trend: "rising" | "stable" | "falling" | "";
  /** The change since the oldest stored day, with two decimals. It is 0 if no day is stored. */
  readonly change30d: number;
  readonly hasChange30d: boolean;
}

export const unmoved: Movement = { trend: "", change30d: 0, hasChange30d: false };

/** `history` has the scores of earlier days, oldest first. */
export function movementOf(history: readonly number[], overall: number): Movement {
  const [oldest] = history;
  return {
    trend: trendOf([...history, overall]),
    change30d: oldest === undefined ? 0 : rounded(overall - oldest, 2),
    hasChange30d: oldest !== undefined,
  };
}

/** Returns the direction of the least-squares line through the days, relative to their mean. */
function trendOf(scores: readonly number[]): Movement["trend"] {
  const average = mean(scores);
  if (scores.length < rules.trend.minPoints || average === 0) return "stable";
  const middle = (scores.length - 1) / 2;
  const slope =
    total(scores.map((score, day) => (day - middle) * (score - average))) /
    total(scores.map((_, day) => (day - middle) ** 2));
  const share = slope / Math.abs(average);
  if (share > rules.trend.slope) return "rising";
  return share < -rules.trend.slope ? "falling" : "stable";
}
