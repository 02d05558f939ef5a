import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RiskInputSchema } from "../../../../gen/es/ids/intelligence/v1/risk_explanation_pb.ts";
import type { RiskSignalSchema } from "../../../../gen/es/ids/stored/v1/risk_pb.ts";
import { dayMs, hourMs } from "../../../reference/duration.ts";
import { rounded } from "../../../reference/rounding.ts";
import type { RiskCountry } from "./risk-countries.ts";
import {
  growthDays,
  type Measured,
  monthDays,
  olderFactor,
  type ReportedInput,
  type RiskInputName,
  recentDays,
  riskInputList,
  riskSources,
} from "./risk-inputs.ts";

export type SignalRow = MessageInitShape<typeof RiskSignalSchema>;

export interface Signal {
  /** The ISO 3166-1 alpha-2 code of the country. */
  readonly country: string;
  readonly input: ReportedInput;
  readonly amount: number;
  /** The day to which the amount refers, YYYY-MM-DD. */
  readonly date: string;
}

export interface ReportedValues {
  readonly fetchedAt: Date;
  readonly signals: readonly (Omit<Signal, "input"> & { readonly input: string })[];
  /** The first day from which the source reported events. Set only if events of earlier days are missing. */
  readonly countedFrom?: string;
}

export type Reading = MessageInitShape<typeof RiskInputSchema> & {
  readonly name: RiskInputName;
  readonly value: number;
  readonly state: "measured" | "fallback" | "missing" | "absent";
};

export interface Readings {
  readonly missing: readonly string[];
  readonly of: (country: RiskCountry) => ReadonlyMap<RiskInputName, Reading>;
}

/** The amount of an input on a day, and the age of that day in days, which is 0 for today. */
interface Dated {
  readonly age: number;
  readonly date: string;
  readonly amount: number;
}

export function readInputs(reported: ReadonlyMap<string, ReportedValues>, now: Date): Readings {
  const missing = Object.entries(riskSources)
    .filter(([source, hours]) => {
      const fetchedAt = reported.get(source)?.fetchedAt;
      return !fetchedAt || now.getTime() - fetchedAt.getTime() > hours * hourMs;
    })
    .map(([source]) => source)
    .sort();
  const ageOf = (date: string) => Math.floor(now.getTime() / dayMs) - Date.parse(date) / dayMs;
  const dated = new Map<string, Dated[]>();
  for (const { signals } of reported.values())
    for (const { country, input, amount, date } of signals) {
      const age = ageOf(date);
      const key = `${country} ${input}`;
      const known = dated.get(key);
      // Amounts of future days are skipped, because they were not known at the time of the scores.
      if (!(age >= 0)) continue;
      if (known) known.push({ age, date, amount });
      else dated.set(key, [{ age, date, amount }]);
    }

  /** Returns a country's amounts by day. The amount is 0 on a day that the source reported without the country. */
  function wholeDays(source: string, own: readonly Dated[]): Dated[] {
    const dates = new Set(reported.get(source)?.signals.map(({ date }) => date));
    for (const { date } of own) dates.delete(date);
    const others = [...dates].map((date) => ({ date, age: ageOf(date), amount: 0 }));
    return [...own, ...others.filter(({ age }) => age >= 0)];
  }

  function read(country: RiskCountry, name: RiskInputName, measured: Measured | undefined): Reading {
    if (!measured) return { name, value: 0, state: "absent" };
    const { source, of = name, span } = measured;
    const fetchedAt = reported.get(source)?.fetchedAt.toISOString() ?? "";
    const isMissing = missing.includes(source);
    const own = isMissing ? [] : (dated.get(`${country.code} ${of}`) ?? []);
    const days = measured.wholeDays && !isMissing ? wholeDays(source, own) : own;
    const from = {
      name,
      source,
      fetchedAt,
      observedAt:
        days
          .map(({ date }) => date)
          .sort()
          .at(-1) ?? "",
      countedFrom: (isMissing ? undefined : reported.get(source)?.countedFrom) ?? "",
    };
    if (name === "advisoryLevel" && days.length === 0)
      return country.fallbackLevel > 0
        ? { name, value: country.fallbackLevel, state: "fallback" }
        : { ...from, value: 0, state: isMissing ? "missing" : "absent" };
    const value = isMissing ? undefined : amountOver(days, span);
    return { ...from, value: value ?? 0, state: value === undefined ? "missing" : "measured" };
  }

  return {
    missing,
    of: (country) => new Map(riskInputList.map(({ name, measured }) => [name, read(country, name, measured)])),
  };
}

/** Returns the amount over a span of days. Undefined for `growth` if no earlier day is stored. */
function amountOver(days: readonly Dated[], span: Measured["span"]): number | undefined {
  const sum = (within: number) =>
    days.filter(({ age }) => age <= within).reduce((total, { amount }) => total + amount, 0);
  switch (span) {
    case "weighted month":
      // Rounding removes the inaccuracy of binary fractions.
      return rounded(sum(recentDays) + olderFactor * (sum(monthDays) - sum(recentDays)), 1);
    case "week":
      return sum(recentDays);
    case "newest":
      return newest(days)?.amount ?? 0;
    case "growth": {
      const recent = days.filter(({ age }) => age <= growthDays);
      const [last, first] = [newest(recent), oldest(recent)];
      if (!last || !first || last === first) return undefined;
      return last.amount > first.amount ? 1 : 0;
    }
  }
}

function newest(days: readonly Dated[]): Dated | undefined {
  return days.reduce<Dated | undefined>((best, day) => (best && best.age <= day.age ? best : day), undefined);
}

function oldest(days: readonly Dated[]): Dated | undefined {
  return days.reduce<Dated | undefined>((best, day) => (best && best.age >= day.age ? best : day), undefined);
}
