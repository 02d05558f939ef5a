import { beforeAll, describe, expect, test } from "vitest";
import { type Kind, profileOf } from "../../scripts/samples/world/country-profiles.ts";
import {
  eurostatIndicator,
  govDebt,
  housePrices,
  industrialProduction,
} from "../../src/domains/economic/country-figures/eu-indicators.ts";
import { imfWeo } from "../../src/domains/economic/country-figures/imf-weo.ts";
import { agsi } from "../../src/domains/economic/gas-storage/eu-gas-storage.ts";
import { bls } from "../../src/domains/economic/us-series/bls.ts";
import { fredLabor, fredStress } from "../../src/domains/economic/us-series/fred.ts";
import { armsSuppliers } from "../../src/domains/military/defense/arms-suppliers.ts";
import { defenseIndicators } from "../../src/domains/military/defense/defense-indicators.ts";
import type { InputRow } from "../../src/domains/resilience/inputs/series.ts";
import { bisBanking, bisDebtService } from "../../src/domains/resilience/inputs/sources/bis.ts";
import { comtradePartners } from "../../src/domains/resilience/inputs/sources/comtrade-partners.ts";
import { eurostatEnergy, owidEnergy } from "../../src/domains/resilience/inputs/sources/energy.ts";
import { hdxIpc } from "../../src/domains/resilience/inputs/sources/hdx-ipc.ts";
import { imfDataMapper } from "../../src/domains/resilience/inputs/sources/imf-datamapper.ts";
import { unhcrDisplacement } from "../../src/domains/resilience/inputs/sources/unhcr-displacement.ts";
import { whoGho } from "../../src/domains/resilience/inputs/sources/who-gho.ts";
import { worldBankDevelopment } from "../../src/domains/resilience/inputs/sources/world-bank-development.ts";
import { wtoTariffLevels } from "../../src/domains/resilience/inputs/sources/wto-tariff-levels.ts";
import type { InputName } from "../../src/domains/resilience/inputs.ts";
import { agsiCountries } from "../../src/domains/supply-chain/vulnerability/agsi-countries.ts";
import { ieaOilStocks } from "../../src/domains/supply-chain/vulnerability/iea-oil-stocks.ts";
import { wtoFlows } from "../../src/domains/trade/flows/wto-flows.ts";
import { fredTariff } from "../../src/domains/trade/tariffs/fred-tariff.ts";
import { wtoTariffs } from "../../src/domains/trade/tariffs/wto-tariffs.ts";
import type { Source } from "../../src/ingest/source.ts";
import { partnerIso2 } from "../../src/providers/comtrade/comtrade-codes.ts";
import { countryByNumeric } from "../../src/reference/countries/countries.ts";
import { alpha2OfEurostat } from "../../src/reference/countries/european-union.ts";
import { dayMs } from "../../src/reference/duration.ts";
import { sampleIndex, sampleUpstream } from "../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-18T12:00:00Z");

async function played<Row>(source: Source<Row>, at = now): Promise<readonly Row[]> {
  return source.parse(await source.fetch(sampleUpstream(source.name, () => at)), at).rows;
}

const inputSources = [imfDataMapper, worldBankDevelopment, whoGho, owidEnergy, eurostatEnergy, wtoTariffLevels];
const otherInputs = [bisBanking, bisDebtService, comtradePartners, unhcrDisplacement, hdxIpc];

/** The newest value of each country, by input and source. */
let reported: ReadonlyMap<string, ReadonlyMap<string, number>>;
const values = (input: InputName, source: { readonly name: string } = imfDataMapper) =>
  reported.get(`${source.name} ${input}`) ?? new Map<string, number>();

beforeAll(async () => {
  const byInput = new Map<string, Map<string, InputRow>>();
  for (const source of [...inputSources, ...otherInputs])
    for (const row of await played(source)) {
      const key = `${source.name} ${row.input}`;
      const known = byInput.get(key) ?? byInput.set(key, new Map()).get(key);
      if ((known?.get(row.country ?? "")?.period ?? "") < (row.period ?? "")) known?.set(row.country ?? "", row);
    }
  reported = new Map(
    Array.from(byInput, ([key, rows]) => [
      key,
      new Map(Array.from(rows, ([country, { value = 0 }]) => [country, value])),
    ]),
  );
});

interface Range {
  readonly input: InputName;
  readonly low: number;
  readonly high: number;
  /** The kinds of economy, by default any. */
  readonly kinds?: readonly Kind[];
}

