import { rounded } from "../../../reference/rounding.ts";
import { total } from "../../../reference/sums.ts";
import type { CountryData, Inputs } from "../country-data.ts";
import { adjusted, capped, hasFinance } from "../method/financial-exposure.ts";
import { type IndicatorScore, isReported, slotOf } from "../method/indicator.ts";
import { indicators } from "../method/indicators.ts";
import {
  currencyCoverage,
  type DimensionId,
  dimensions,
  type ImputationClass,
  type ImputationId,
  imputationClasses,
  imputations,
  rules,
} from "../method/structure.ts";
import { type Freshness, freshnessOf, isFailed, sourcesBehind } from "./source-age.ts";

export interface DimensionScore {
  readonly id: DimensionId;
  /** The score of the dimension, an integer from 0 to 100. */
  readonly score: number;
  /** The coverage of the dimension, 0 to 1 with two decimals. */
  readonly coverage: number;
  readonly observedWeight: number;
  readonly imputedWeight: number;
  readonly imputationClass: ImputationClass;
  readonly freshness: Freshness;
  readonly slots: readonly IndicatorScore[];
  readonly imputation?: ImputationId;
}

type Weights = Omit<DimensionScore, "id" | "freshness" | "slots" | "imputation">;

const nothing: Weights = { score: 0, coverage: 0, observedWeight: 0, imputedWeight: 0, imputationClass: "" };
const retired: Weights = { ...nothing, score: 50 };

export function scoreDimension(id: DimensionId, data: CountryData, inputs: Inputs): DimensionScore {
  const freshness = freshnessOf(indicators[id], inputs);
  const made = { id, freshness };
  if ("retired" in dimensions[id]) return { ...made, ...retired, slots: [] };
  const raw = indicators[id].map((indicator) => slotOf(indicator, data, inputs));
  if (id === "financialSystemExposure") return { ...made, ...scoreFinance(raw, data, inputs) };
  const slots = id === "education" && isEducationBroken(inputs) ? raw.map(unscored) : raw;
  const combined = combine(slots);
  const absent = absentOf(id, data);
  const reported = indicators[id].filter((indicator) => isReported(indicator, inputs));
  const failed = sourcesBehind(reported, inputs).some((source) => isFailed(source, inputs));
  if (slots.every(({ score }) => score === undefined) && absent && reported.length > 0) {
    const { score, certainty: coverage } = imputations[absent];
    const weights = { score, coverage, observedWeight: 0, imputedWeight: absent === "noFund" ? 0 : 1 };
    const isFailure = absent !== "noFund" && (failed || (id === "education" && isEducationBroken(inputs)));
    const imputationClass = isFailure ? "source-failure" : imputations[absent].class;
    return { ...made, ...weights, imputationClass, slots, imputation: absent };
  }
  const scored = id === "currencyExternal" ? { ...combined, coverage: currencyShare(slots) } : combined;
  const isFailure = failed && scored.imputationClass !== "";
  return { ...made, ...scored, ...(isFailure && { imputationClass: "source-failure" as const }), slots };
}

export function combine(slots: readonly IndicatorScore[]): Weights {
  const scored = slots.filter((slot): slot is IndicatorScore & { score: number } => slot.score !== undefined);
  const shares = total(scored.map(({ weight, factor }) => weight * factor));
  const nominal = total(slots.map(({ weight }) => weight));
  if (shares === 0) return nothing;
  const weightOf = (some: readonly IndicatorScore[]) => rounded(total(some.map(({ weight }) => weight)), 4);
  const imputed = scored.filter(({ imputation }) => imputation);
  const observedWeight = weightOf(scored.filter(({ imputation }) => !imputation));
  return {
    score: rounded(total(scored.map(({ score, weight, factor }) => score * weight * factor)) / shares),
    coverage: rounded(total(scored.map(({ weight, certainty }) => weight * certainty)) / nominal, 2),
    observedWeight,
    imputedWeight: weightOf(imputed),
    imputationClass: observedWeight === 0 ? mainClass(imputed) : "",
  };
}

function mainClass(imputed: readonly IndicatorScore[]): ImputationClass {
  const weightOf = (name: string) =>
    total(imputed.map(({ imputation, weight }) => (imputation && imputations[imputation].class === name ? weight : 0)));
  return imputationClasses.reduce<ImputationClass>(
    (main, name) => (weightOf(name) > (main === "" ? 0 : weightOf(main)) ? name : main),
    "",
  );
}

function scoreFinance(
  raw: readonly IndicatorScore[],
  data: CountryData,
  inputs: Inputs,
): Weights & Pick<DimensionScore, "slots"> {
  if (!hasFinance(inputs)) return { ...nothing, slots: raw.map(unscored) };
  const failed = sourcesBehind(indicators.financialSystemExposure, inputs).some((source) => isFailed(source, inputs));
  if (failed) return { ...nothing, imputedWeight: 1, imputationClass: "source-failure", slots: raw.map(unscored) };
  const slots = adjusted(raw, data, inputs);
  const combined = combine(slots);
  return { ...combined, score: capped(combined.score, data), slots };
}

/** Returns the dimension without scores and substitutes, because no value of the country was observed. */
export function emptied({ id, freshness, slots }: DimensionScore): DimensionScore {
  return { id, freshness, ...nothing, slots: slots.map(unscored) };
}

function unscored({ indicator, weight, factor }: IndicatorScore): IndicatorScore {
  return { indicator, weight, factor, certainty: 0 };
}

function currencyShare([inflation, reserves]: readonly IndicatorScore[]): number {
  if (inflation?.score === undefined) return reserves?.score === undefined ? 0 : currencyCoverage.reserves;
  return reserves?.score === undefined ? currencyCoverage.inflation : currencyCoverage.both;
}

function isEducationBroken(inputs: Inputs): boolean {
  return inputs.countryCount("schooling") < rules.minEducationCountries;
}

/** Returns the substitute for a dimension. A fund that covers an unknown number of months counts as missing data. */
function absentOf(id: DimensionId, data: CountryData): ImputationId | undefined {
  if (id === "sovereignFiscalBuffer" && data.value("usableFunds") !== undefined) return "noRecoveryData";
  const terms = dimensions[id];
  return "absent" in terms ? terms.absent : undefined;
}
