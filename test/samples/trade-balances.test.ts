import { expect, test } from "vitest";
import { profiles } from "../../scripts/samples/world/country-profiles.ts";
import { imfWeo } from "../../src/domains/economic/country-figures/imf-weo.ts";
import { wtoFlows } from "../../src/domains/trade/flows/wto-flows.ts";
import { countryByNumeric } from "../../src/reference/countries/countries.ts";
import { sampleUpstream } from "../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-18T12:00:00Z");

/** Balance of goods of an economy by year, in percent of its GDP, from the IMF's sample. */
async function balances(): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
  const figures = await imfWeo.parse(await imfWeo.fetch(sampleUpstream(imfWeo.name, () => now)), now);
  const weo = new Map(figures.rows.map(({ series, country, year, value }) => [`${series} ${country} ${year}`, value]));
  const gdp = (country: string, year: number) =>
    (weo.get(`LP ${country} ${year}`) ?? Number.NaN) * (weo.get(`NGDPDPC ${country} ${year}`) ?? Number.NaN);
  const flows = wtoFlows.parse(await wtoFlows.fetch(sampleUpstream(wtoFlows.name, () => now)), now);
  return new Map(
    flows.rows.flatMap(({ reported }) => {
      if (reported?.case !== "series") return [];
      const country = countryByNumeric(Number(reported.value.reporter))?.alpha2 ?? "";
      const shares = (reported.value.points ?? []).map(
        ({ year = 0, exports, imports }) =>
          [year, (100 * (Number(exports) - Number(imports))) / gdp(country, year)] as const,
      );
      return [[country, new Map(shares.filter(([, share]) => Number.isFinite(share)))] as const];
    }),
  );
}

const reported = await balances();
const years = [2023, 2024, 2025];
const of = (country: string) => years.flatMap((year) => reported.get(country)?.get(year) ?? []);

test.each("CN DE KR TW NL IE CH VN SG MY TH IT SA AE QA KW IQ NO RU AO KZ BR CL PE AU".split(" "))(
  "%s sells more goods than it buys, every year",
  (country) => {
    expect(of(country).length).toBeGreaterThan(0);
    for (const balance of of(country)) expect(balance).toBeGreaterThan(0);
  },
);

test.each("US GB IN FR ES PT GR TR PH EG PK MA BD RO HR UA LK NP".split(" "))(
  "%s buys more goods than it sells, every year",
  (country) => {
    expect(of(country).length).toBeGreaterThan(0);
    for (const balance of of(country)) expect(balance).toBeLessThan(0);
  },
);

test("all oil states have a surplus, all that live from visitors a deficit, and Japan is near balance", () => {
  for (const { alpha2, kind } of profiles)
    for (const balance of of(alpha2)) {
      if (kind === "oil") expect(balance, alpha2).toBeGreaterThan(0);
      if (kind === "tourism") expect(balance, alpha2).toBeLessThan(0);
    }
  for (const balance of of("JP")) expect(Math.abs(balance)).toBeLessThan(2);
});
