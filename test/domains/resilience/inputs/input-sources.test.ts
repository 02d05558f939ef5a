import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ResilienceInputSchema } from "../../../../gen/es/ids/stored/v1/resilience_pb.ts";
import { bisBanking, bisDebtService } from "../../../../src/domains/resilience/inputs/sources/bis.ts";
import { comtradePartners } from "../../../../src/domains/resilience/inputs/sources/comtrade-partners.ts";
import { eurostatEnergy, owidEnergy } from "../../../../src/domains/resilience/inputs/sources/energy.ts";
import { fatf } from "../../../../src/domains/resilience/inputs/sources/fatf.ts";
import { hdxIpc } from "../../../../src/domains/resilience/inputs/sources/hdx-ipc.ts";
import { imfDataMapper } from "../../../../src/domains/resilience/inputs/sources/imf-datamapper.ts";
import { unhcrDisplacement } from "../../../../src/domains/resilience/inputs/sources/unhcr-displacement.ts";
import { whoGho } from "../../../../src/domains/resilience/inputs/sources/who-gho.ts";
import { worldBankDevelopment } from "../../../../src/domains/resilience/inputs/sources/world-bank-development.ts";
import { wtoTariffLevels } from "../../../../src/domains/resilience/inputs/sources/wto-tariff-levels.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../shared/upstream/", import.meta.url);

test.each([
  [imfDataMapper, 0],
  [worldBankDevelopment, 0],
  [unhcrDisplacement, 1],
  [whoGho, 0],
  [owidEnergy, 0],
  [eurostatEnergy, 0],
  [wtoTariffLevels, 0],
  [bisBanking, 0],
  [bisDebtService, 0],
  [comtradePartners, 0],
  [fatf, 0],
  [hdxIpc, 0],
])("the sample yields at least what it says in every year, all valid ($name)", async (source, rejections) => {
  for (const at of [now, new Date("2027-01-01T00:00:00Z"), new Date("2029-06-30T23:59:00Z")]) {
    const upstream = sampleUpstream(source.name, () => at);
    const { rows, rejected } = source.parse(await source.fetch(upstream), at);
    expect(checkRows(ResilienceInputSchema, rows).rejected).toEqual([]);
    expect(rejected).toHaveLength(rejections);
    expect(rows.length).toBeGreaterThanOrEqual(sampleIndex(source.name)?.rows ?? 1);
    expect(Math.max(...rows.map((row) => source.observedAt?.(row) ?? 0))).toBeLessThanOrEqual(at.getTime());
  }
});

const imf = (values: unknown) =>
  imfDataMapper.parse({ responses: [{ series: "LUR", answer: { values: { LUR: values } } }], gone: [] }, now);

test("forecasts, old years, groups, and unknown codes have no rows", () => {
  const { rows, rejected } = imf({
    NOR: { "2022": 3.2, "2023": 3.6, "2026": 4, "2027": 3.9, "2031": 3.8 },
    EURO: { "2025": 6.4 },
    XYZ: { "2025": 1 },
    SWE: [],
    FIN: { "2025": null },
  });
  expect(rejected).toEqual([]);
  expect(rows.map(({ country, period, value }) => `${country} ${period} ${value}`)).toEqual([
    "NO 2023 3.6",
    "NO 2026 4",
  ]);
  expect(rows[0]).toMatchObject({ input: "unemployment", series: "LUR" });
});

test("a country whose years have another format is rejected, a changed answer throws", () => {
  const { rows, rejected } = imf({ NOR: { "2025": "n/a" }, SWE: { "2025": 8 }, DNK: { y2025: 5 } });
  expect(rows).toHaveLength(1);
  expect(rejected.map(({ row }) => row)).toEqual(["LUR NOR", "LUR DNK"]);
  for (const response of [{}, null, { values: [] }, { values: { LUR: 3 } }])
    expect(() => imfDataMapper.parse({ responses: [{ series: "LUR", answer: response }], gone: [] }, now)).toThrow(
      UpstreamError,
    );
  expect(() => imfDataMapper.parse([], now)).toThrow(UpstreamError);
});

test.runIf(existsSync(captured)).each([
  ["LUR", 110],
  ["BCA_NGDPD", 185],
  ["GGXWDG_NGDP", 180],
  ["NGDP_RPCH", 185],
  ["PCPIPCH", 185],
])("a captured answer of the IMF's %s has at least %i countries and nothing unknown", (series, min) => {
  const response = JSON.parse(readFileSync(new URL(`imf-datamapper/${series}.json`, captured), "utf8"));
  const { rows, rejected } = imfDataMapper.parse({ responses: [{ series, answer: response }], gone: [] }, now);
  expect(rejected).toEqual([]);
  expect(new Set(rows.map(({ country }) => country)).size).toBeGreaterThanOrEqual(min);
  expect(rows.find(({ country, period }) => country === "US" && period === "2025")?.value).toBe(
    response.values[series].USA["2025"],
  );
});

