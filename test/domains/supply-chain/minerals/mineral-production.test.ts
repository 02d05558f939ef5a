import { afterAll, beforeAll, expect, test } from "vitest";
import { minerals } from "../../../../src/domains/supply-chain/minerals/minerals.ts";
import { chapters as chapterNames } from "../../../../src/domains/supply-chain/minerals/usgs-mcs.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { responding } from "../../../support/responding.ts";

const path = "/api/supply-chain/v1/get-mineral-production";
const dayMs = 86_400_000;

interface Producer {
  readonly iso2: string;
  readonly output?: number;
  readonly share?: number;
  readonly hasOutput: boolean;
}
interface Stage {
  readonly available: boolean;
  readonly source: string;
  readonly countries: readonly Producer[];
  readonly hhi: number;
}
interface Commodity {
  readonly commodityId: string;
  readonly sources: readonly string[];
  readonly mine?: Stage;
  readonly refinery?: Stage;
}
interface Body {
  readonly commodities: readonly Commodity[];
  readonly countries: readonly { readonly iso2: string; readonly holdings: readonly object[] }[];
  readonly fetchedAt: string;
  readonly upstreamUnavailable: boolean;
  readonly dataYear: number;
}

const head = "MCS chapter,Section,Commodity,Country,Statistics,Statistics_detail,Unit,Year,Value,Notes,Other notes";
const line = (chapter: string, country: string, value: string | number, detail = "Mine production") =>
  `${chapter},World Mine Production and Reserves,x,${country},Production,${detail},metric tons,2025,${value},,`;
const tableOf = (chapters: number) =>
  [
    ...[
      head,
      line("COBALT", "Congo (Kinshasa)", 50),
      line("COBALT", "China", 30),
      line("COBALT", "Other countries", 20),
    ],
    ...[line("COBALT", "United States", "W"), line("COBALT", "Germany", "—")],
    ...[...chapterNames.keys()]
      .filter((name) => name !== "COBALT")
      .slice(0, chapters - 1)
      .map((name) => line(name, "China", 10)),
  ].join("\n");
const bgsFeature = (name: string, iso2: string, quantity: number) => ({
  properties: {
    ...{
      bgs_commodity_trans: name,
      bgs_statistic_type_trans: "Production",
      country_trans: "x",
      country_iso2_code: iso2,
    },
    ...{ year: "2023-01-01T00:00:00", quantity, units: "tonnes (metal content)" },
  },
});
const bgsFeatures = [
  ...[bgsFeature("uranium", "KZ", 3), bgsFeature("uranium", "CA", 1), bgsFeature("cobalt, mine", "MA", 2)],
  bgsFeature("cobalt, refined", "CN", 7),
];