const rich: readonly Kind[] = ["industrial", "services", "hub", "catchingUp"];
const imfRanges: readonly Range[] = [
  { input: "unemployment", low: 1, high: 35 },
  { input: "unemployment", low: 1, high: 12, kinds: rich },
  { input: "debt", low: 0.5, high: 280 },
  { input: "inflation", low: 0.1, high: 150 },
  { input: "inflation", low: 0.1, high: 7, kinds: rich },
  { input: "growth", low: -8, high: 12 },
  { input: "govRevenue", low: 5, high: 68 },
  { input: "fiscalBalance", low: -12, high: 12 },
  { input: "currentAccount", low: -20, high: 26 },
  { input: "currentAccount", low: 0.1, high: 12, kinds: ["industrial"] },
  { input: "currentAccount", low: -9, high: 3, kinds: ["services"] },
  { input: "population", low: 0.005, high: 1600 },
];
const worldBankRanges: readonly Range[] = [
  { input: "reserveMonths", low: 0.3, high: 24 },
  { input: "tradeShare", low: 15, high: 420 },
  { input: "electricityAccess", low: 5, high: 100 },
  { input: "electricityAccess", low: 95, high: 100, kinds: rich },
  { input: "broadband", low: 0.01, high: 55 },
  { input: "powerLosses", low: 2, high: 50 },
  { input: "fossilShare", low: 0.1, high: 100 },
  { input: "schooling", low: 1, high: 99 },
  { input: "voice", low: -2.5, high: 2.5 },
  { input: "ruleOfLaw", low: -0.3, high: 2.5, kinds: rich },
  { input: "ruleOfLaw", low: -2.5, high: 0, kinds: ["conflict"] },
];
const everyRange = [
  ...imfRanges.map((range) => ({ source: imfDataMapper, ...range })),
  ...worldBankRanges.map((range) => ({ source: worldBankDevelopment, ...range })),
];

test.each(everyRange)(
  "every value of $input is plausible: from $low to $high ($kinds)",
  ({ source, input, low, high, kinds }) => {
    const stored = [...values(input, source)].filter(([country]) => !kinds || kinds.includes(profileOf(country).kind));
    expect(stored.length).toBeGreaterThan(5);
    expect(stored.filter(([, value]) => value < low || value > high)).toEqual([]);
  },
);

test("no value is exactly zero, except the tariffs of free ports, absent debts, and absent refugees", () => {
  const mayBeZero = ["debtNotReported", "hosted", "mfnTariff", "mfnAgricultural", "mfnOther", "appliedTariff"];
  const zeros = [...reported].flatMap(([key, byCountry]) =>
    [...byCountry].flatMap(([country, value]) => (value === 0 ? [`${key.split(" ")[1]} ${country}`] : [])),
  );
  expect(zeros.filter((zero) => !mayBeZero.includes(zero.split(" ")[0] ?? ""))).toEqual([]);
  expect(zeros.filter((zero) => /tariff|mfn/i.test(zero)).map((zero) => zero.split(" ")[1])).toEqual(
    expect.arrayContaining(["HK", "SG"]),
  );
});

/** How far the values of two sources are from each other at most, as the logarithm of a factor. */
function difference(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const factors = [...one].flatMap(([country, value]) => {
    const second = other.get(country);
    return second === undefined || value * second <= 0 ? [] : [Math.abs(Math.log(value / second))];
  });
  expect(factors.length).toBeGreaterThan(20);
  return Math.max(...factors);
}

describe("sources of the same values agree", () => {
  test("the GDP of the World Bank is that of the IMF", async () => {
    const ofImf = new Map<string, { people?: number; head?: number }>();
    for (const { country = "", series, year, value } of await played(imfWeo))
      if (year === 2025 && (series === "LP" || series === "NGDPDPC"))
        ofImf.set(country, { ...ofImf.get(country), [series === "LP" ? "people" : "head"]: value });
    const gdp = new Map(Array.from(ofImf, ([country, { people = 0, head = 0 }]) => [country, people * head * 1e6]));
    expect(difference(gdp, values("gdp", worldBankDevelopment))).toBeLessThan(0.15);
  });

  test("the debt of Eurostat is that of the IMF", async () => {
    const rows = await played(eurostatIndicator(govDebt));
    const debt = new Map(rows.map(({ id = "", points = [] }) => [alpha2OfEurostat(id), points.at(-1)?.value ?? 0]));
    expect(difference(debt, values("debt"))).toBeLessThan(0.06);
  });

  test("the electricity of OWID and the World Bank makes a whole, and the imported energy of Eurostat is the World Bank's", () => {
    const fossil = values("fossilShare", worldBankDevelopment);
    for (const [country, share] of values("lowCarbonShare", owidEnergy))
      if (fossil.has(country)) expect(share + (fossil.get(country) ?? 0)).toBeCloseTo(100, -1);
    expect(
      difference(values("energyImports", eurostatEnergy), values("energyImports", worldBankDevelopment)),
    ).toBeLessThan(0.1);
  });

  test("American jobs are counted alike by the BLS and FRED", async () => {
    const jobs = async (source: typeof bls | typeof fredLabor) =>
      new Map((await played(source)).map(({ seriesId, date, value }) => [`${seriesId} ${date}`, value]));
    const [ofBls, ofFred] = [await jobs(bls), await jobs(fredLabor)];
    expect(ofBls.size).toBeGreaterThan(100);
    for (const [month, value] of ofBls) expect(ofFred.get(month)).toBe(value);
  });
});

