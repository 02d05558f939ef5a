import { create } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import type { GetRiskScoreExplanationResponse } from "../../../../gen/es/ids/intelligence/v1/risk_explanation_pb.ts";
import { RiskAssessmentSchema } from "../../../../gen/es/ids/stored/v1/risk_pb.ts";
import { minuteMs } from "../../../reference/duration.ts";
import type { Served } from "../../../store/served/served.ts";
import { explainNothing } from "./risk-explanation.ts";
import { ciiScore, componentOf, highestFirst, worldRisk } from "./risk-response.ts";
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
      const sorted = highestFirst(chosen);
      return {
        ciiScores: sorted.map(ciiScore),
        strategicRisks: region === "" ? [worldRisk(sorted)] : [],
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

/** Components of the answer that no source tells anything of. */
function unsourced(explanation: GetRiskScoreExplanationResponse | undefined): string[] {
  const isAbsent = (component: string) =>
    explanation?.components
      .find(({ name }) => name === component)
      ?.terms.every(({ inputs }) => inputs.every(({ state }) => state === "absent"));
  return Object.entries(componentOf).flatMap(([field, component]) => (isAbsent(component) ? [field] : []));
}
