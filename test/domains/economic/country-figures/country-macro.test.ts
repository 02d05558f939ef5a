import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  CountryMacroSchema,
  type MacroValue,
  MacroValueSchema,
} from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { countryFigures, macroResponse } from "../../../../src/domains/economic/country-figures/country-macro.ts";

const readAt = new Date("2026-11-18T04:40:00Z");
const all = { countries: [], limit: 0, summary: false };

const values = (
  ...reported: (readonly [country: string, series: string, year: number, value: number])[]
): MacroValue[] =>
  reported.map(([country, series, year, value]) => create(MacroValueSchema, { country, series, year, value }));
const stored = (reported: readonly MacroValue[]) => create(CountryMacroSchema, countryFigures(reported, readAt));
const whole = values(
  ["NO", "PCPIPCH", 2026, 0],
  ["NO", "NGDP_RPCH", 2026, -0.4],
  ["NO", "LP", 2026, 5.61],
  ["NO", "BCA", 2026, 61.234],
);

test("the newest value of each metric counts, and the reported years are the first and the last of them", () => {
  const { macro } = stored(
    values(
      ["SE", "PCPIPCH", 2025, 2.5],
      ["SE", "PCPIPCH", 2026, 1.9],
      ["SE", "GGR_G01_GDP_PT", 2024, 48.1],
      ["NO", "BCA_NGDPD", 2026, 14.2],
    ),
  ).full!;
  expect(macro?.countries).toMatchObject({
    NO: { currentAccountPct: 14.2, year: 2026, latestYear: 2026 },
    SE: { inflationPct: 1.9, govRevenuePct: 48.1, year: 2024, latestYear: 2026 },
  });
  expect(macro?.countries.SE?.currentAccountPct).toBeUndefined();
});

test("a measured zero is a value, an unreported one is absent, and money is in units", () => {
  const { macro, growth, labor, external } = stored(whole).full!;
  expect(macro?.countries.NO?.inflationPct).toBe(0);
  expect(growth?.countries.NO?.gdpPpp).toBeUndefined();
  expect(labor?.countries.NO?.populationMillions).toBe(5.61);
  expect(external?.countries.NO?.currentAccountUsd).toBe(61_234_000_000);
});

test("a summary has the first value of each part for each country, with its own year", () => {
  const { macro, labor } = stored(
    values(["SE", "PCPIPCH", 2026, 1.9], ["SE", "GGR_G01_GDP_PT", 2024, 48.1], ["SE", "LP", 2026, 10.7]),
  ).summary!;
  expect(macro?.countries.SE).toMatchObject({ inflationPct: 1.9, year: 2026, latestYear: 2026 });
  expect(macro?.countries.SE?.govRevenuePct).toBeUndefined();
  expect(labor?.countries.SE).toMatchObject({ populationMillions: 10.7, year: 2026 });
});

test("with every part there is a time, stale from the minute after 70 days", () => {
  const at = (minutes: number) => macroResponse(stored(whole), all, new Date(readAt.getTime() + minutes * 60_000));
  expect(at(0)).toMatchObject({ cachedAt: "2026-11-18T04:40:00.000Z", stale: false });
  expect(at(100_800).stale).toBe(false);
  expect(at(100_801)).toMatchObject({ cachedAt: "2026-11-18T04:40:00.000Z", stale: true });
});

test("while a part has no values, there is no time and the response is stale, and the other parts are served", () => {
  const response = macroResponse(stored(whole.filter(({ series }) => series !== "LP")), all, readAt);
  expect(response).toMatchObject({ stale: true, data: { labor: { countries: {} } } });
  expect(response.cachedAt).toBeUndefined();
  expect(response.data.labor?.seededAt).toBeUndefined();
  expect(response.data.macro?.seededAt).toBe(BigInt(readAt.getTime()));
});

test("without anything stored every part is empty, and stale", () => {
  const none = { countries: {} };
  expect(macroResponse(undefined, all, readAt)).toEqual({
    stale: true,
    data: { macro: none, growth: none, labor: none, external: none },
  });
});

test("countries come in the order of their codes, whatever the order of the source", () => {
  const reported = ["SE", "AF", "NO", "DE"].flatMap((country) => values([country, "LP", 2026, 1]));
  expect(Object.keys(stored(reported).full?.labor?.countries ?? {})).toEqual(["AF", "DE", "NO", "SE"]);
});
