import { languages } from "../countries.ts";
import { type CountryData, type Inputs, sourcesOf } from "../country-data.ts";
import type { Indicator } from "./indicator.ts";
import { scoreOn } from "./scale.ts";
import { type ImputationId, imputations } from "./structure.ts";

/** The result of an indicator for a country. It has no score if the value is unknown. */
export interface IndicatorScore {
  readonly indicator: Indicator;
  /** The share of the indicator in the coverage and in the weights. */
  readonly weight: number;
  /** The factor on the share of the indicator in the score. */
  readonly factor: number;
  readonly value?: number | undefined;
  /** 0 to 100. */
  readonly score?: number | undefined;
  /** 0 to 1. */
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
