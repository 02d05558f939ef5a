import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";

const path = "/api/supply-chain/v1/get-country-chokepoint-index";
const dayMs = 86_400_000;

interface Body {
  readonly iso2: string;
  readonly hs2: string;
  readonly exposures: readonly {
    readonly chokepointId: string;
    readonly chokepointName: string;
    readonly coastSide: string;
    readonly exposureScore: number;
    readonly shockSupported: boolean;
  }[];
  readonly primaryChokepointId: string;
  readonly vulnerabilityIndex: number;
  readonly fetchedAt: string;
  readonly coverage: string;
  readonly upstreamUnavailable: boolean;
}

const scores = ({ exposures }: Body) =>
  Object.fromEntries(exposures.map(({ chokepointId, exposureScore }) => [chokepointId, exposureScore]));

describeEachDatabase("GetCountryChokepointIndex", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const read = (query: string) => app.json<Body>(`${path}?${query}`);

  test("before the first refresh it is a 503 and no zero", async () => {
    const response = await app.get(`${path}?iso2=TR`);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
  });

  test("all 13 chokepoints come, highest first, with the country's coast side on each; energy is the default", async () => {
    const outcome = await app.refresh("country-imports");
    expect(outcome.sources.map(({ state }) => state)).toEqual(["ok", "ok"]);
    const response = await app.get(`${path}?iso2=TR`);
    expect(response.headers.get("x-data-origin")).toBe("sample");
    expect(response.headers.get("cache-control")).toContain("private");
    const body = (await response.json()) as Body;
    expect(body).toMatchObject({ iso2: "TR", hs2: "27", coverage: "flow_weighted", upstreamUnavailable: false });
    expect(body.fetchedAt).toBe(testTime.toISOString());
    expect(body.exposures).toHaveLength(13);
    expect(new Set(body.exposures.map(({ coastSide }) => coastSide))).toEqual(new Set(["med"]));
    const values = body.exposures.map(({ exposureScore }) => exposureScore);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(body.primaryChokepointId).toBe(body.exposures[0]?.chokepointId);
    const [first = 0, second = 0, third = 0] = values;
    expect(body.vulnerabilityIndex).toBeCloseTo(0.5 * first + 0.3 * second + 0.2 * third, 1);
    expect(body.exposures.filter(({ shockSupported }) => shockSupported)).toHaveLength(4);
  });

  test("a chapter without watched imports is answered from the routes, and says so", async () => {
    const body = await read("iso2=US&hs2=99");
    expect(body).toMatchObject({ hs2: "99", coverage: "country_route_fallback", vulnerabilityIndex: 43.3 });
    expect(scores(body)).toMatchObject({ panama: 50, taiwan_strait: 50, suez: 16.7, malacca_strait: 14.3 });
    expect(body.primaryChokepointId).toBe("panama");
  });

  test("a country without imports on record is answered from its routes", async () => {
    const body = await read("iso2=XK&hs2=84");
    expect(body).toMatchObject({ coverage: "country_route_fallback", upstreamUnavailable: false });
  });

  test("a country without routes is measured at zero: 13 zeros, and no primary chokepoint", async () => {
    const body = await read("iso2=BT&hs2=99");
    expect(body).toMatchObject({ coverage: "country_route_fallback", primaryChokepointId: "", vulnerabilityIndex: 0 });
    expect(Object.values(scores(body))).toEqual(Array(13).fill(0));
  });

  test.each(["AQ", "GL", "PS"])(
    "of %s nothing is known: no exposures, nothing primary, and nothing is kept",
    async (code) => {
      const response = await app.get(`${path}?iso2=${code}`);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toMatchObject({
        ...{ iso2: code, exposures: [], primaryChokepointId: "", vulnerabilityIndex: 0, fetchedAt: "", coverage: "" },
      });
    },
  );

  test.each([
    ["7", "07"],
    ["07", "07"],
    ["97", "97"],
    ["99", "99"],
    ["", "27"],
  ])("the chapter %j is read as %s", async (hs2, padded) => {
    expect((await read(`iso2=DE&hs2=${hs2}`)).hs2).toBe(padded);
  });

  test.each(["0", "00", "77", "98", "100", "027", "2x", "-1", "%202", "٢٧"])(
    "the chapter %j is refused",
    async (hs2) => {
      expect(await app.rejected(`${path}?iso2=DE&hs2=${hs2}`)).toEqual(["hs2"]);
    },
  );

  test.each(["iso2=de", "iso2=De", "iso2=DEU", "iso2=D", "iso2=", "", "iso2=ZZ", "iso2=%20DE", "iso2=D1"])(
    "%j is refused for its country",
    async (query) => {
      expect(await app.rejected(`${path}?${query}`)).toEqual(["iso2"]);
    },
  );

  test("Kosovo is a country", async () => {
    expect((await read("iso2=XK")).exposures).toHaveLength(13);
  });

  test("imports read more than 45 days ago are reported as unreachable, with the data on record", async () => {
    app.setTime(new Date(testTime.getTime() + 46 * dayMs));
    const response = await app.get(`${path}?iso2=DE`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const body = (await response.json()) as Body;
    expect(body).toMatchObject({ coverage: "flow_weighted", upstreamUnavailable: true });
    expect(body.exposures).toHaveLength(13);
    app.setTime(testTime);
  });

  test("a call without a key is rejected, a free account is rejected for its tier, and a pro account is served", async () => {
    const query = `${path}?iso2=DE`;
    expect((await app.get(query, { key: null })).status).toBe(401);
    const rejected = await app.get(query, { key: await app.key("free") });
    expect(rejected.status).toBe(403);
    expect(await rejected.json()).toMatchObject({ error: expect.any(String), requiredTier: 1, currentTier: 0 });
    expect((await app.get(query, { key: await app.key("pro_monthly") })).status).toBe(200);
  });

  test("if Comtrade never responded, the routes are used instead, and imports are reported as unreachable", async () => {
    const environment = { IDS_DATA: "live" };
    const transport = () => Promise.reject(new Error("no network"));
    const outside = { transport, wait: async () => undefined };
    await using live = await startApp(await openFresh(), { environment, outside });
    await live.refresh("country-imports");
    const response = await live.get(`${path}?iso2=TR`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const body = (await response.json()) as Body;
    expect(body).toMatchObject({
      coverage: "country_route_fallback",
      vulnerabilityIndex: 64,
      upstreamUnavailable: true,
    });
    expect(scores(body)).toMatchObject({
      bosphorus: 100,
      hormuz_strait: 30,
      suez: 25,
      bab_el_mandeb: 25,
      gibraltar: 25,
    });
    const products = await live.json<object>("/api/supply-chain/v1/get-country-products?iso2=TR");
    expect(products).toEqual({ iso2: "TR", products: [], fetchedAt: "", upstreamUnavailable: true });
  });

  // Closes the database, so it comes last.
  test("an unreadable store is a 503", async () => {
    await database.close();
    expect((await app.get(`${path}?iso2=SE&hs2=30`)).status).toBe(503);
  });
});