test("all current accounts together are nearly in balance, and what one sells others buy", async () => {
  const rows = (await played(imfWeo)).filter(({ series, year }) => series === "BCA" && year === 2026);
  const sum = rows.reduce((total, { value = 0 }) => total + value, 0);
  const turnover = rows.reduce((total, { value = 0 }) => total + Math.abs(value), 0);
  expect(Math.abs(sum) / turnover).toBeLessThan(0.05);
  const sold = new Map<string, number>();
  for (const { reported: one } of await played(wtoFlows))
    if (one?.case === "series") {
      const year = one.value.points?.find((point) => point.year === 2024);
      const country = countryByNumeric(Number(one.value.reporter))?.alpha2;
      if (year && country) sold.set(country, Number(year.exports) * 1e6);
    }
  const bought = await imports();
  for (const country of ["DE", "CN", "US", "JP", "FR", "IT"]) {
    const share = (bought.get(country) ?? 0) / (sold.get(country) ?? 1);
    // Some partners are not named one by one.
    expect(share).toBeGreaterThan(0.6);
    expect(share).toBeLessThan(1.25);
  }
});

/** What all reporters bought of each country in 2024. */
async function imports(): Promise<ReadonlyMap<string, number>> {
  const upstream = sampleUpstream("comtrade-partners", () => now);
  const bought = new Map<string, number>();
  for (const { url = "", query = {} } of sampleIndex("comtrade-partners")?.responses ?? []) {
    const { data } = (await upstream.json({ url: `${url}?${new URLSearchParams(query)}` })) as { data: TradeRow[] };
    for (const { refYear, flowCode, partnerCode, primaryValue } of data)
      if (refYear === 2024 && flowCode === "M") {
        const partner = partnerIso2(partnerCode);
        bought.set(partner, (bought.get(partner) ?? 0) + primaryValue);
      }
  }
  return bought;
}

interface TradeRow {
  readonly refYear: number;
  readonly flowCode: string;
  readonly partnerCode: number;
  readonly primaryValue: number;
}

const clocks = [
  ...[0, 1, 4, 40, 130, 400].map((days) => new Date(now.getTime() + days * dayMs)),
  ...["2027-01-01T00:30:00Z", "2028-02-29T23:30:00Z"].map((instant) => new Date(instant)),
];
const indicators = [govDebt, housePrices, industrialProduction].map(eurostatIndicator);
const everySource = [
  ...[...inputSources, ...otherInputs, ...indicators, imfWeo, agsi, agsiCountries, ieaOilStocks, bls, fredLabor],
  ...[fredStress, fredTariff, armsSuppliers, defenseIndicators, wtoFlows, wtoTariffs],
] as readonly Source<unknown>[];

const outlooks = new Set([imfDataMapper.name, imfWeo.name]);

test.each(everySource)("$name is as complete later as on its first day, and has no future data", async (source) => {
  const first = await played(source);
  for (const at of clocks) {
    const rows = await played(source, at);
    // Outlooks are asked for by the calendar, which is ahead of them for half a year.
    if (outlooks.has(source.name)) expect(rows.length / first.length).toBeGreaterThan(0.97);
    else expect(rows).toHaveLength(first.length);
    const observed = rows.map((row) => source.observedAt?.(row) ?? Number.NaN).filter(Number.isFinite);
    expect(observed.filter((instant) => instant > at.getTime())).toEqual([]);
  }
});

/** Annual figures of what has happened; the IMF's outlooks reach ahead by design. */
const annual = [
  eurostatIndicator(housePrices),
  comtradePartners,
  armsSuppliers,
  defenseIndicators,
  wtoFlows,
  wtoTariffs,
  worldBankDevelopment,
  whoGho,
];

/** The debt reports have the current date, and not a year. */
const isOfToday = (row: unknown) =>
  typeof row === "object" && row !== null && "input" in row && row.input === "debtNotReported";

test.each([1, 4, 40, 130, 400])(
  "a year's values are published half a year after its end at the earliest, %s days on",
  async (days) => {
    const at = new Date(now.getTime() + days * dayMs);
    for (const source of annual as readonly Source<unknown>[]) {
      const rows = (await played(source, at)).filter((row) => !isOfToday(row));
      const text = JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
      const years = [...text.matchAll(/"(?:year|period|date)":"?(\d{4})\b/g)].map(([, year]) => Number(year));
      const newest = new Date(at.getTime() - 180 * dayMs).getUTCFullYear() - 1;
      expect(years.length, source.name).toBeGreaterThan(0);
      expect(Math.max(...years), source.name).toBeLessThanOrEqual(newest);
    }
  },
);

test.each(["00:05", "05:30", "18:00", "23:55"])(
  "the newest gas day has ended and was published at %s",
  async (time) => {
    for (const days of [0, 1, 4, 40, 130, 400]) {
      const at = new Date(`${new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10)}T${time}:00Z`);
      const gasDays = (await played(agsi, at)).map(({ date = "" }) => date);
      // Published in the evening of the day on which it ends.
      const published = Math.max(...gasDays.map((day) => Date.parse(day))) + dayMs + 18.6 * 3_600_000;
      expect(published).toBeLessThanOrEqual(at.getTime());
      expect(at.getTime() - published).toBeLessThan(dayMs + 6 * 3_600_000);
    }
  },
);
