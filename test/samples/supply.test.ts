import { afterAll, beforeAll, expect, test } from "vitest";
import { coastSides } from "../../src/reference/trade/coast-sides.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { describeOnce } from "../support/databases.ts";

interface Product {
  readonly hs4: string;
  readonly totalValue: number;
  readonly topExporters: readonly { readonly partnerIso2: string; readonly share: number }[];
}
interface Row {
  readonly countryIso2: string;
  readonly commodityId: string;
  readonly score: number;
  readonly hasScore: boolean;
  readonly coverage: readonly string[];
}

const base = "/api/supply-chain/v1";
const datasets = ["country-imports", "chokepoint-status", "mineral-production", "supply-buffers"] as const;
const [crude, refined, semiconductors, cars, wheat] = ["2709", "2710", "8542", "8703", "1001"] as const;

describeOnce("The supply of the sample's world", (openFresh) => {
  let app: TestApp;
  const bought = new Map<string, Product>();
  let scored: Row[] = [];
  beforeAll(async () => {
    app = await startApp(await openFresh());
    for (const dataset of [...datasets, "supply-vulnerability"] as const) await app.refresh(dataset);
    for (const iso2 of coastSides.keys()) {
      const { products } = await app.json<{ products: Product[] }>(`${base}/get-country-products?iso2=${iso2}`);
      for (const product of products) bought.set(`${iso2} ${product.hs4}`, product);
      const { vulnerabilities } = await app.json<{ vulnerabilities: Row[] }>(
        `${base}/get-country-vulnerabilities?iso2=${iso2}`,
      );
      scored.push(...vulnerabilities.filter(({ hasScore }) => hasScore));
    }
    scored = scored.toSorted((a, b) => b.score - a.score);
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const sellers = (iso2: string, hs4: string) =>
    (bought.get(`${iso2} ${hs4}`)?.topExporters ?? []).map(({ partnerIso2 }) => partnerIso2).filter(Boolean);
  const billions = (iso2: string, hs4: string) => (bought.get(`${iso2} ${hs4}`)?.totalValue ?? 0) / 1e9;
  const leaders = (commodity: string, count: number) =>
    scored
      .filter(({ commodityId }) => commodityId === commodity)
      .slice(0, count)
      .map(({ countryIso2 }) => countryIso2);

  test.each([
    ["JP", crude, ["SA", "AE"]],
    ["US", crude, ["CA", "MX"]],
    ["CN", crude, ["RU", "SA"]],
    ["IN", crude, ["RU", "IQ"]],
    ["JP", cars, ["DE"]],
    ["JP", wheat, ["US", "CA", "AU"]],
    ["DE", "2711", ["NO"]],
    ["CN", "1201", ["BR", "US"]],
    ["EG", wheat, ["RU"]],
    ["CN", semiconductors, ["TW", "KR"]],
  ])("%s buys its %s above all from %j", (iso2, hs4, expected) => {
    expect(sellers(iso2, hs4).slice(0, expected.length)).toEqual(expected);
  });

  test("sanctioned countries sell their oil to countries without sanctions, and the west buys none of it", () => {
    for (const iso2 of "US CA GB DE FR IT ES NL BE PL SE FI AT CZ LT RO GR CH AU JP KR TW".split(" "))
      for (const hs4 of [crude, refined, "7601"]) expect(sellers(iso2, hs4), `${iso2} ${hs4}`).not.toContain("RU");
    for (const iso2 of ["IN", "CN", "TR"]) expect(sellers(iso2, crude)[0]).toBe("RU");
  });

  test("China buys more crude oil and semiconductors than any other country, and more of each than refined products", () => {
    const first = (hs4: string) => [...coastSides.keys()].toSorted((a, b) => billions(b, hs4) - billions(a, hs4))[0];
    for (const hs4 of [crude, semiconductors]) {
      expect(first(hs4)).toBe("CN");
      expect(billions("CN", hs4)).toBeGreaterThan(270);
      expect(billions("CN", hs4)).toBeGreaterThan(4 * billions("CN", refined));
    }
  });

  test("large exporters of a commodity are not reported as lacking it", () => {
    for (const [commodity, exporters] of Object.entries({
      ...{ crude_oil: "SA KW IQ AE RU NO QA NG", soybeans: "US BR PY", wheat: "RU US CA AU", corn: "US BR AR" },
      ...{ rice: "IN TH VN", lng: "QA AU US NO", palm_oil: "ID MY" },
    }))
      for (const exporter of exporters.split(" ")) expect(leaders(commodity, 25), commodity).not.toContain(exporter);
  });

  test.each([
    ["gallium", "JP KR TW DE US NL", 7],
    ["germanium", "JP KR TW DE US NL", 7],
    ["lithium", "JP KR TW DE US NL", 8],
    ["crude_oil", "JP IN CN", 5],
    ["crude_oil", "KR US TW", 20],
    ["soybeans", "CN MX EG TH ID", 8],
    ["copper", "CN JP KR", 8],
  ])("%s is what %s lack most", (commodity, importers, count) => {
    expect(leaders(commodity, count)).toEqual(expect.arrayContaining(importers.split(" ")));
  });

  test("the ranking is of economies that buy, by what they buy, and has no ties among the first", () => {
    const first = scored.slice(0, 20);
    const unbought = first.filter(({ coverage }) => coverage.includes("source_production_only"));
    expect(unbought.length).toBeLessThanOrEqual(1);
    expect(new Set(first.map(({ score }) => score)).size).toBeGreaterThanOrEqual(19);
    expect(new Set(first.map(({ commodityId }) => commodityId)).size).toBeGreaterThanOrEqual(4);
  });

  test("nearly all that is scored is scored by imports", () => {
    const unbought = scored.filter(({ coverage }) => coverage.includes("source_production_only"));
    // UN Comtrade has no number for Kosovo.
    expect(new Set(unbought.map(({ countryIso2 }) => countryIso2))).toEqual(new Set(["XK"]));
  });
});
