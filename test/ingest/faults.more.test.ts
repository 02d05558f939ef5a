import { afterAll, beforeAll, expect, test } from "vitest";
import { datasets } from "../../src/domains/index.ts";
import { betweenRequestsMs } from "../../src/domains/intelligence/topics/gdelt.ts";
import type { DatasetCondition } from "../../src/ingest/condition.ts";
import { permissionOf } from "../../src/ingest/upstreams.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { type Behaviour, startUpstreamServer, type UpstreamServer } from "../support/upstream-server.ts";

const variables = [...new Set(datasets.flatMap(({ sources }) => sources.flatMap((source) => source.variables)))];
const permissions = datasets.flatMap(({ sources }) => sources.flatMap((source) => permissionOf(source) ?? []));
const sources = [...new Set(datasets.flatMap((dataset) => dataset.sources.map(({ name }) => name)))];

/** What callers read of each dataset. */
const reads: Readonly<Record<string, string>> = {
  "internet-outages": "/api/infrastructure/v1/list-internet-outages",
  "conflict-events": "/api/conflict/v1/list-conflict-events",
  "eu-gas-storage": "/api/economic/v1/get-eu-gas-storage",
  "energy-crisis-policies": "/api/economic/v1/get-energy-crisis-policies",
  "labor-stats": "/api/economic/v1/get-labor-stats-series?series_id=USPRIV&limit=500",
  "economic-stress": "/api/economic/v1/get-economic-stress",
  "country-macro": "/api/economic/v1/get-country-macro?limit=0",
  "eu-housing-cycle": "/api/economic/v1/get-eu-housing-cycle",
  "eu-quarterly-gov-debt": "/api/economic/v1/get-eu-quarterly-gov-debt",
  "eu-industrial-production": "/api/economic/v1/get-eu-industrial-production",
  "defense-industrial-base":
    "/api/military/v1/get-defense-industrial-base?country_code=PL&jmespath=[expenditureUsd,suppliers,industrialFetchedAt]",
  "shipping-stress": "/api/supply-chain/v1/get-shipping-stress?jmespath=carriers",
  "mineral-production": "/api/supply-chain/v1/get-mineral-production?jmespath=commodities",
  "tech-events": "/api/research/v1/list-tech-events?limit=200&days=365",
  "military-bases": "/api/military/v1/list-military-bases?ne_lat=90&ne_lon=180&sw_lat=-90&sw_lon=-180&zoom=8",
  "trade-tariffs": "/api/trade/v1/get-tariff-trends?years=30",
  "trade-flows": "/api/trade/v1/get-trade-flows?years=30",
  "metal-premiums": "/api/market/v1/get-physical-premiums",
  "sec-tickers": "/api/intelligence/v1/get-company-enrichment?ticker=BRK.B&jmespath=company.[cik,ticker]",
  "company-news": "/api/intelligence/v1/get-company-enrichment?ticker=MSFT&jmespath=newsMentions",
  "chokepoint-status":
    "/api/supply-chain/v1/get-multi-sector-cost-shock?iso2=DE&chokepoint_id=suez&jmespath=warRiskTier",
  "news-topic-timelines": "/api/intelligence/v1/get-news-topic-timeline?topic=maritime",
  "country-imports": "/api/supply-chain/v1/get-country-products?iso2=DE",
};

/** Our own lists, a feed that may be empty, and a preview that is left alone where there is a key. */
const unharmed = [
  ...datasets.flatMap(({ sources }) => sources.flatMap(({ name, own }) => (own ? [name] : []))),
  ...["arms-suppliers", "cloudflare-radar", "un-comtrade-preview"],
];

const unread = /^The source's answer has an unknown form|^The answer was empty, or too small to be trusted/;

/**
 * What the operator reads of a source after each fault, and what health says to everybody; a feed that may be empty takes an
 * empty answer as healthy.
 */
