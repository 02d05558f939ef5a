import { expect, test } from "vitest";
import { fredStress } from "../../src/domains/economic/us-series/fred.ts";
import { ecbExr } from "../../src/domains/market/premiums/ecb-exr.ts";
import { sge } from "../../src/domains/market/premiums/sge.ts";
import { yahooMetals } from "../../src/domains/market/premiums/yahoo-metals.ts";
import { yahooCarriers } from "../../src/domains/supply-chain/shipping-stress/yahoo-carriers.ts";
import { sampleDays, sampleUpstream } from "../../src/upstream/sample/sample.ts";
import { clocks, mean } from "./stories.ts";

const dayMs = 86_400_000;
/** Closing days in the years that the clocks see: of TARGET, */
const euroArea = [
  ...["2026-01-01", "2026-04-03", "2026-04-06", "2026-05-01", "2026-12-25", "2026-12-26"],
  ...["2027-01-01", "2027-03-26", "2027-03-29", "2027-05-01", "2027-12-25", "2027-12-26"],
];
/** of the New York Stock Exchange, as it announces them, */
const america = [
  ...["2026-01-01", "2026-01-19", "2026-02-16", "2026-04-03", "2026-05-25", "2026-06-19", "2026-07-03", "2026-09-07"],
  ...["2026-11-26", "2026-12-25", "2027-01-01", "2027-01-18", "2027-02-15", "2027-03-26", "2027-05-31", "2027-06-18"],
  ...["2027-07-05", "2027-09-06", "2027-11-25", "2027-12-24"],
];
/** and of the Shanghai Gold Exchange. */
const china = [
  ...["2026-01-01", "2026-02-17", "2026-02-18", "2026-05-01", "2026-10-01", "2026-10-02", "2026-10-05", "2026-10-07"],
  ...["2027-01-01", "2027-02-08", "2027-05-03", "2027-10-01", "2027-10-04", "2027-10-07"],
];

/** The days of all prints of a source of metals, as of a time and of each day of its history. */
async function prints(source: typeof sge, now: Date): Promise<{ asOf: string; price: number; symbol: string }[]> {
  const all = [];
  for (const daysBefore of [0, ...sampleDays(source.name, now)]) {
    const upstream = sampleUpstream(source.name, () => now, daysBefore);
    for (const { asOf = "", price, symbol = "" } of source.parse(await source.fetch(upstream), upstream.now).rows) {
      expect(Date.parse(asOf)).toBeLessThanOrEqual(upstream.now.getTime());
      all.push({ asOf, price: Number(price), symbol });
    }
  }
  return all;
}

/** The longest to play: after two holidays, and more than a year on. */
const [, , , yearLater, ...afterHolidays] = clocks;

test.each([yearLater, ...afterHolidays].filter((clock) => clock !== undefined))(
  "metals and rates are quoted only on trading days, and are at most days old, at %s",
  async (now) => {
    for (const source of [sge, yahooMetals, ecbExr]) {
      const days = [...new Set((await prints(source, now)).map(({ asOf }) => asOf.slice(0, 10)))];
      expect(days.length).toBeGreaterThanOrEqual(90);
      for (const day of days) {
        expect([1, 2, 3, 4, 5], `${source.name} ${day}`).toContain(new Date(day).getUTCDay());
        expect([...euroArea, ...america, ...china]).not.toContain(day);
      }
      const newest = Math.max(...days.map((day) => Date.parse(day)));
      expect(now.getTime() - newest).toBeLessThan(6 * dayMs);
    }
  },
);

test.each(["2026-11-26T22:00:00Z", "2026-11-27T22:00:00Z", "2027-01-18T22:00:00Z"])(
  "American stress has values only on trading days at %s",
  async (instant) => {
    const now = new Date(instant);
    const { rows } = fredStress.parse(await fredStress.fetch(sampleUpstream(fredStress.name, () => now)), now);
    const daily = rows.filter(({ seriesId }) => seriesId === "VIXCLS" || seriesId?.startsWith("T10"));
    expect(daily.length).toBeGreaterThan(300);
    for (const { date = "" } of daily) {
      expect([1, 2, 3, 4, 5]).toContain(new Date(date).getUTCDay());
      expect(america).not.toContain(date);
    }
  },
);

test.each([...clocks, ...["2026-11-26T22:00:00Z", "2026-11-30T15:00:00Z"].map((instant) => new Date(instant))])(
  "carriers are quoted only on trading days at %s",
  async (now) => {
    const upstream = sampleUpstream("yahoo-carriers", () => now);
    for (const { asOf = "", sparkline = [] } of yahooCarriers.parse(await yahooCarriers.fetch(upstream), now).rows) {
      expect([1, 2, 3, 4, 5]).toContain(new Date(asOf).getUTCDay());
      expect(america).not.toContain(asOf.slice(0, 10));
      expect(now.getTime() - Date.parse(asOf)).toBeLessThan(6 * dayMs);
      expect(now.getTime() - Date.parse(asOf)).toBeGreaterThan(0);
      expect(new Set(sparkline).size).toBeGreaterThan(15);
    }
  },
);

test("Shanghai pays a little more than New York, and prices move by little from day to day", async () => {
  const [now = new Date()] = clocks;
  const byDay = async (source: typeof sge, symbol: string) =>
    new Map(
      (await prints(source, now))
        .filter((quote) => quote.symbol === symbol)
        .map(({ asOf, price }) => [asOf.slice(0, 10), price]),
    );
  const rates = await byDay(ecbExr, "CNY/USD");
  for (const [contract, future, grams, min, max] of [
    ["SHAU", "GC=F", 1, -1, 3],
    ["SHAG", "SI=F", 1000, -2, 8],
  ] as const) {
    const [shanghai, newYork] = [await byDay(sge, contract), await byDay(yahooMetals, future)];
    const premiums = [...newYork].flatMap(([day, paper]) => {
      const [physical, rate] = [shanghai.get(day), rates.get(day)];
      return physical && rate ? ((physical / grams) * rate * 31.1034768) / paper - 1 : [];
    });
    expect(premiums.length).toBeGreaterThanOrEqual(90);
    expect(100 * Math.min(...premiums)).toBeGreaterThan(min);
    expect(100 * Math.max(...premiums)).toBeLessThan(max);
    expect(mean(premiums)).toBeGreaterThan(0);
    const prices = [...newYork].sort(([a], [b]) => a.localeCompare(b)).map(([, price]) => price);
    const moves = prices.slice(1).map((price, place) => Math.abs(price / (prices[place] ?? price) - 1));
    expect(Math.max(...moves)).toBeLessThan(0.08);
  }
});