test.runIf(existsSync(captured))(
  "a captured list of the World Bank's countries shows which countries report no debt",
  () => {
    const response = JSON.parse(readFileSync(new URL("worldbank-indicators/countries.json", captured), "utf8"));
    const { rows, rejected } = worldBankDevelopment.parse(
      { responses: [{ series: "LNX", answer: response }], gone: [] },
      now,
    );
    expect(rejected).toEqual([]);
    const value = (code: string) => rows.find(({ country }) => country === code)?.value;
    expect([value("NO"), value("BR"), value("KE"), value("ZH")]).toEqual([1, 0, 0, undefined]);
    expect(rows.length).toBeGreaterThan(210);
  },
);

const values = (series: string, ...rows: (readonly [alpha3: string, year: string, value: number | null])[]) => ({
  series,
  answer: [
    [
      { page: 1, pages: 1 },
      rows.map(([countryiso3code, date, value]) => ({ indicator: { id: series }, countryiso3code, date, value })),
    ],
  ],
});

test("of the World Bank's years the newest with a value counts, aggregates are left out", () => {
  const reported = values(
    "NE.TRD.GNFS.ZS",
    ["NOR", "2024", 72],
    ["NOR", "2025", null],
    ["NOR", "2023", 70],
    ["WLD", "2024", 58],
  );
  const { rows } = worldBankDevelopment.parse({ responses: [reported], gone: [] }, now);
  expect(rows).toEqual([{ country: "NO", input: "tradeShare", value: 72, period: "2024", series: "NE.TRD.GNFS.ZS" }]);
});

test("a series with too few countries is missing, and one that is gone is named", () => {
  const reported = values("FI.RES.TOTL.MO", ["NOR", "2024", 6]);
  const { rows, rejected, missing } = worldBankDevelopment.parse(
    { responses: [reported], gone: ["IS.ROD.PAVE.ZS"] },
    now,
  );
  expect(rows).toEqual([]);
  expect(rejected).toEqual([{ row: "IS.ROD.PAVE.ZS", reason: "there is no such series" }]);
  expect(missing).toEqual([{ part: "FI.RES.TOTL.MO", reason: "1 countries, and at least 100" }]);
});

test("a series that the World Bank has archived is gone, one that fails is missing; neither stops the others", async () => {
  const archived = [{ message: [{ id: "175", key: "Invalid format", value: "The indicator was not found." }] }];
  const upstream = (fails: RegExp, failure: () => unknown): Upstream => ({
    ...sampleUpstream("world-bank-development", () => now),
    json: async ({ url }) =>
      fails.test(url) ? failure() : sampleUpstream("world-bank-development", () => now).json({ url }),
  });
  const reported = await worldBankDevelopment.fetch(upstream(/IS\.ROD/, () => archived));
  const { rows, rejected } = worldBankDevelopment.parse(reported, now);
  expect(rejected).toEqual([{ row: "IS.ROD.PAVE.ZS", reason: "there is no such series" }]);
  expect(rows.length).toBeGreaterThan(3_000);
  const down = () => {
    throw new UpstreamError("answered 500", { status: 500 });
  };
  const without = worldBankDevelopment.parse(await worldBankDevelopment.fetch(upstream(/IS\.ROD/, down)), now);
  expect(without.missing).toEqual([{ part: "IS.ROD.PAVE.ZS", reason: "answered 500", status: 500 }]);
  expect(without.rows).toEqual(rows);
  await expect(worldBankDevelopment.fetch(upstream(/./, down))).rejects.toThrow("answered 500");
  const nothing = () => {
    throw new UpstreamError("answered 404", { status: 404 });
  };
  await expect(worldBankDevelopment.fetch(upstream(/./, nothing))).rejects.toThrow("none of its series");
});

test("the displaced count where they come from, the refugees where they are", () => {
  const item = { year: 2025, coo_iso: "SDN", coa_iso: "TCD", refugees: "900", asylum_seekers: 90, idps: 0, oip: "-" };
  const within = { ...item, coa_iso: "SDN", refugees: 0, asylum_seekers: 0, idps: "9000" };
  const unknown = { ...item, coo_iso: "-", refugees: 5, asylum_seekers: 0 };
  const { rows } = unhcrDisplacement.parse([{ maxPages: 1, items: [item, within, unknown] }], now);
  expect(rows.map(({ country, input, value }) => `${country} ${input} ${value}`)).toEqual([
    ...["SD displaced 9990", "TD hosted 995", "SD hosted 0"],
  ]);
});
