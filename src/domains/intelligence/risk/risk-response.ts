import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetRiskScoreExplanationResponse } from "../../../../gen/es/ids/intelligence/v1/risk_explanation_pb.ts";
import {
  type CiiScoreSchema,
  SeverityLevel,
  type StrategicRiskSchema,
  TrendDirection,
} from "../../../../gen/es/ids/intelligence/v1/risk_pb.ts";
import { worldScore } from "./risk-method.ts";

export const componentOf = {
  newsActivity: "information",
  ciiContribution: "unrest",
  geoConvergence: "conflict",
  militaryActivity: "security",
} as const;

/** Sorts by score. The sort is stable, so countries with equal scores keep the order of the methodology. */
export function highestFirst(explanations: readonly GetRiskScoreExplanationResponse[]) {
  return explanations.toSorted((a, b) => b.combinedScore - a.combinedScore);
}

const advisoryLevels = new Map([
  [4, "do-not-travel"],
  [3, "reconsider"],
  [2, "caution"],
]);

export function ciiScore(explanation: GetRiskScoreExplanationResponse): MessageInitShape<typeof CiiScoreSchema> {
  const { region, staticBaseline, dynamicScore, combinedScore, computedAt } = explanation;
  const scores = new Map(explanation.components.map(({ name, score }) => [name, score]));
  const measured = new Set(explanation.components.filter(isMeasured).map(({ name }) => name));
  const advisory = explanation.additions.flatMap(({ inputs }) => inputs).find(({ name }) => name === "advisoryLevel");
  return {
    region,
    staticBaseline,
    dynamicScore,
    hasDynamicScore: explanation.earlier !== undefined,
    combinedScore,
    computedAt,
    methodologyVersion: explanation.methodologyVersion,
    eventMultiplier: explanation.eventMultiplier,
    trend: explanation.earlier && isObserved(explanation) ? trendOf(dynamicScore) : TrendDirection.UNSPECIFIED,
    components: {
      newsActivity: scores.get(componentOf.newsActivity) ?? 0,
      ciiContribution: scores.get(componentOf.ciiContribution) ?? 0,
      geoConvergence: scores.get(componentOf.geoConvergence) ?? 0,
      militaryActivity: scores.get(componentOf.militaryActivity) ?? 0,
      hasNewsActivity: measured.has(componentOf.newsActivity),
      hasCiiContribution: measured.has(componentOf.ciiContribution),
      hasGeoConvergence: measured.has(componentOf.geoConvergence),
      hasMilitaryActivity: measured.has(componentOf.militaryActivity),
    },
    advisoryLevel: advisoryLevels.get(advisory?.value ?? 0) ?? "",
    advisoryProvenance: provenances.get(advisory?.state ?? "") ?? "absent",
  };
}

/** Returns whether a score was measured. A score of 0 was measured only if an input was, and if none is missing. */
function isMeasured({ score, terms }: GetRiskScoreExplanationResponse["components"][number]): boolean {
  const states = new Set(terms.flatMap(({ inputs }) => inputs.map(({ state }) => state)));
  return score > 0 || (states.has("measured") && !states.has("missing"));
}

const provenances = new Map([
  ["measured", "live"],
  ["fallback", "fallback"],
]);

/** Returns whether a source reported a value for the country. Otherwise a change of the score is unknown. */
function isObserved({ components, additions }: GetRiskScoreExplanationResponse): boolean {
  const terms = components.flatMap((component) => component.terms);
  return [...terms, ...additions].some(({ inputs }) => inputs.some(({ state }) => state === "measured"));
}

/** Returns the trend of a score. A change of at most one point counts as stable. */
function trendOf(movement: number): TrendDirection {
  if (movement > 1) return TrendDirection.RISING;
  return movement < -1 ? TrendDirection.FALLING : TrendDirection.STABLE;
}

export function worldRisk(
  sorted: readonly GetRiskScoreExplanationResponse[],
): MessageInitShape<typeof StrategicRiskSchema> {
  const five = sorted.slice(0, 5);
  const score = worldScore(five.map(({ combinedScore }) => combinedScore));
  return {
    region: "global",
    level: score >= 70 ? SeverityLevel.HIGH : score >= 40 ? SeverityLevel.MEDIUM : SeverityLevel.LOW,
    score,
    factors: five.map(({ region }) => region),
    trend: five.some(isObserved) ? TrendDirection.STABLE : TrendDirection.UNSPECIFIED,
  };
}
