import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import type { GetRiskScoreExplanationResponse } from "../../../../gen/es/ids/intelligence/v1/risk_explanation_pb.ts";
import {
  type CiiScoreSchema,
  SeverityLevel,
  type StrategicRiskSchema,
  TrendDirection,
} from "../../../../gen/es/ids/intelligence/v1/risk_pb.ts";
import { RiskAssessmentSchema } from "../../../../gen/es/ids/stored/v1/risk_pb.ts";
import { minuteMs } from "../../../reference/duration.ts";
import type { Served } from "../../../store/served/served.ts";
import { explainNothing } from "./risk-explanation.ts";
import { worldScore } from "./risk-method.ts";
import { riskScores } from "./risk-scores.ts";

type RiskOperations = Pick<ServiceImpl<typeof IntelligenceService>, "getRiskScores" | "getRiskScoreExplanation">;

/** Scores that were not computed anew are served this long. */
const retainedMs = 60 * minuteMs;

/** Scores and their explanations, of one computation. */
export function riskOperations({
  served,
  clock,
}: {
  readonly served: Served;
  readonly clock: () => Date;
}): RiskOperations {
  /** What is known now; what is not as it should be is not to be kept. */
  function assessed(context: HandlerContext) {
    const now = clock();
    const stored = served.messageIfAny(riskScores, context, { flagged: "incomplete" });
    const age = stored
      ? now.getTime() - served.dataset(riskScores, context, { flagged: "incomplete" }).storedAt.getTime()
      : retainedMs + 1;
    const explanations =
      stored && age <= retainedMs
        ? stored.explanations
        : create(RiskAssessmentSchema, { explanations: explainNothing(now) }).explanations;
    const stale = age > riskScores.freshForMinutes * minuteMs && age <= retainedMs;
    const missingInputs = explanations[0]?.missingInputs ?? [];
    const degraded = stale || missingInputs.length > 0;
    if (degraded) context.responseHeader.set("Cache-Control", "no-store");
    const state = { degraded, stale, missingInputs: [...missingInputs, ...unsourced(explanations[0])] };
    return { explanations, state };
  }

  return {
    getRiskScores({ region }, context) {
      const { explanations, state } = assessed(context);
      const chosen = explanations.filter((explanation) => region === "" || explanation.region === region);
      // Sorting is stable: equal scores stay in the order of the methodology.
      const highestFirst = chosen.sort((a, b) => b.combinedScore - a.combinedScore);
      return {
        ciiScores: highestFirst.map(ciiScore),
        strategicRisks: region === "" ? [worldRisk(highestFirst)] : [],
        ...state,
      };
    },
    getRiskScoreExplanation({ region }, context) {
      const { explanations, state } = assessed(context);
      const explanation = explanations.find((each) => each.region === region);
      return explanation ? { ...explanation, ...state } : { region };
    },
  };
}

/** What the methodology calls the components of the answer. */
const componentOf = {
  newsActivity: "information",
  ciiContribution: "unrest",
  geoConvergence: "conflict",
  militaryActivity: "security",
} as const;

/** Components of the answer that no source tells anything of. */
function unsourced(explanation: GetRiskScoreExplanationResponse | undefined): string[] {
  const isAbsent = (component: string) =>
    explanation?.components
      .find(({ name }) => name === component)
      ?.terms.every(({ inputs }) => inputs.every(({ state }) => state === "absent"));
  return Object.entries(componentOf).flatMap(([field, component]) => (isAbsent(component) ? [field] : []));
}

const advisoryLevels = new Map([
  [4, "do-not-travel"],
  [3, "reconsider"],
  [2, "caution"],
]);

function ciiScore(explanation: GetRiskScoreExplanationResponse): MessageInitShape<typeof CiiScoreSchema> {
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
    trend: isObserved(explanation) ? trendOf(dynamicScore) : TrendDirection.UNSPECIFIED,
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

/** A component of which something was measured; 0 says nothing while one of its sources is missing. */
function isMeasured({ score, terms }: GetRiskScoreExplanationResponse["components"][number]): boolean {
  const states = new Set(terms.flatMap(({ inputs }) => inputs.map(({ state }) => state)));
  return score > 0 || (states.has("measured") && !states.has("missing"));
}

const provenances = new Map([
  ["measured", "live"],
  ["fallback", "fallback"],
]);

/** Whether any source told anything of the country; without that nothing is known of a movement. */
function isObserved({ components, additions }: GetRiskScoreExplanationResponse): boolean {
  const terms = components.flatMap((component) => component.terms);
  return [...terms, ...additions].some(({ inputs }) => inputs.some(({ state }) => state === "measured"));
}

/** A movement of one point is none. */
function trendOf(movement: number): TrendDirection {
  if (movement > 1) return TrendDirection.RISING;
  return movement < -1 ? TrendDirection.FALLING : TrendDirection.STABLE;
}

function worldRisk(
  highestFirst: readonly GetRiskScoreExplanationResponse[],
): MessageInitShape<typeof StrategicRiskSchema> {
  const five = highestFirst.slice(0, 5);
  const score = worldScore(five.map(({ combinedScore }) => combinedScore));
  return {
    region: "global",
    level: score >= 70 ? SeverityLevel.HIGH : score >= 40 ? SeverityLevel.MEDIUM : SeverityLevel.LOW,
    score,
    factors: five.map(({ region }) => region),
    trend: five.some(isObserved) ? TrendDirection.STABLE : TrendDirection.UNSPECIFIED,
  };
}
