import { rounded } from "../../../reference/rounding.ts";
import { mean, total } from "../method/mean.ts";
import { rules } from "../method/structure.ts";

export interface Movement {
  /** Empty where there is no score. */
  readonly trend: "rising" | "stable" | "falling" | "";
  /** Against the oldest kept day, two decimals; 0 where none is kept. */
  readonly change30d: number;
  readonly hasChange30d: boolean;
}

/** Of a country without a score. */
export const unmoved: Movement = { trend: "", change30d: 0, hasChange30d: false };

/** `history`: the scores of earlier days, oldest first. */
export function movementOf(history: readonly number[], overall: number): Movement {
  const [oldest] = history;
  return {
    trend: trendOf([...history, overall]),
    change30d: oldest === undefined ? 0 : rounded(overall - oldest, 2),
    hasChange30d: oldest !== undefined,
  };
}

/** By the least-squares line through the days, against their mean. */
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
