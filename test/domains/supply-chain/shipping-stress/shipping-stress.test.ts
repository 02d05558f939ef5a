import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { responding } from "../../../support/responding.ts";

const path = "/api/supply-chain/v1/get-shipping-stress";
const minuteMs = 60_000;

interface Body {
  readonly carriers: readonly { readonly symbol: string; readonly changePct: number; readonly sparkline: number[] }[];
  readonly stressScore: number;
  readonly stressLevel: string;
  readonly fetchedAt: number;
  readonly upstreamUnavailable: boolean;
}

describeEachDatabase("GetShippingStress", (openFresh) => {
  let app: TestApp;
  const changes: Record<string, number | undefined> = { BDRY: -4, ZIM: -4, MATX: -4, SBLK: -4, GNK: -4 };
  const outside = responding(({ pathname }) => {
    const symbol = pathname.split("/").at(-1) ?? "";
    const change = changes[symbol];
    if (change === undefined) return undefined;
    const close = [90, 100, null, 100 + change];
    const meta = { symbol, currency: "USD", regularMarketPrice: 100 + change, regularMarketTime: 1_794_949_200 };
    return { chart: { result: [{ meta, indicators: { quote: [{ close }] } }], error: null } };
  });
  const start = async (environment: Readonly<Record<string, string>>) =>
    startApp(await openFresh(), { environment, outside });
  const at = (minutes: number) => app.setTime(new Date(testTime.getTime() + minutes * minuteMs));
  beforeAll(async () => {
    app = await start({ IDS_SOURCE_YAHOO_CARRIERS: "on" });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const nothing = { carriers: [], stressScore: 0, stressLevel: "", fetchedAt: 0, upstreamUnavailable: true };

  test("before the first refresh it is unavailable, without a verdict, and never kept", async () => {
    const response = await app.get(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.json()).toEqual(nothing);
  });

  test("any key may call it, none may not", async () => {
    expect((await app.get(path, { key: null })).status).toBe(401);
    expect((await app.get(path, { key: "garbage" })).status).toBe(401);
    expect((await app.get(path, { key: await app.key("free") })).status).toBe(200);
  });

  test("after a refresh the carriers make the score: a mean of -4 % is 52, elevated", async () => {
    await app.refresh("shipping-stress");
    const response = await app.get(path);
    expect(response.headers.get("cache-control")).not.toContain("no-store");
    expect(response.headers.get("x-data-origin")).toBeNull();
    const body = (await response.json()) as Body;
    expect(body).toMatchObject({
      ...{ stressScore: 52, stressLevel: "elevated", fetchedAt: testTime.getTime(), upstreamUnavailable: false },
    });
    expect(body.carriers.map(({ symbol }) => symbol)).toEqual(["BDRY", "ZIM", "MATX", "SBLK", "GNK"]);
    expect(body.carriers[1]).toEqual({
      ...{ carrierType: "carrier", name: "ZIM Integrated Shipping", symbol: "ZIM" },
      ...{ price: 96, asOf: "2026-11-17T21:00:00.000Z", changePct: -4, sparkline: [90, 100, 96] },
    });
  });

  test("a day without change is measured: 40 and moderate, and not nothing", async () => {
    for (const symbol of Object.keys(changes)) changes[symbol] = 0;
    await app.refresh("shipping-stress");
    expect(await app.json<Body>(path)).toMatchObject({
      ...{
        stressScore: 40,
        stressLevel: "moderate",
        upstreamUnavailable: false,
        carriers: [{ changePct: 0 }, {}, {}, {}, {}],
      },
    });
  });

  test("a carrier without data is left out of the list and of the mean, and health counts it", async () => {
    Object.assign(changes, { BDRY: undefined, ZIM: -12, MATX: -12, SBLK: -12, GNK: -12 });
    at(15);
    await app.refresh("shipping-stress");
    const body = await app.json<Body>(path);
    expect(body).toMatchObject({ stressScore: 76, stressLevel: "critical", upstreamUnavailable: false });
    expect(body.carriers.map(({ symbol }) => symbol)).toEqual(["ZIM", "MATX", "SBLK", "GNK"]);
    expect((await app.condition("shipping-stress")).sources).toMatchObject([{ state: "ok", rowsOut: 4, rejected: 1 }]);
  });

  test("when the source is down the last prices stay, after 45 minutes they are called old and are not kept", async () => {
    for (const symbol of Object.keys(changes)) changes[symbol] = undefined;
    at(60);
    await app.refresh("shipping-stress");
    expect(await app.json<Body>(path)).toMatchObject({ stressScore: 76, upstreamUnavailable: false });
    at(60.2);
    const response = await app.get(path);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({
      ...{ stressScore: 76, upstreamUnavailable: true, fetchedAt: testTime.getTime() + 15 * minuteMs },
    });
    expect(await app.condition("shipping-stress")).toMatchObject({ state: "stale", sources: [{ state: "failed" }] });
    for (const symbol of Object.keys(changes)) changes[symbol] = 6;
    await app.refresh("shipping-stress");
    expect(await app.json<Body>(path)).toMatchObject({
      stressScore: 22,
      stressLevel: "low",
      upstreamUnavailable: false,
    });
  });

  test("without the operator's permission nothing is asked live, and the catalog says what is missing", async () => {
    await using closed = await start({});
    await closed.refresh("shipping-stress");
    expect(await closed.json<Body>(path)).toEqual(nothing);
    expect(await closed.condition("shipping-stress")).toMatchObject({
      sources: [
        { state: "unconfigured", missingVariables: ["IDS_SOURCE_YAHOO_CARRIERS"], license: { kind: "restricted" } },
      ],
    });
  });

  test("the sample is labelled, with five carriers, and a projection finds its way in", async () => {
    await using sample = await startApp(await openFresh());
    await sample.refresh("shipping-stress");
    expect((await sample.get(path)).headers.get("x-data-origin")).toBe("sample");
    expect(await sample.json(`${path}?jmespath=[length(carriers),upstreamUnavailable]`)).toEqual([5, false]);
  });
});
