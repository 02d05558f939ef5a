import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  embargo,
  funds,
  fundYear,
  gasCountries,
  languages,
  reexportHubs,
  scoredCountries,
} from "../../../../src/domains/resilience/countries.ts";
import { resilienceInputs } from "../../../../src/domains/resilience/inputs/resilience-inputs.ts";
import { cadences, inputSources, inputs, seriesOf } from "../../../../src/domains/resilience/inputs.ts";
import { indicators } from "../../../../src/domains/resilience/method/indicators.ts";
import {
  currencyCoverage,
  dimensions,
  domains,
  finance,
  imputationClasses,
  imputations,
  methodologyVersion,
  pillars,
  rules,
} from "../../../../src/domains/resilience/method/structure.ts";
import { countries } from "../../../../src/reference/countries/countries.ts";

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test("the weights of pillars and domains are whole", () => {
  expect(sum(Object.values(pillars))).toBeCloseTo(1, 12);
  expect(sum(Object.values(domains).map(({ weight }) => weight))).toBeCloseTo(1, 12);
  expect(new Set(Object.values(dimensions).map(({ domain }) => domain))).toEqual(new Set(Object.keys(domains)));
});

test("196 countries are scored, and every list of countries names known ones", () => {
  expect([scoredCountries.length, new Set(scoredCountries).size]).toEqual([196, 196]);
  const lists = [embargo.countries, gasCountries, reexportHubs];
  const named = [...lists, ...Object.values(languages).map((group) => group.countries)].join(" ").split(" ");
  const known = [...scoredCountries, ...named, ...funds.map(({ country }) => country)].filter((code) => code !== "");
  expect(known.filter((code) => !countries.has(code))).toEqual([]);
  expect(fundYear).toBeLessThan(2027);
});

test("the weights of every dimension's indicators are whole, and their ids are distinct", () => {
  const slots = Object.values(indicators).filter((own) => own.length > 0);
  for (const own of slots) expect(sum(own.map(({ weight }) => weight))).toBeCloseTo(1, 12);
  const ids = slots.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { inputs: own, missing } of slots.flat()) expect(own.length > 0).toBe(missing === undefined);
});

test("no country is of two languages", () => {
  const named = Object.values(languages).flatMap((group) => group.countries.split(" "));
  expect(new Set(named).size).toBe(named.length);
});

test("every source of the dataset provides an input of the tables, and no series occurs twice", () => {
  for (const { name } of resilienceInputs.sources) expect(seriesOf(name as never), name).not.toEqual([]);
  const reported = Object.values(inputs).flatMap((input) => input.reportedBy.map(String));
  expect(new Set(reported).size).toBe(reported.length);
});

test("the tables are those of the methodology's version: who changes one raises it", () => {
  const tables = [
    ...[pillars, domains, dimensions, imputations, imputationClasses, currencyCoverage, rules],
    ...[inputs, inputSources, cadences, indicators, finance, scoredCountries, languages, gasCountries],
    ...[embargo, reexportHubs, funds, fundYear],
  ];
  const hash = createHash("sha256").update(JSON.stringify(tables)).digest("hex").slice(0, 16);
  expect([methodologyVersion, hash]).toEqual(["v8", "f8c76be6658b8b04"]);
});
