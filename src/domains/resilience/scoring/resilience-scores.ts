import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ExplainedDimensionSchema,
  type ExplainedIndicatorSchema,
  type ExplainedInputSchema,
  GetResilienceScoreExplanationResponseSchema,
} from "../../../../gen/es/ids/resilience/v1/resilience_explanation_pb.ts";
import {
  GetResilienceScoreResponseSchema,
  ResilienceDomainSchema,
  ResiliencePillarSchema,
  ResilienceService,
} from "../../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { ResilienceAssessmentSchema, ResilienceInputSchema } from "../../../../gen/es/ids/stored/v1/resilience_pb.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { seriesOfField, seriesOfMessage, seriesReported } from "../../../ingest/series/series.ts";
import { storeMessage, storeParts } from "../../../ingest/snapshot.ts";
import { dayMs } from "../../../reference/duration.ts";
import type { Transaction } from "../../../store/tables.ts";
import { inventedAt } from "../../history/published.ts";
import { type CountryData, type Inputs, worldOf } from "../country-data.ts";
import { type AsOf, neighborDatasets } from "../cross-domain-readings.ts";
import { resilienceInputs } from "../inputs/resilience-inputs.ts";
import { fundReadings, fundTable } from "../inputs/sovereign-funds.ts";
import { hasFinance } from "../method/financial-exposure.ts";
import type { IndicatorScore } from "../method/indicator.ts";
import { scaleText } from "../method/scale.ts";
import { dimensions, type ImputationId, imputations, methodologyVersion, rules } from "../method/structure.ts";
import { readInputs, type Stored, withNeighbors } from "../stored-readings.ts";
import { type Assessed, type AssessedNow, assess, rankingResponse, scoreResponse, withMovement } from "./assessment.ts";
import type { DimensionScore } from "./dimension-score.ts";
import { readHistory, retainScores } from "./resilience-history.ts";
import { contributionsOf } from "./score-contributions.ts";
import { isFailed } from "./source-age.ts";

const terms = {
  step: "refresh",
  shownBy: ResilienceService.method.getResilienceScore,
  methodology: methodologyVersion,
} as const;

const contribution = seriesReported({
  ...terms,
  id: "resilience.contribution",
  title: "Points that a domain contributes to the resilience score, or by which the weakest pillar reduces it.",
  keyParts: ["country", "contribution"],
});
const scoreSeries = seriesOfField(
  { ...terms, id: "resilience.score", keyParts: ["country"], components: contribution },
  GetResilienceScoreResponseSchema.field.overallScore,
);
const domain = seriesOfField(
  { ...terms, id: "resilience.domain", keyParts: ["country", "domain"] },
  ResilienceDomainSchema.field.score,
);
const pillar = seriesOfField(
  { ...terms, id: "resilience.pillar", keyParts: ["country", "pillar"] },
  ResiliencePillarSchema.field.score,
);

/** The history of countries' resilience. If the score of a country is unknown, the day has no point. */
const resilienceSeries = seriesOfMessage(
  ResilienceAssessmentSchema,
  [scoreSeries, domain, pillar, contribution],
  function* ({ scores, missingInputs: missing }, at) {
    for (const score of scores) {
      const { countryCode, overallScore, level, domains, pillars } = score;
      if (level === "unknown") continue;
      yield { series: scoreSeries, key: countryCode, at, value: overallScore, missing };
      for (const [name, value] of contributionsOf(score))
        yield { series: contribution, key: `${countryCode}/${name}`, at, value, missing };
      for (const { id, score: value, dimensions } of domains)
        if (dimensions.some(({ coverage }) => coverage > 0))
          yield { series: domain, key: `${countryCode}/${id}`, at, value, missing };
      for (const { id, score: value, coverage } of pillars)
        if (coverage > 0) yield { series: pillar, key: `${countryCode}/${id}`, at, value, missing };
    }
  },
);

/** For samples, scores are invented for these numbers of days before today, so that responses can show changes. */
const sampleDaysBefore = [30, 21, 14, 7];

