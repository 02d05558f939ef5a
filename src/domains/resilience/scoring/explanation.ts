import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ExplainedDimensionSchema,
  ExplainedIndicatorSchema,
  ExplainedInputSchema,
  GetResilienceScoreExplanationResponseSchema,
} from "../../../../gen/es/ids/resilience/v1/resilience_explanation_pb.ts";
import type { Facts, Inputs } from "../facts.ts";
import type { IndicatorScore } from "../method/indicator-score.ts";
import { scaleText } from "../method/scale.ts";
import { dimensions, type ImputationId, imputations, methodologyVersion, rules } from "../method/structure.ts";
import type { Assessed } from "./assessment.ts";
import type { DimensionScore } from "./dimension-score.ts";

export type Explanation = MessageInitShape<typeof GetResilienceScoreExplanationResponseSchema>;

/** How a score comes about, from the values up. */
export function explain({ score, confidence, population }: Assessed, inputs: Inputs): Explanation {
  const facts = inputs.of(score.country);
  return {
    countryCode: score.country,
    overallScore: score.overall,
    level: score.level,
    methodologyVersion,
    computedAt: inputs.now.toISOString(),
    penalty: rules.penalty,
    imputedFactor: rules.imputedFactor,
    population: population ?? 0,
    ...confidence,
    pillars: score.pillars.map((pillar) => ({
      ...pillar,
      domains: pillar.domains.map((domain) => ({
        ...domain,
        dimensions: domain.dimensions.map((dimension) => explainDimension(dimension, facts, inputs)),
      })),
    })),
  };
}

function explainDimension(
  { id, score, coverage, imputationClass, imputation, slots }: DimensionScore,
  facts: Facts,
  inputs: Inputs,
): MessageInitShape<typeof ExplainedDimensionSchema> {
  return {
    id,
    score,
    coverage,
    imputationClass,
    weight: dimensions[id].weight,
    imputation: imputationText(imputation),
    retired: "retired" in dimensions[id],
    indicators: slots.map((slot) => explainSlot(slot, facts, inputs)),
  };
}

function explainSlot(
  { indicator, weight, factor, value, score, certainty, imputation }: IndicatorScore,
  facts: Facts,
  countryInputs: Inputs,
): MessageInitShape<typeof ExplainedIndicatorSchema> {
  const { id, formula, scale, missing = "", inputs } = indicator;
  return {
    id,
    weight,
    factor,
    formula,
    certainty,
    missing,
    scale: scaleText(scale),
    imputation: imputationText(imputation),
    ...(value !== undefined && { value }),
    ...(score !== undefined && { score }),
    inputs: inputs.flatMap((name) =>
      facts.readings(name).map(
        ({ value: read, period, source, series }): MessageInitShape<typeof ExplainedInputSchema> => ({
          name,
          value: read,
          period,
          source,
          series,
          readAt: countryInputs.readAt.get(source)?.toISOString() ?? "",
        }),
      ),
    ),
  };
}

function imputationText(imputation: ImputationId | undefined): string {
  return imputation === undefined ? "" : `${imputation}: ${imputations[imputation].when}`;
}
