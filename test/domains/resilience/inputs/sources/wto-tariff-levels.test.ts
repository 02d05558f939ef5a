import { existsSync, readFileSync } from "node:fs";
import { parse as parseCsv } from "csv-parse/sync";
import { expect, test } from "vitest";
import { wtoTariffLevels } from "../../../../../src/domains/resilience/inputs/sources/wto-tariff-levels.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import { countries } from "../../../../../src/reference/countries/countries.ts";
import { wtoRow } from "../../../../support/domains/invented-wto.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../../shared/upstream/wto/TP_A_0010.csv", import.meta.url);

type Values = Readonly<Record<string, Readonly<Record<number, number>>>>;

/** More than a hundred economies with a tariff of 5 in 2020, and what a test adds. */
const whole = (over: Values): Values => ({
  ...Object.fromEntries(
    [...countries.values()]
      .filter(({ numeric }) => numeric)
      .slice(0, 130)
      .map(({ numeric }) => [numeric, { 2020: 5 }]),
  ),
  ...over,
});
const batch = (indicator: string, values: Values) => ({
  indicator,
  reporters: Object.keys(values),
  body: JSON.stringify({
    Dataset: Object.entries(values).flatMap(([reporter, years]) =>
      Object.entries(years).map(([year, value]) => wtoRow(indicator, reporter, Number(year), value)),
    ),
  }),
});
const levels = (values: Values) =>
  wtoTariffLevels.parse(
    { reporters: [], batches: ["TP_A_0010", "TP_A_0160", "TP_A_0430"].map((code) => batch(code, values)) },
    now,
  );

test("the newest year of each country counts, and the European Union's tariff is that of its members", () => {
  const { rows, rejected } = levels(
    whole({ "840": { 2023: 3.4, 2024: 3.3 }, "918": { 2024: 5.1 }, "276": { 2020: 9 } }),
  );
  expect(rejected).toEqual([]);
  const reported = (country: string) =>
    rows.filter((row) => row.country === country).map(({ input, period, value }) => `${input} ${period} ${value}`);
  expect(reported("US")).toEqual(["mfnTariff 2024 3.3", "mfnAgricultural 2024 3.3", "mfnOther 2024 3.3"]);
  expect(reported("DE")[0]).toBe("mfnTariff 2024 5.1");
  expect(reported("FR")).toEqual(["mfnTariff 2024 5.1", "mfnAgricultural 2024 5.1", "mfnOther 2024 5.1"]);
  expect(reported("EU")).toEqual([]);
});

test("a member's own tariff stays if it is newer than the Union's", () => {
  const { rows } = levels(whole({ "918": { 2020: 5.1 }, "276": { 2022: 4.5 } }));
  expect(rows.find(({ country }) => country === "DE")).toMatchObject({ period: "2022", value: 4.5 });
});

test("rows of years that were not asked for or without a value are rejected, an indicator of few countries is missing", () => {
  const values = whole({ "840": { 2015: 3.5, 2024: 3.3 }, "124": { 2024: Number.NaN } });
  const { rows, rejected, missing } = wtoTariffLevels.parse(
    { reporters: [], batches: [batch("TP_A_0010", values), batch("TP_A_0160", { "840": { 2024: 5 } })] },
    now,
  );
  expect(new Set(rows.map(({ input }) => input))).toEqual(new Set(["mfnTariff"]));
  expect(rejected.map(({ row }) => row)).toEqual(["124 2024", "840 2015"]);
  expect(missing?.map(({ part }) => part)).toContain("TP_A_0160 US");
  expect(() => levels({ "840": { 2024: 3.3 } })).toThrow(UpstreamError);
  expect(() => levels(whole({ "840": { 2024: 3.3 } }))).not.toThrow();
});

test("most batches without an answer throw", () => {
  const failed = { indicator: "TP_A_0010", reporters: ["840"], failure: "api.wto.org answered 503" };
  expect(() => wtoTariffLevels.parse({ reporters: [], batches: [failed, failed] }, now)).toThrow("answered 503");
});

test.runIf(existsSync(captured))("captured values of the WTO come through as they are", () => {
  const lines: Record<string, string>[] = parseCsv(readFileSync(captured, "utf8"), { columns: true, bom: true });
  const reported: Record<string, Record<number, number>> = {};
  for (const { "Reporting Economy Code": reporter = "", Year: year = "", Value: value = "" } of lines)
    if (Number(year) >= 2016) reported[reporter] = { ...reported[reporter], [Number(year)]: Number(value) };
  const { rows, rejected } = levels(whole(reported));
  expect(rejected).toEqual([]);
  for (const [code, economy] of [
    ["CA", "124"],
    ["IT", "918"],
    ["TW", "158"],
    ["MX", "484"],
  ] as const) {
    const years = reported[economy] ?? {};
    const year = Math.max(...Object.keys(years).map(Number));
    expect(rows.find(({ country }) => country === code)).toMatchObject({ period: String(year), value: years[year] });
  }
});
