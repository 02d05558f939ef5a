import fc from "fast-check";
import { expect, test } from "vitest";
import { exposureOf, type Import } from "../../../../src/domains/supply-chain/imports/exposure.ts";
import { chokepoints } from "../../../../src/reference/trade/chokepoints.ts";
import { countryRoutes } from "../../../../src/reference/trade/country-routes.ts";

const of = (iso2: string, hs2: string, imports: readonly Import[] = []) => {
  const { scores, ...exposure } = exposureOf(iso2, hs2, imports, countryRoutes);
  return { ...exposure, scores: Object.fromEntries(scores) };
};
const none = { korea_strait: 0, dover_strait: 0, kerch_strait: 0, lombok_strait: 0, panama: 0, taiwan_strait: 0 };
const crude = (...topExporters: Import["topExporters"][number][]): Import => ({
  hs4: "2709",
  totalValue: 7e9,
  topExporters,
});

test.each([
  [
    "TR",
    "27",
    64,
    { bosphorus: 100, hormuz_strait: 30, suez: 25, bab_el_mandeb: 25, gibraltar: 25, malacca_strait: 0 },
  ],
  ["TR", "84", 61.5, { bosphorus: 100, gibraltar: 25, hormuz_strait: 20, suez: 16.7, bab_el_mandeb: 16.7 }],
  ["CH", "30", 16.2, { suez: 16.7, bab_el_mandeb: 16.7, malacca_strait: 14.3, bosphorus: 0 }],
])("without imports %s trades chapter %s by its routes only: index %d", (iso2, hs2, vulnerabilityIndex, scores) => {
  expect(of(iso2, hs2)).toMatchObject({
    coverage: "country_route_fallback",
    vulnerabilityIndex,
    scores: { ...none, ...scores },
  });
});

test("for the United States Panama and Taiwan are alike, and the order of the register decides", () => {
  const exposure = of("US", "84");
  expect(exposure).toMatchObject({ vulnerabilityIndex: 43.3, primaryId: "panama" });
  expect(exposure.scores).toMatchObject({
    panama: 50,
    taiwan_strait: 50,
    suez: 16.7,
    bab_el_mandeb: 16.7,
    malacca_strait: 14.3,
  });
});

test("the routes of both ends count, weighted by the exporter's share; half as much again for energy with a shock model", () => {
  const exposure = of("TR", "27", [crude({ partnerIso2: "SA", share: 0.6 }, { partnerIso2: "RU", share: 0.3 })]);
  expect(exposure).toMatchObject({ coverage: "flow_weighted", primaryId: "bosphorus", vulnerabilityIndex: 63 });
  expect(exposure.scores).toEqual({
    ...{ bosphorus: 90, hormuz_strait: 45, suez: 22.5, bab_el_mandeb: 22.5, gibraltar: 22.5, malacca_strait: 12.9 },
    ...{ panama: 0, taiwan_strait: 0, cape_of_good_hope: 0, korea_strait: 0, dover_strait: 0 },
    ...{ kerch_strait: 0, lombok_strait: 0 },
  });
});

test("headings weigh by their value; an exporter that is not a country adds nothing", () => {
  const from = (partnerIso2: string, hs4: string, totalValue: number): Import => ({
    ...{ hs4, totalValue, topExporters: [{ partnerIso2, share: 1 }] },
  });
  const { scores } = of("AQ", "27", [from("RU", "2709", 3), from("SA", "2710", 1), from("", "2711", 4)]);
  expect(scores).toMatchObject({ bosphorus: 37.5, hormuz_strait: 7.5 });
});

test("imports of other chapters do not count, and imports that pass no chokepoint leave the country's routes", () => {
  const imports = [{ ...crude({ partnerIso2: "SA", share: 1 }), hs4: "8703" }, crude({ partnerIso2: "AD", share: 1 })];
  expect(of("AD", "27", imports)).toMatchObject({ coverage: "country_route_fallback", primaryId: "" });
  expect(of("TR", "27", [{ ...crude(), topExporters: [] }])).toEqual(of("TR", "27"));
});

test("every score is between 0 and 100 in descending order, and every chokepoint has one", () => {
  const code = fc.constantFrom(...countryRoutes.keys());
  const share = fc.double({ min: 0, max: 0.2, noNaN: true });
  const products = fc.array(
    fc.record({
      hs4: fc.constantFrom("2709", "2710", "8542", "1001"),
      totalValue: fc.double({ min: 1, max: 1e12, noNaN: true }),
      topExporters: fc.array(fc.record({ partnerIso2: code, share }), { maxLength: 5 }),
    }),
  );
  fc.assert(
    fc.property(code, fc.constantFrom("27", "85", "10", "99"), products, (iso2, hs2, imports) => {
      const { scores, primaryId, vulnerabilityIndex } = exposureOf(iso2, hs2, imports, countryRoutes);
      const values = [...scores.values()];
      expect(new Set(scores.keys())).toEqual(new Set(chokepoints.map(({ id }) => id)));
      expect(values).toEqual(values.toSorted((a, b) => b - a));
      for (const value of [...values, vulnerabilityIndex]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(100);
        expect(Math.round(value * 10) / 10).toBe(value);
      }
      expect(primaryId === "").toBe(values.every((value) => value === 0));
    }),
  );
});
