import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetRiskScoreExplanationResponseSchema,
  RiskSnapshotSchema,
  RiskTermSchema,
} from "../../../../gen/es/ids/intelligence/v1/risk_explanation_pb.ts";
import { rounded } from "../../../reference/rounding.ts";
import { type RiskCountry, riskCountries } from "./risk-countries.ts";
import type { RiskInputName } from "./risk-inputs.ts";
import { baselineWeight, eventWeight, methodologyVersion, scoreCountry, type TermScore } from "./risk-method.ts";
import { type Reading, type Readings, readInputs } from "./risk-values.ts";

export type Explanation = MessageInitShape<typeof GetRiskScoreExplanationResponseSchema> & {
  readonly region: string;
  readonly combinedScore: number;
};

export type Earlier = MessageInitShape<typeof RiskSnapshotSchema> & { readonly combinedScore: number };

export function explainAll(readings: Readings, now: Date, earlier: ReadonlyMap<string, Earlier>): Explanation[] {
  return riskCountries.map((country) => explain(country, readings, now, earlier.get(country.code)));
}

/** Returns the scores without any input: baselines and floors. */
export function explainNothing(now: Date): Explanation[] {
  return explainAll(readInputs(new Map(), now), now, new Map());
}

function explain(country: RiskCountry, readings: Readings, now: Date, earlier: Earlier | undefined): Explanation {
  const inputs = readings.of(country);
  const score = scoreCountry(country, Object.fromEntries([...inputs].map(([name, { value }]) => [name, value])));
  const information = score.components.find(({ component }) => component.name === "information");
  const named = (names: readonly RiskInputName[]): Reading[] => names.flatMap((name) => inputs.get(name) ?? []);
  const inputsOfInformation = named(information?.terms.flatMap(({ term }) => term.inputs) ?? []);
  const informed = {
    name: "information",
    value: information?.score ?? 0,
    // If no source reports the inputs, nothing is derived.
    state: inputsOfInformation.every(({ state }) => state === "absent") ? "absent" : "derived",
  };
  const termOf = ({ term, points }: TermScore): MessageInitShape<typeof RiskTermSchema> => ({
    name: term.name,
    formula: term.formula,
    inputs: term.inputs.length > 0 ? named(term.inputs) : [informed],
    points,
    cap: term.cap,
  });
  return {
    region: country.code,
    scored: true,
    methodologyVersion,
    computedAt: BigInt(now.getTime()),
    degraded: readings.missing.length > 0,
    missingInputs: [...readings.missing],
    staticBaseline: country.baseline,
    baselineWeight,
    eventMultiplier: country.multiplier,
    eventWeight,
    components: score.components.map(({ component, score, terms }) => ({
      name: component.name,
      weight: component.weight,
      score,
      terms: terms.map(termOf),
    })),
    additions: score.additions.map(termOf),
    floors: score.floors.map(({ floor, holds }) => ({
      name: floor.name,
      condition: floor.condition,
      score: floor.score,
      holds,
      inputs: named(floor.inputs),
    })),
    blendedScore: score.blended,
    combinedScore: score.combined,
    ...(earlier && { earlier, dynamicScore: rounded(score.combined - earlier.combinedScore, 1) }),
  };
}
