import { mean, total } from "../../../reference/sums.ts";
import { reexportHubs } from "../countries.ts";
import type { CountryData, Inputs } from "../country-data.ts";
import type { InputName } from "../inputs.ts";
import { clamped } from "./scale.ts";

// Values that are computed from inputs with a formula. A value is undefined if one of its inputs is unknown.

/** Returns the increase of the debt over a year in percent. A decrease counts as 0. */
export function debtGrowth(data: CountryData): number | undefined {
  const [last, before] = data.readings("debt");
  if (!last || !before || Number(last.period) !== Number(before.period) + 1 || before.value <= 0) return undefined;
  return Math.max(0, (last.value / before.value - 1) * 100);
}

const gapInputs = ["debt", "fiscalBalance", "primaryBalance", "growth", "inflation"] as const;
/** The formula of the debt gap is not valid for a country whose inflation is higher than this percentage. */
const maxInflation = 10;

/**
 * Returns the primary balance minus the balance that would stabilize the debt, in percent of GDP, for the newest year
 * for which all inputs are known.
 */
export function debtSustainabilityGap(data: CountryData): number | undefined {
  const years = new Map(gapInputs.map((input) => [input, new Map(yearly(data, input))]));
  const valueIn = (input: (typeof gapInputs)[number], year: string) => years.get(input)?.get(year);
  const year = data
    .readings("debt")
    .map(({ period }) => period)
    .find((period) => gapInputs.every((input) => valueIn(input, period) !== undefined));
  if (year === undefined) return undefined;
  const [debt = 0, balance = 0, primary = 0, growth = 0, inflation = 0] = gapInputs.map((input) =>
    valueIn(input, year),
  );
  return inflation > maxInflation || debt <= 0 ? undefined : gapOf({ debt, balance, primary, growth, inflation });
}

function yearly(data: CountryData, input: InputName): [string, number][] {
  return data.readings(input).map(({ period, value }) => [period, value]);
}

/** Computes by how much the primary balance exceeds the balance that stabilizes the debt. All values are in percent. */
export function gapOf(of: {
  debt: number;
  balance: number;
  primary: number;
  growth: number;
  inflation: number;
}): number {
  const growth = (1 + of.growth / 100) * (1 + of.inflation / 100) - 1;
  const interest = Math.max(0, (of.primary - of.balance) / of.debt);
  const holding = ((interest - growth) / (1 + growth)) * of.debt;
  return of.primary - holding;
}

/** Converts a number per ten thousand people to a number per thousand. */
export function tenth(count: number | undefined): number | undefined {
  return count === undefined ? undefined : count / 10;
}

/** Returns the points for a tariff in percent: 2 above 10, 1 above 5, otherwise 0. */
export function severity(percent: number | undefined): number | undefined {
  if (percent === undefined) return undefined;
  return percent > 10 ? 2 : percent > 5 ? 1 : 0;
}

export function farmGap(data: CountryData): number | undefined {
  const [farm, other] = [data.value("mfnAgricultural"), data.value("mfnOther")];
  return farm === undefined || other === undefined ? undefined : farm - other;
}

/** Returns how exposed a country is to trade, from 0 to 1. It is 1 if trade is at least half of the GDP. */
export function tradeExposure(data: CountryData): number | undefined {
  const share = data.value("tradeShare");
  return share === undefined ? undefined : clamped(share / 50, 0, 1);
}

export function importedFossils(data: CountryData): number | undefined {
  const [fossils, imports] = [data.value("fossilShare"), data.value("energyImports")];
  return fossils === undefined || imports === undefined ? undefined : (fossils * Math.max(imports, 0)) / 100;
}

/** Returns by how much gas storage is below a fill of 80 percent, as a percentage of 80. */
export function gasStress(data: CountryData): number | undefined {
  const fill = data.value("gasFill");
  return fill === undefined ? undefined : clamped((80 - fill) / 80, 0, 1) * 100;
}

/** Returns 2·events + points for the kinds of events + √deaths, from the conflict events in the country. */
export function conflictPressure(data: CountryData): number | undefined {
  const [events, kinds, deaths] = (["conflictEvents", "conflictKinds", "conflictDeaths"] as const).map(data.value);
  if (events === undefined || kinds === undefined || deaths === undefined) return undefined;
  return 2 * events + kinds + Math.sqrt(deaths);
}

/** Returns the conflict pressure per million people. A smaller population counts as half a million. */
export function conflictPerMillion(data: CountryData): number | undefined {
  const pressure = conflictPressure(data);
  return pressure === undefined ? undefined : pressure / Math.max((people(data) ?? 0) / 1e6, 0.5);
}

/** Returns the number of people. The source reports millions, so a value of 10,000 or more must be people already. */
export function people(data: CountryData): number | undefined {
  const population = data.value("population");
  if (population === undefined) return undefined;
  return population >= 10_000 ? population : population * 1e6;
}

export function log10(count: number | undefined): number | undefined {
  return count === undefined ? undefined : Math.log10(Math.max(count, 1));
}

const governance = ["voice", "stability", "effectiveness", "regulation", "ruleOfLaw", "corruption"] as const;

export function governanceMean(data: CountryData): number | undefined {
  const known = governance.flatMap((input) => data.value(input) ?? []);
  return known.length === 0 ? undefined : mean(known);
}

export function debtToReserves(data: CountryData): number | undefined {
  const [debt, reserves] = [data.value("shortTermDebt"), data.value("reserves")];
  return !debt || !reserves ? undefined : debt / reserves;
}

const maxMonths = 12;

/** Returns how many months of imports reserves cover. For a re-export hub, re-exported imports do not count. */
export function liquidMonths(data: CountryData): number | undefined {
  const months = data.value("reserveMonths");
  if (months === undefined) return undefined;
  const reexportShare = reexportHubs.split(" ").includes(data.country) ? (data.value("reexportShare") ?? 0) : 0;
  return Math.min(months, maxMonths) / (1 - reexportShare);
}

/** Returns the months of imports that a country's usable sovereign funds cover. Undefined without a fund. */
export function fundMonths(data: CountryData): number | undefined {
  const own = data.readings("usableFunds");
  const imports = data.value("imports");
  if (own.length === 0 || !imports) return undefined;
  return (total(own.map(({ value }) => value)) / imports) * 12;
}

export function schoolingCertainty(data: CountryData, inputs: Inputs): number {
  const age = ageOf(data, "schooling", inputs);
  return age <= 5 ? 1 : age <= 10 ? 0.8 : 0.6;
}

export function partnersCertainty(data: CountryData, inputs: Inputs): number {
  return clamped(1 - 0.2 * (ageOf(data, "importHhi", inputs) - 4), 0.3, 1);
}

function ageOf(data: CountryData, input: InputName, { now }: Inputs): number {
  return now.getUTCFullYear() - Number(data.readings(input)[0]?.period.slice(0, 4) ?? 0);
}
