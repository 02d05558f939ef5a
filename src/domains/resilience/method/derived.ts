import { reexportHubs } from "../countries.ts";
import type { InputName } from "../inputs.ts";
import type { Inputs, Metadata } from "../metadata.ts";
import { clamped, mean, total } from "./mean.ts";

// The values that take more than one input, or a formula. Undefined: an input is not known.

/** Rise of the debt over a year in percent; a fall counts as 0. */
export function debtGrowth(metadata: Metadata): number | undefined {
  const [last, before] = metadata.readings("debt");
  if (!last || !before || Number(last.period) !== Number(before.period) + 1 || before.value <= 0) return undefined;
  return Math.max(0, (last.value / before.value - 1) * 100);
}

const gapInputs = ["debt", "fiscalBalance", "primaryBalance", "growth", "inflation"] as const;
/** Above this inflation in percent the formula says nothing. */
const maxInflation = 10;

/** Primary balance minus the one that keeps the debt where it is, in percent of GDP, of the newest year with all inputs. */
export function debtSustainabilityGap(metadata: Metadata): number | undefined {
  const years = new Map(gapInputs.map((input) => [input, new Map(yearly(metadata, input))]));
  const valueIn = (input: (typeof gapInputs)[number], year: string) => years.get(input)?.get(year);
  const year = metadata
    .readings("debt")
    .map(({ period }) => period)
    .find((period) => gapInputs.every((input) => valueIn(input, period) !== undefined));
  if (year === undefined) return undefined;
  const [debt = 0, balance = 0, primary = 0, growth = 0, inflation = 0] = gapInputs.map((input) =>
    valueIn(input, year),
  );
  return inflation > maxInflation || debt <= 0 ? undefined : gapOf({ debt, balance, primary, growth, inflation });
}

function yearly(metadata: Metadata, input: InputName): [string, number][] {
  return metadata.readings(input).map(({ period, value }) => [period, value]);
}

/** All in percent. */
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

/** Of ten thousand people, per thousand. */
export function tenth(count: number | undefined): number | undefined {
  return count === undefined ? undefined : count / 10;
}

/** Points of a tariff in percent that is high, or moderate. */
export function severity(percent: number | undefined): number | undefined {
  if (percent === undefined) return undefined;
  return percent > 10 ? 2 : percent > 5 ? 1 : 0;
}

export function farmGap(metadata: Metadata): number | undefined {
  const [farm, other] = [metadata.value("mfnAgricultural"), metadata.value("mfnOther")];
  return farm === undefined || other === undefined ? undefined : farm - other;
}

/** Share of a worldwide disturbance of trade that reaches the country: in full where it trades for half of its GDP. */
export function tradeExposure(metadata: Metadata): number | undefined {
  const share = metadata.value("tradeShare");
  return share === undefined ? undefined : clamped(share / 50, 0, 1);
}

export function importedFossils(metadata: Metadata): number | undefined {
  const [fossils, imports] = [metadata.value("fossilShare"), metadata.value("energyImports")];
  return fossils === undefined || imports === undefined ? undefined : (fossils * Math.max(imports, 0)) / 100;
}

/** How far the stores are below 80 percent, in percent of that. */
export function gasStress(metadata: Metadata): number | undefined {
  const fill = metadata.value("gasFill");
  return fill === undefined ? undefined : clamped((80 - fill) / 80, 0, 1) * 100;
}

/** 2·events + points by kind + √deaths. */
export function conflictPressure(metadata: Metadata): number | undefined {
  const [events, kinds, deaths] = (["conflictEvents", "conflictKinds", "conflictDeaths"] as const).map(metadata.value);
  if (events === undefined || kinds === undefined || deaths === undefined) return undefined;
  return 2 * events + kinds + Math.sqrt(deaths);
}

/** Per million people; of fewer than half a million as if there were so many. */
export function conflictPerMillion(metadata: Metadata): number | undefined {
  const pressure = conflictPressure(metadata);
  return pressure === undefined ? undefined : pressure / Math.max((people(metadata) ?? 0) / 1e6, 0.5);
}

/** The source counts in millions; what would be more than ten thousand of them are persons. */
export function people(metadata: Metadata): number | undefined {
  const population = metadata.value("population");
  if (population === undefined) return undefined;
  return population >= 10_000 ? population : population * 1e6;
}

export function log10(count: number | undefined): number | undefined {
  return count === undefined ? undefined : Math.log10(Math.max(count, 1));
}

const governance = ["voice", "stability", "effectiveness", "regulation", "ruleOfLaw", "corruption"] as const;

export function governanceMean(metadata: Metadata): number | undefined {
  const known = governance.flatMap((input) => metadata.value(input) ?? []);
  return known.length === 0 ? undefined : mean(known);
}

export function debtToReserves(metadata: Metadata): number | undefined {
  const [debt, reserves] = [metadata.value("shortTermDebt"), metadata.value("reserves")];
  return !debt || !reserves ? undefined : debt / reserves;
}

const maxMonths = 12;

/** Months of imports that the reserves pay, at most a year; of what a hub imports for itself. */
export function liquidMonths(metadata: Metadata): number | undefined {
  const months = metadata.value("reserveMonths");
  if (months === undefined) return undefined;
  const soldOn = reexportHubs.split(" ").includes(metadata.country) ? (metadata.value("reexportShare") ?? 0) : 0;
  return Math.min(months, maxMonths) / (1 - soldOn);
}

/** Months of imports that its funds pay, each for the share that can be had, sold and seen into; undefined without a fund. */
export function fundMonths(metadata: Metadata): number | undefined {
  const own = metadata.readings("usableFunds");
  const imports = metadata.value("imports");
  if (own.length === 0 || !imports) return undefined;
  return (total(own.map(({ value }) => value)) / imports) * 12;
}

/** How far the value can be trusted by its age in years. */
export function schoolingCertainty(metadata: Metadata, inputs: Inputs): number {
  const age = ageOf(metadata, "schooling", inputs);
  return age <= 5 ? 1 : age <= 10 ? 0.8 : 0.6;
}

export function partnersCertainty(metadata: Metadata, inputs: Inputs): number {
  return clamped(1 - 0.2 * (ageOf(metadata, "importHhi", inputs) - 4), 0.3, 1);
}

function ageOf(metadata: Metadata, input: InputName, { now }: Inputs): number {
  return now.getUTCFullYear() - Number(metadata.readings(input)[0]?.period.slice(0, 4) ?? 0);
}