const faults: readonly (readonly [Behaviour, RegExp, RegExp])[] = [
  ["hangs", /did not answer within/, /^The source did not answer$/],
  ["500", /answered 500/, /^The source failed \(HTTP 500\)$/],
  ["429", /answered 429/, /^The source's quota is used up \(HTTP 429\)$/],
  ["html", /not JSON|HTML|no rows|0 tables/, unread],
  ["half a body", /broke off|not JSON/, /^The source did not answer$|unknown form$/],
  ["empty", /empty answer|no |rows|0 tables/i, unread],
  ["1%", /rows|answered 404|no table|no whole|empty|0 tables/, /unknown form|too small|\(HTTP 404\)$/],
  ["gone", /broke off/, /^The source did not answer$/],
];

const secretOf = (variable: string) => `secret-of-${variable.toLowerCase()}`;

describeEachDatabase("A source that fails", (openFresh) => {
  let app: TestApp;
  let database: Database;
  let outside: UpstreamServer;
  const waits: number[] = [];
  let now = testTime.getTime();
  let asked = now;
  beforeAll(async () => {
    outside = await startUpstreamServer(sources, () => testTime);
    const environment = {
      IDS_DATA: "live",
      ...Object.fromEntries(variables.map((name) => [name, secretOf(name)])),
      ...Object.fromEntries(permissions.map((name) => [name, "on"])),
      IDS_ARMS_SUPPLIERS_FILE: "sample/arms-suppliers/deliveries.csv",
    };
    const wait = async (milliseconds: number) => {
      waits.push(milliseconds);
    };
    // The samples are smaller than live answers: their rows alone would be refused.
    database = await openFresh();
    app = await startApp(database, {
      environment,
      outside: {
        transport: outside.transport,
        wait,
        longestMs: 300,
        floorOf: ({ rows }) => Math.min(rows.atLeast, 10),
      },
    });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await outside[Symbol.asyncDispose]();
  });

  /** A refresh so long after the last one that no source is spared for its quota; callers read as of today. */
  const refresh = async (dataset: string) => {
    asked += (dataset === "country-imports" ? 25 : 1) * 86_400_000;
    app.setTime(new Date(asked));
    const outcome = await app.refresh(dataset);
    app.setTime(new Date(now));
    return outcome;
  };

  // Health is kept for a second.
  const conditionOf = async (dataset: string) => {
    now += 2_000;
    app.setTime(new Date(now));
    const health = await app.json<{ datasets: DatasetCondition[] }>("/api/health");
    return health.datasets.find(({ name }) => name === dataset);
  };

  for (const dataset of Object.keys(reads)) {
    const read = reads[dataset] ?? "";

    test(`${dataset} is loaded live, and not labelled as samples`, async () => {
      outside.behave("well");
      const { generation } = await app.refresh(dataset);
      expect(generation).toBe(1);
      expect((await app.get(read)).headers.get("x-data-origin")).toBeNull();
    });

    test.each(faults)(
      `${dataset}: when the upstream %s, the last good data stays and health says what happened`,
      async (behaviour, words, sentence) => {
        const before = await (await app.get(read)).text();
        outside.behave(behaviour);
        waits.length = 0;
        const { sources: outcomes } = await refresh(dataset);
        expect(await (await app.get(read)).text()).toBe(before);
        const condition = await conditionOf(dataset);
        for (const { source, state, detail } of outcomes) {
          const told = condition?.sources.find(({ name }) => name === source);
          expect(told?.state).toBe(state);
          if (state !== "ok") {
            expect(detail).toMatch(words);
            expect(told?.error).toMatch(sentence);
          }
          if (!unharmed.includes(source)) expect(state).not.toBe("ok");
        }
        // Besides what the upstream asks for there is only the pace at which GDELT is asked.
        if (behaviour === "429")
          expect(
            waits.filter((milliseconds) => milliseconds % betweenRequestsMs !== 0 && milliseconds !== 7000),
          ).toEqual([]);
        expect((await app.get("/livez")).status).toBe(200);
      },
    );

    test(`${dataset} recovers with the next good answer`, async () => {
      outside.behave("well");
      const { sources: outcomes } = await refresh(dataset);
      expect(outcomes.map(({ state }) => state)).toEqual(outcomes.map(() => "ok"));
    });
  }

  test("no configured secret that a source's error repeats is told, nor logged, nor kept", async () => {
    const secrets = variables.filter((name) => !name.endsWith("_FILE"));
    outside.behave({ fails: `refused: ${secrets.map(secretOf).join(" and ")}` });
    const outcomes = [];
    for (const dataset of Object.keys(reads)) outcomes.push(await refresh(dataset));
    now += 2_000;
    app.setTime(new Date(now));
    const paths = ["/api/health", "/metrics", ...Object.values(reads), "/api/economic/v1/list-global-tenders"];
    const told = await Promise.all(paths.map(async (path) => (await app.get(path)).text()));
    const stored = await database.query("select dataset, source, error from source");
    const text = JSON.stringify([outcomes, told, stored.rows]);
    // Compared by themselves: a failure would print a megabyte.
    expect(text.includes("refused: ***")).toBe(true);
    expect(secrets.filter((name) => text.includes(secretOf(name)))).toEqual([]);
    expect(told.join().includes("refused: ")).toBe(false);
  });
});