describeEachDatabase("GetMineralProduction", (openFresh) => {
  let app: TestApp;
  let chapters = 12;
  const down = new Set<string>();
  const outside = responding(({ host, pathname, searchParams }) => {
    if (down.has(host)) return undefined;
    if (host === "ogcapi.bgs.ac.uk") {
      const name = searchParams.get("bgs_commodity_trans");
      const features = bgsFeatures.filter(({ properties }) => properties.bgs_commodity_trans === name);
      return { type: "FeatureCollection", numberMatched: features.length, features };
    }
    return pathname.endsWith("/items") ? { items: [] } : tableOf(chapters);
  });
  const start = async (environment: Readonly<Record<string, string>> = {}) =>
    startApp(await openFresh(), { environment: { IDS_DATA: "live", ...environment }, outside });
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("before the first refresh it is unavailable, empty, and never kept", async () => {
    const response = await app.get(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const nothing = { commodities: [], countries: [], fetchedAt: "", upstreamUnavailable: true, dataYear: 0 };
    expect(await response.json()).toEqual(nothing);
  });

  test("a file of refineries has the concentration of refineries, and one of mines that of mines", async () => {
    await using samples = await startApp(await openFresh());
    await samples.refresh("mineral-production");
    const { commodities } = await samples.json<Body>(`${path}?commodity=cobalt`);
    const [cobalt] = commodities;
    for (const stage of ["mine", "refinery"] as const) {
      const file = await samples.get(`${path}?commodity=cobalt&format=ndjson&rows=commodities.${stage}.countries`);
      const [row] = (await file.text()).split("\n", 1).map((line) => JSON.parse(line));
      expect(row[`commodities.${stage}.hhi`]).toBe(cobalt?.[stage]?.hhi);
      const other = stage === "mine" ? "refinery" : "mine";
      expect(Object.keys(row).filter((name) => name.startsWith(`commodities.${other}`))).toEqual([]);
    }
    expect(cobalt?.mine?.hhi).not.toBe(cobalt?.refinery?.hhi);
  });

  test.each([
    ["a code that is assigned to no country", "iso2=ZZ", "iso2"],
    ["a country with a digit", "iso2=C1", "iso2"],
    ["a country with a statement", "iso2=CD'%20or%201%3D1--", "iso2"],
    ["another stage", "stage=smelt", "stage"],
    ["two stages", "stage=mine,refinery", "stage"],
    ["a stage with a path", "stage=..%2F..%2Fetc", "stage"],
    ["a mineral longer than 80 letters", `commodity=${"a".repeat(81)}`, "commodity"],
    ["a projection that is none", "jmespath=[", undefined],
  ])("%s is refused with the parameter's name", async (_what, query, field) => {
    if (field) expect(await app.rejected(`${path}?${query}`)).toEqual([field]);
    else expect((await app.get(`${path}?${query}`)).status).toBe(400);
  });

  test("without a key it is a 401, on a free plan a 403 that says where to upgrade, on a pro plan an answer", async () => {
    const free = await app.get(path, { key: await app.key("free") });
    expect([(await app.get(path, { key: null })).status, free.status]).toEqual([401, 403]);
    expect(await free.json()).toMatchObject({
      error: {
        data: { reason: "upgrade-required", upgradeUrl: "/plans", requiredTier: 1, currentTier: 0, planKey: "free" },
      },
    });
    expect((await app.get(path, { key: await app.key("pro_monthly") })).status).toBe(200);
  });

  test("live, without the operator's permission, all is the first source's: uranium is not there", async () => {
    const { sources } = await app.refresh("mineral-production");
    expect(sources.map(({ state }) => state)).toEqual(["ok", "failed"]);
    const response = await app.get(path);
    expect(response.headers.get("cache-control")).not.toContain("no-store");
    expect(response.headers.get("x-data-origin")).toBeNull();
    const body = (await response.json()) as Body;
    expect(body).toMatchObject({
      fetchedAt: testTime.toISOString(),
      upstreamUnavailable: false,
      dataYear: 2025,
      countries: [],
    });
    expect(body.commodities.map(({ commodityId }) => commodityId)).toEqual(
      minerals.map(({ id }) => id).filter((id) => id !== "uranium" && id !== "alumina"),
    );
  });

  test("50, 30 and a rest of 20 are a concentration of 3400; what is withheld has no output, what is nil has 0", async () => {
    const { commodities } = await app.json<Body>(`${path}?commodity=Cobalt`);
    expect(commodities).toHaveLength(1);
    expect(commodities[0]).toMatchObject({
      commodityId: "cobalt",
      year: 2025,
      unit: "metric tons",
      sources: ["usgs-mcs"],
    });
    expect(commodities[0]?.refinery).toBeUndefined();
    const { hhi, available, countries = [] } = commodities[0]?.mine ?? {};
    expect([hhi, available]).toEqual([3400, true]);
    expect(countries.map(({ iso2, hasOutput, output, share }) => [iso2, hasOutput, output, share])).toEqual([
      ["CD", true, 50, 50],
      ["CN", true, 30, 30],
      ["", true, 20, 20],
      ["DE", true, 0, 0],
      ["US", false, undefined, undefined],
    ]);
  });

  test("a country has only its own rows, with its holdings, and the concentration of the whole stage", async () => {
    const { commodities, countries } = await app.json<Body>(`${path}?iso2=cd`);
    expect(commodities).toMatchObject([{ commodityId: "cobalt", mine: { hhi: 3400, countries: [{ iso2: "CD" }] } }]);
    expect(commodities[0]?.mine?.countries).toHaveLength(1);
    expect(countries).toEqual([
      {
        iso2: "CD",
        holdings: [
          {
            ...{ commodityId: "cobalt", commodity: "Cobalt", stage: "mine", hasOutput: true, output: 50, share: 50 },
            ...{ withheld: false, unit: "metric tons" },
          },
        ],
      },
    ]);
    const us = await app.json<Body>(`${path}?iso2=US`);
    expect(us.countries[0]?.holdings).toEqual([
      {
        ...{ commodityId: "cobalt", commodity: "Cobalt", stage: "mine", hasOutput: false, withheld: true },
        unit: "metric tons",
      },
    ]);
  });

  test.each(["commodity=gold", "iso2=BV", "iso2=AQ", "commodity=cobalt&stage=refinery", "commodity=cobalt%27--"])(
    "what is not known is an empty list, and not an outage: %s",
    async (query) => {
      const response = await app.get(`${path}?${query}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({
        ...{ commodities: [], countries: [], upstreamUnavailable: false, dataYear: 2025 },
      });
    },
  );

  test("an empty parameter counts as absent", async () => {
    expect(await app.json(`${path}?commodity=&iso2=&stage=`)).toEqual(await app.json(path));
  });

  test("if live sources cover less than 70 % of the minerals, no new data is published", async () => {
    const before = await app.json<Body>(path);
    chapters = 8;
    await expect(app.refresh("mineral-production")).rejects.toThrow(/only 9 of 14 minerals|only 8 of 14 minerals/);
    expect(await app.json<Body>(path)).toEqual(before);
    chapters = 12;
  });

  test("when the source is down the last figures stay, after 400 days they are called old and are not kept", async () => {
    down.add("www.sciencebase.gov");
    app.setTime(new Date(testTime.getTime() + 400 * dayMs));
    await app.refresh("mineral-production");
    expect(await app.json<Body>(path)).toMatchObject({ upstreamUnavailable: false });
    app.setTime(new Date(testTime.getTime() + 400.01 * dayMs));
    const response = await app.get(`${path}?commodity=cobalt`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({
      ...{ upstreamUnavailable: true, fetchedAt: testTime.toISOString(), commodities: [{ mine: { hhi: 3400 } }] },
    });
    expect(await app.condition("mineral-production")).toMatchObject({
      ...{ state: "stale" },
      sources: [{ state: "failed" }, { state: "unconfigured", missingVariables: ["IDS_SOURCE_BGS"] }],
    });
    down.clear();
    await app.refresh("mineral-production");
    expect(await app.json<Body>(path)).toMatchObject({ upstreamUnavailable: false });
  });

  test("with permission the second source adds minerals, stages and countries; when it is down they stay", async () => {
    await using both = await start({ IDS_SOURCE_BGS: "on" });
    for (const out of ["", "ogcapi.bgs.ac.uk"]) {
      down.add(out);
      await both.refresh("mineral-production");
      const { commodities } = await both.json<Body>(path);
      const of = (id: string) => commodities.find(({ commodityId }) => commodityId === id);
      expect(of("uranium")).toMatchObject({ sources: ["bgs"], mine: { source: "bgs", hhi: 6250 } });
      expect(of("cobalt")).toMatchObject({
        sources: ["usgs-mcs", "bgs"],
        mine: { hhi: 3400 },
        refinery: { source: "bgs" },
      });
      const morocco = of("cobalt")?.mine?.countries.find(({ iso2 }) => iso2 === "MA");
      expect([morocco?.output, morocco?.share]).toEqual([2, undefined]);
      expect(of("copper")).toMatchObject({ sources: ["usgs-mcs"] });
    }
    down.clear();
  });

  test("the samples are labeled, cover all fourteen minerals, and smelting means refining", async () => {
    await using sample = await startApp(await openFresh());
    await sample.refresh("mineral-production");
    expect((await sample.get(path)).headers.get("x-data-origin")).toBe("sample");
    const { commodities } = await sample.json<Body>(path);
    expect(commodities.map(({ commodityId }) => commodityId)).toEqual(minerals.map(({ id }) => id));
    for (const { mine, refinery } of commodities)
      for (const stage of [mine, refinery]) if (stage) expect([stage.available, stage.hhi > 0]).toEqual([true, true]);
    const refined = await sample.json<Body>(`${path}?stage=Smelting`);
    expect(refined).toEqual(await sample.json<Body>(`${path}?stage=refinery`));
    expect(refined.commodities.every(({ mine, refinery }) => !mine && refinery)).toBe(true);
    expect(await sample.json(`${path}?commodity=RARE%20EARTHS&jmespath=commodities[0].commodityId`)).toBe("ree");
  });
});