export const resilienceScores = dataset({
  name: "resilience-scores",
  subject: "Resilience score and ranking of countries, with domains and dimensions.",
  row: ResilienceInputSchema,
  message: ResilienceAssessmentSchema,
  series: resilienceSeries,
  parts: [GetResilienceScoreExplanationResponseSchema],
  schedule: "35 * * * *",
  freshForMinutes: 3 * 60,
  // After a start, the last scores are served until new ones are computed, because most inputs are annual.
  servableForMinutes: 7 * 24 * 60,
  serves: [
    ResilienceService.method.getResilienceScore,
    ResilienceService.method.getResilienceRanking,
    ResilienceService.method.getResilienceScoreExplanation,
    ResilienceService.method.getResilienceRuntimeManifest,
  ],
  inputsOf: ({ countryCode }, { missingInputs, scores }) => ({
    missing: missingInputs as string[],
    coverage: coverageOf((scores as unknown as PlainScore[]).find((score) => score.countryCode === countryCode)),
  }),
  main: [resilienceInputs],
  sources: [],
  reads: [resilienceInputs, ...neighborDatasets],
  follows: [resilienceInputs],
  tables: [fundTable],
  async write(transaction, { generation, origin, now }) {
    const point = { origin, now };
    const { dataVersion, ...own } = await readInputs(transaction, point);
    const inputs = await worldAt(transaction, own, point);
    const assessedInputs = assess(inputs);
    let history = await readHistory(transaction, point);
    if (origin === "sample" && history.size === 0) {
      await retainSampleDays(transaction, assessedInputs, point);
      history = await readHistory(transaction, point);
    }
    const assessed = withMovement(assessedInputs, history);
    await retainScores(transaction, assessed, point);
    const explanations = explained(assessed, inputs);
    await storeParts(transaction, GetResilienceScoreExplanationResponseSchema, explanations, generation);
    const computedAt = now.toISOString();
    const stored = await storeMessage(
      transaction,
      ResilienceAssessmentSchema,
      {
        computedAt,
        scores: assessed.map((each) => scoreResponse(each, dataVersion)),
        ranking: rankingResponse(assessed, computedAt),
        rolledBack: hasFinance(inputs) ? [] : ["financialSystemExposure"],
        missingInputs: [...inputs.readAt.keys()].filter((source) => isFailed(source, inputs)),
      },
      generation,
    );
    return stored.scores.some(({ level }) => level !== "unknown") ? stored.scores.length : 0;
  },
});

interface PlainScore {
  readonly countryCode: string;
  readonly domains: readonly {
    readonly dimensions: readonly { readonly id: string; readonly coverage: number; readonly observedWeight: number }[];
  }[];
}

/** Returns a text for the coverage of each dimension of a country. It changes only if other inputs become known. */
function coverageOf(score: PlainScore | undefined): string[] {
  const dimensions = score?.domains.flatMap((domain) => domain.dimensions) ?? [];
  return dimensions.map(({ id, coverage, observedWeight }) => `${id} ${coverage} ${observedWeight}`);
}

function* explained(assessed: readonly Assessed[], inputs: Inputs): Generator<[country: string, Explanation]> {
  for (const each of assessed) yield [each.score.country, explain(each, inputs)];
}

async function retainSampleDays(
  transaction: Transaction,
  assessed: readonly AssessedNow[],
  { origin, now }: AsOf,
): Promise<void> {
  for (const days of sampleDaysBefore) {
    const at = now.getTime() - days * dayMs;
    const then = assessed.flatMap(({ score }) =>
      inventedAt(scoreSeries, { key: score.country, at: now.getTime(), value: score.overall, basis: 0 }, [at]).map(
        ({ value }) => ({ score: { ...score, overall: value } }),
      ),
    );
    await retainScores(transaction, then, { origin, now: new Date(at) });
  }
}

async function worldAt(transaction: Transaction, own: Stored, point: AsOf): Promise<Inputs> {
  const { readings, readAt } = await withNeighbors(transaction, own, point);
  const known = new Map([...readAt, [fundTable.name, point.now]]);
  return worldOf([...readings, ...fundReadings], known, point.now);
}

type Explanation = MessageInitShape<typeof GetResilienceScoreExplanationResponseSchema>;

function explain({ score, confidence, population }: Assessed, inputs: Inputs): Explanation {
  const data = inputs.of(score.country);
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
        dimensions: domain.dimensions.map((dimension) => explainDimension(dimension, data, inputs)),
      })),
    })),
  };
}

function explainDimension(
  { id, score, coverage, imputationClass, imputation, slots }: DimensionScore,
  data: CountryData,
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
    indicators: slots.map((slot) => explainSlot(slot, data, inputs)),
  };
}

function explainSlot(
  { indicator, weight, factor, value, score, certainty, imputation }: IndicatorScore,
  data: CountryData,
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
      data.readings(name).map(
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
