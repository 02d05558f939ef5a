import { afterAll, beforeAll, expect, test } from "vitest";
import { hsHeadings } from "../../../../src/reference/trade/hs-headings.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { inventedSupply } from "../../../support/domains/invented-supply.ts";

const path = "/api/supply-chain/v1/get-country-products";
const dayMs = 86_400_000;

interface Body {
  readonly iso2: string;
  readonly products: readonly {
    readonly hs4: string;
    readonly description: string;
    readonly totalValue: number;
    readonly topExporters: readonly { readonly partnerIso2: string; readonly value: number; readonly share: number }[];
    readonly year: number;
  }[];
  readonly fetchedAt: string;
  readonly upstreamUnavailable: boolean;
}

describeEachDatabase("GetCountryProducts", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const read = (query: string) => app.json<Body>(`${path}?${query}`);

  test("before the first refresh it says that imports cannot be read", async () => {
    const response = await app.get(`${path}?iso2=DE`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({ iso2: "DE", products: [], fetchedAt: "", upstreamUnavailable: true });
  });

  test("after it a country's headings come by value, with up to five exporters each", async () => {
    await app.refresh("country-imports");
    const response = await app.get(`${path}?iso2=DE`);
    expect(response.headers.get("x-data-origin")).toBe("sample");
    const { products, ...rest } = (await response.json()) as Body;
    expect(rest).toEqual({ iso2: "DE", fetchedAt: testTime.toISOString(), upstreamUnavailable: false });
    expect(products.length).toBeGreaterThanOrEqual(30);
    const values = products.map(({ totalValue }) => totalValue);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    for (const { hs4, description, totalValue, topExporters } of products) {
      expect(description).toBe(hsHeadings.get(hs4));
      const worths = topExporters.map(({ value }) => value);
      expect(worths.length).toBeLessThanOrEqual(5);
      expect(worths).toEqual(worths.toSorted((a, b) => b - a));
      expect(topExporters.every(({ partnerIso2 }) => partnerIso2 !== "DE")).toBe(true);
      for (const { value, share } of topExporters) expect(share).toBeCloseTo(value / totalValue, 3);
    }
  });

  test("the code is read in either case and without blanks round it", async () => {
    expect(await read("iso2=%20de%20")).toEqual(await read("iso2=DE"));
  });

  test.each(["GL", "PS", "AQ"])("%s is not covered: no products, and nothing is out of reach", async (code) => {
    const response = await app.get(`${path}?iso2=${code}`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({ iso2: code, products: [], fetchedAt: "", upstreamUnavailable: false });
  });

  test.each(["", "iso2=", "iso2=D", "iso2=ZZ", "iso2=D1", "iso2=%C3%9F"])("%j is refused", async (query) => {
    expect(new Set(await app.rejected(`${path}?${query}`))).toEqual(new Set(["iso2"]));
  });

  test("imports of more than 45 days ago are served as out of date", async () => {
    app.setTime(new Date(testTime.getTime() + 46 * dayMs));
    const body = await read("iso2=FR");
    expect([body.upstreamUnavailable, body.products.length > 0]).toEqual([true, true]);
    app.setTime(testTime);
  });

  test("imports that failed to come are asked for again the day after; those that came, before they are 45 days old", async () => {
    let now = testTime;
    const supply = inventedSupply(() => now);
    supply.importers.clear();
    for (const iso2 of ["DE", "FR", "JP"]) supply.importers.add(iso2);
    await using live = await startApp(await openFresh(), supply);
    const after = async (days: number) => {
      now = new Date(now.getTime() + days * dayMs);
      live.setTime(now);
      const { sources } = await live.refresh("country-imports");
      return sources.find(({ source }) => source === "un-comtrade")?.state;
    };
    const products = async () => (await live.json<Body>(`${path}?iso2=FR`)).products.length;
    supply.down.add("comtrade");
    expect([await after(0), await products()]).toEqual(["failed", 0]);
    supply.down.clear();
    expect([await after(1), await products()]).toEqual(["ok", 22]);
    expect([await after(21), await after(1), await after(1)]).toEqual(["paced", "ok", "paced"]);
    // One run without this country, and the next one with it.
    supply.importers.delete("FR");
    expect(await after(21)).toBe("ok");
    supply.importers.add("FR");
    expect(await after(21)).toBe("paced");
    expect(await live.json<Body>(`${path}?iso2=FR`)).toMatchObject({ upstreamUnavailable: false });
    expect(await after(1)).toBe("ok");
    expect((await live.json<Body>(`${path}?iso2=FR`)).fetchedAt).toBe(now.toISOString());
  });

  test("the older path serves the same, says that it is deprecated and names the new one", async () => {
    const older = "/api/supply-chain/v1/country-products?iso2=DE";
    const response = await app.get(older);
    expect(response.headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(response.headers.get("link")).toContain(`<${path}>; rel="successor-version"`);
    expect(await response.json()).toEqual(await read("iso2=DE"));
    expect((await app.get(older, { key: null })).status).toBe(401);
  });

  test("a call without a key is rejected, a free account is rejected for its tier, and a pro account is served", async () => {
    expect((await app.get(`${path}?iso2=DE`, { key: null })).status).toBe(401);
    expect((await app.get(`${path}?iso2=DE`, { key: await app.key("free") })).status).toBe(403);
    expect((await app.get(`${path}?iso2=DE`, { key: await app.key("pro_monthly") })).status).toBe(200);
  });

  // Closes the database, so it comes last.
  test("an unreadable store is reported as unreachable", async () => {
    await database.close();
    expect(await read("iso2=SE")).toEqual({ iso2: "SE", products: [], fetchedAt: "", upstreamUnavailable: true });
  });
});
