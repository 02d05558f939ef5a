import type { GetRiskScoreExplanationResponse } from "../../../../gen/es/ids/intelligence/v1/risk_explanation_pb.ts";
import { rounded, roundedAway } from "../../../reference/rounding.ts";

type Explained = Pick<
  GetRiskScoreExplanationResponse,
  "staticBaseline" | "baselineWeight" | "eventWeight" | "components" | "additions" | "blendedScore" | "combinedScore"
>;

/** Returns the points of each part of a score, by name. Their sum is the score before rounding and the limit of 100. */
export function contributionsOf(explained: Explained): [name: string, points: number][] {
  const { staticBaseline, baselineWeight, eventWeight, components, additions, blendedScore, combinedScore } = explained;
  const contributions: [string, number][] = [
    ["baseline", baselineWeight * staticBaseline],
    ...components.map(({ name, weight, score }): [string, number] => [name, eventWeight * weight * score]),
    ...additions.map(({ name, points, cap }): [string, number] => [name, Math.min(cap, points)]),
    // If a floor is higher than the sum of the other parts, this part is the difference.
    ["floor", Math.max(0, combinedScore - rounded(blendedScore))],
  ];
  return contributions.map(([name, points]) => [name, roundedAway(points, 6)]);
}
