import { languages } from "../countries.ts";
import { type CountryData, type Inputs, sourcesOf } from "../country-data.ts";
import type { InputName } from "../inputs.ts";
import { type Scale, scoreOn } from "./scale.ts";
import { type ImputationId, imputations } from "./structure.ts";

export interface Indicator {
  readonly id: string;
  readonly weight: number;
  readonly inputs: readonly InputName[];
  /** The formula by which the value is computed from inputs, as text. Empty if the value is an input itself. */
  readonly formula: string;
  readonly scale: Scale;
  readonly value: (data: CountryData, countryInputs: Inputs) => number | undefined;
  /** Returns how certain the value is, from 0 to 1. The default is 1. */
  readonly certainty?: (data: CountryData, countryInputs: Inputs) => number;
  /** Returns which share of the country a worldwide disruption reaches. The rest of the country scores 100. */
  readonly exposure?: (data: CountryData) => number | undefined;
  /** Whether the indicator counts less for countries that English-language sources cover poorly. */
  readonly byLanguage?: true;
  readonly absent?: ImputationId;
  readonly missing?: string;
}

export type Line = readonly [worst: number, best: number];
type Extras = Partial<Pick<Indicator, "absent" | "certainty" | "exposure" | "byLanguage">>;

const scaleOf = (scale: Line | Scale): Scale => ("length" in scale ? { worst: scale[0], best: scale[1] } : scale);

export function direct(
  id: string,
  weight: number,
  input: InputName,
  scale: Line | Scale,
  extras: Extras = {},
): Indicator {
  const value = (data: CountryData) => data.value(input);
  return { id, weight, inputs: [input], formula: "", scale: scaleOf(scale), value, ...extras };
}

export function derived(
  id: string,
  weight: number,
  inputs: readonly InputName[],
  formula: string,
  scale: Line | Scale,
  value: Indicator["value"],
  extras: Extras = {},
): Indicator {
  return { id, weight, inputs, formula, scale: scaleOf(scale), value, ...extras };
}

export function missing(id: string, weight: number, scale: Line, reason: string, extras: Extras = {}): Indicator {
  return {
    id,
    weight,
    inputs: [],
    formula: "",
    scale: scaleOf(scale),
    value: () => undefined,
    missing: reason,
    ...extras,
  };
}

/** An indicator with its score for one country. The score is absent if the value is unknown and has no substitute. */
export interface IndicatorScore {
  readonly indicator: Indicator;
  /** The weight of the indicator, which determines the coverage and is shown in responses. */
  readonly weight: number;
  /** The factor by which the weight of the indicator is multiplied for the score. */
  readonly factor: number;
  readonly value?: number | undefined;
  /** The score of the indicator, 0 to 100. */
  readonly score?: number | undefined;
  /** How certain the value is, 0 to 1. */
  readonly certainty: number;
  readonly imputation?: ImputationId;
}

export function slotOf(indicator: Indicator, data: CountryData, inputs: Inputs): IndicatorScore {
  const { weight, absent } = indicator;
  const slot = { indicator, weight, factor: indicator.byLanguage ? languageFactor(data.country) : 1 };
  const value = indicator.value(data, inputs);
  const { scale, exposure } = indicator;
  const score = value === undefined ? undefined : scoreOn(scale, value, exposure?.(data));
  if (score !== undefined) return { ...slot, value, score, certainty: indicator.certainty?.(data, inputs) ?? 1 };
  if (absent === undefined || !isReported(indicator, inputs)) return { ...slot, certainty: 0 };
  const { score: substitute, certainty } = imputations[absent];
  return { ...slot, score: substitute, certainty, imputation: absent };
}

export function isReported({ inputs }: Indicator, countryInputs: Inputs): boolean {
  return inputs.length > 0 && inputs.every((input) => sourcesOf(countryInputs, input).length > 0);
}

export function languageFactor(country: string): number {
  const group = Object.values(languages).find(({ countries }) => countries.split(" ").includes(country));
  return (group ?? languages.minimal).factor;
}
