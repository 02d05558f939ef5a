import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { responding } from "../../../support/responding.ts";

const path = "/api/economic/v1/get-country-macro";
const minuteMs = 60_000;
const partNames = ["macro", "growth", "labor", "external"] as const;

type Figures = Readonly<Record<string, number>>;

interface Body {
  readonly cached_at?: string;
  readonly stale: boolean;
  readonly data: Readonly<
    Record<(typeof partNames)[number], { readonly countries: Record<string, Figures>; readonly seededAt?: number }>
  >;
}

const codes = ({ data }: Body) => partNames.map((part) => Object.keys(data[part].countries));

describeEachDatabase("GetCountryMacro", (openFresh) => {
  let app: TestApp;
  let all: Body;
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("before the first refresh there are no countries, no time, and the answer is stale and never kept", async () => {
    const response = await app.get(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const none = { countries: {} };
    expect(await response.json()).toEqual({
      stale: true,
      data: { macro: none, growth: none, labor: none, external: none },
    });
  });

  test("after a refresh a free key reads at least 60 countries in every part, labelled as samples", async () => {
    await app.refresh("country-macro");
    const response = await app.get(`${path}?limit=0`, { key: await app.key("free") });
    expect([response.status, response.headers.get("x-data-origin")]).toEqual([200, "sample"]);
    expect(response.headers.get("cache-control")).toMatch(/max-age=/);
    all = (await response.json()) as Body;
    expect(all).toMatchObject({ cached_at: testTime.toISOString(), stale: false });
    for (const part of partNames) {
      expect(all.data[part].seededAt).toBe(testTime.getTime());
      expect(Object.keys(all.data[part].countries).length).toBeGreaterThanOrEqual(60);
    }
    expect(all.data.macro.countries.NO).toEqual({
      inflationPct: expect.any(Number),
      currentAccountPct: expect.any(Number),
      govRevenuePct: expect.any(Number),
      cpiEopPct: expect.any(Number),
      govExpenditurePct: expect.any(Number),
      primaryBalancePct: expect.any(Number),
      year: 2026,
      latestYear: 2026,
    });
    expect(Object.keys(all.data.growth.countries.NO ?? {})).toEqual([
      ...["realGdpGrowthPct", "gdpPerCapitaUsd", "gdpPerCapitaPpp", "gdpPpp", "year", "latestYear"],
    ]);
    expect(Object.keys(all.data.labor.countries.NO ?? {})).toEqual([
      ...["unemploymentPct", "populationMillions", "year", "latestYear"],
    ]);
    expect(Object.keys(all.data.external.countries.NO ?? {})).toEqual(["currentAccountUsd", "year", "latestYear"]);
  });

  test("without a key it is 401", async () => {
    expect((await app.get(path, { key: null })).status).toBe(401);
  });

  test("without a limit there are 30 countries in each part, the first by code; an empty limit is none", async () => {
    const usual = await app.json<Body>(path);
    expect(codes(usual)).toEqual(codes(all).map((known) => known.slice(0, 30)));
    expect(codes(usual).map(([first]) => first)).toEqual(["AD", "AD", "AD", "AD"]);
    expect(await app.json<Body>(`${path}?limit=`)).toEqual(usual);
  });

  test("limit=5 gives the first five of each part", async () => {
    expect(codes(await app.json<Body>(`${path}?limit=5`))).toEqual(codes(all).map((known) => known.slice(0, 5)));
  });

  test.each([
    ["limit=-1", "limit"],
    ["limit=abc", "limit"],
    ["limit=2.5", "limit"],
    ["limit=99999999999", "limit"],
    ["summary=perhaps", "summary"],
    ["countries=Atlantis", "countries[0]"],
    ["countries=NO,SE,X1", "countries[2]"],
  ])("%s is refused with the parameter's name", async (query, field) => {
    expect(await app.rejected(`${path}?${query}`)).toEqual([field]);
  });

  test("named countries come whole in either case, repeated or with commas, whatever the limit", async () => {
    for (const query of ["countries=no,%20SE", "countries=SE&countries=No", "countries=NO,SE&limit=1"]) {
      const body = await app.json<Body>(`${path}?${query}`);
      expect(codes(body)).toEqual(partNames.map(() => ["NO", "SE"]));
      expect(body.data.macro.countries.NO).toEqual(all.data.macro.countries.NO);
    }
  });

  test("countries without figures are left out; if no country has figures, the parts are empty and not stale", async () => {
    expect(codes(await app.json<Body>(`${path}?countries=AQ,NO`))).toEqual(partNames.map(() => ["NO"]));
    const none = await app.json<Body>(`${path}?countries=AQ`);
    expect(codes(none)).toEqual(partNames.map(() => []));
    expect(none).toMatchObject({ cached_at: testTime.toISOString(), stale: false });
    const { headers } = await app.get(`${path}?countries=AQ,NO`);
    expect(headers.get("x-data-missing")).toBe("AQ: the source has no value");
  });

  test("a summary gives the first figure of each part with its year", async () => {
    const { data } = await app.json<Body>(`${path}?countries=NO&summary=true`);
    const { macro, growth, labor, external } = all.data;
    const years = { year: 2026, latestYear: 2026 };
    expect(partNames.map((part) => data[part].countries.NO)).toEqual([
      { inflationPct: macro.countries.NO?.inflationPct, ...years },
      { realGdpGrowthPct: growth.countries.NO?.realGdpGrowthPct, ...years },
      { unemploymentPct: labor.countries.NO?.unemploymentPct, ...years },
      { currentAccountUsd: external.countries.NO?.currentAccountUsd, ...years },
    ]);
    expect(Object.keys((await app.json<Body>(`${path}?summary=1`)).data.labor.countries)).toHaveLength(30);
  });

  test("an unknown parameter is ignored, or refused where the caller asks for that", async () => {
    expect((await app.get(`${path}?land=NO`)).status).toBe(200);
    const strict = await app.get(`${path}?land=NO`, { headers: { Prefer: "handling=strict" } });
    expect(strict.status).toBe(400);
  });

  test("one country is asked for by `country` too, in any of its forms", async () => {
    const one = await app.json(`${path}?countries=NO`);
    for (const country of ["NO", "nor", "578", "Norway"])
      expect(await app.json(`${path}?country=${country}`)).toEqual(one);
    expect(await app.rejected(`${path}?country=Norge`)).toEqual(["country"]);
    expect(await app.rejected(`${path}?country=NO&countries=DE`)).toEqual(["country"]);
  });

  test("an expression picks from the answer", async () => {
    const picked = await app.json(`${path}?countries=NO&jmespath=data.growth.countries.NO.realGdpGrowthPct`);
    expect(picked).toBe(all.data.growth.countries.NO?.realGdpGrowthPct);
  });
});

describeEachDatabase("GetCountryMacro live", (openFresh) => {
  let app: TestApp;
  let isDown = false;
  let unemployment: unknown;
  const bodies = new Map<string, unknown>();
  beforeAll(async () => {
    const sample = sampleUpstream("imf-weo", () => testTime);
    for (const series of "PCPIPCH BCA_NGDPD GGR_G01_GDP_PT PCPIEPCH G_X_G01_GDP_PT GGXONLB_G01_GDP_PT NGDP_RPCH NGDPDPC PPPPC PPPGDP LUR LP BCA".split(
      " ",
    )) {
      const url = `https://www.imf.org/external/datamapper/api/v1/${series}`;
      bodies.set(url, await sample.json({ url }));
    }
    const outside = {
      ...responding((url) => {
        if (isDown) return undefined;
        return url.pathname.endsWith("/LUR") && unemployment !== undefined ? unemployment : bodies.get(url.href);
      }),
      floorOf: ({ rows }: { readonly rows: { readonly atLeast: number } }) => rows.atLeast,
    };
    app = await startApp(await openFresh(), { outside });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const passed = (minutes: number) => app.setTime(new Date(testTime.getTime() + minutes * minuteMs));
  const condition = async () => {
    return app.condition("country-macro");
  };

  test("while the source is down from the start there is nothing: stale, without a time", async () => {
    isDown = true;
    await app.refresh("country-macro");
    const body = await app.json<Body>(path);
    expect([body.stale, body.cached_at, codes(body).flat()]).toEqual([true, undefined, []]);
    expect((await condition()).sources[0]?.state).toBe("failed");
  });

  test("a measured rate of zero is returned, and does not count as missing", async () => {
    isDown = false;
    const reported = bodies.get("https://www.imf.org/external/datamapper/api/v1/LUR") as { values: { LUR: object } };
    unemployment = { ...reported, values: { LUR: { ...reported.values.LUR, NOR: { "2026": 0 } } } };
    await app.refresh("country-macro");
    const response = await app.get(`${path}?countries=NO`);
    expect(response.headers.get("x-data-origin")).toBeNull();
    expect(((await response.json()) as Body).data.labor.countries.NO).toMatchObject({ unemploymentPct: 0, year: 2026 });
  });

  test("when the source goes down the last figures stay, are stale after 70 days, and never kept then", async () => {
    isDown = true;
    passed(100_800);
    await app.refresh("country-macro");
    expect(await app.json<Body>(path)).toMatchObject({ cached_at: testTime.toISOString(), stale: false });
    expect((await condition()).sources[0]).toMatchObject({ state: "failed", failure: expect.stringContaining("503") });
    passed(100_801);
    const response = await app.get(`${path}?countries=NO`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({
      cached_at: testTime.toISOString(),
      stale: true,
      data: { labor: { countries: { NO: { unemploymentPct: 0 } } } },
    });
  });

  test("an answer with less than half of the last one is refused whole", async () => {
    isDown = false;
    const stored = new Map(bodies);
    const list = { countries: { NOR: { label: "Norway" } }, api: { version: "1" } };
    for (const url of [...bodies.keys()].slice(0, 7)) bodies.set(url, list);
    const { generation, sources } = await app.refresh("country-macro");
    expect([generation, sources[0]?.state]).toEqual([undefined, "refused"]);
    expect(sources[0]?.detail).toMatch(/^\d+ rows, and the last good response had \d+$/);
    for (const [url, body] of stored) bodies.set(url, body);
  });

  test("with the next good answer they are fresh again", async () => {
    isDown = false;
    await app.refresh("country-macro");
    expect(await app.json<Body>(path)).toMatchObject({
      cached_at: new Date(testTime.getTime() + 100_801 * minuteMs).toISOString(),
      stale: false,
    });
  });

  test("a series that the source no longer has leaves its figures out; a part without any makes the whole stale", async () => {
    const url = "https://www.imf.org/external/datamapper/api/v1/BCA";
    bodies.set(url, { countries: { NOR: { label: "Norway" } }, api: { version: "1" } });
    await app.refresh("country-macro");
    const body = await app.json<Body>(`${path}?countries=NO`);
    expect(body).toMatchObject({ stale: true, data: { external: { countries: {} } } });
    expect([body.cached_at, body.data.external.seededAt]).toEqual([undefined, undefined]);
    expect(body.data.labor.countries.NO).toMatchObject({ unemploymentPct: 0 });
  });
});
