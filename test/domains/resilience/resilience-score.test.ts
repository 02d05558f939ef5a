import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { CountedStatements } from "../../support/counted-statements.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import {
  type Explanation,
  explanationPath,
  manifestPath,
  neighbors,
  type Ranking,
  rankingPath,
  recomputed,
  type Score,
  scorePath,
} from "../../support/domains/resilience-responses.ts";
import { isThorough } from "../../support/thoroughness.ts";

const dayMs = 86_400_000;
/** The days of which the sample has scores. */
const storedDays = ["10-19", "10-28", "11-04", "11-11", "11-18"].map((day) => `2026-${day}`);

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

describeEachDatabase("Resilience scores", (openFresh) => {
  let app: TestApp;
  let database: Awaited<ReturnType<typeof openFresh>>;
  const inputReads = new CountedStatements("select source, input, country, period");
  const historyWrites = new CountedStatements("insert into resilience_history");
  beforeAll(async () => {
    database = await openFresh();
    const kysely = database.kysely.withPlugin(inputReads).withPlugin(historyWrites);
    app = await startApp({ ...database, kysely });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const score = (code: string) => app.json<Score>(`${scorePath}?country_code=${code}`);
  const explanation = (code: string) => app.json<Explanation>(`${explanationPath}?countryCode=${code}`);
  /** Asked by a new account each time: the ranking has a small quota. */
  const ranking = async (): Promise<Ranking> => {
    const response = await app.get(rankingPath, { key: await app.key("api_starter") });
    return response.json() as never;
  };
  const cacheOf = async (path: string) => (await app.get(path)).headers.get("cache-control");

  test("before anything was computed nothing is known, and no answer is kept", async () => {
    expect(await score("NO")).toEqual({
      ...{ countryCode: "NO", overallScore: 0, level: "unknown", domains: [], pillars: [], trend: "" },
      ...{
        change30d: 0,
        hasChange30d: false,
        lowConfidence: true,
        imputationShare: 0,
        baselineScore: 0,
        stressScore: 0,
        stressFactor: 0,
      },
      ...{ dataVersion: "", schemaVersion: "1.0", headlineEligible: false, methodologyVersion: "v8" },
    });
    const { items, greyedOut, ...rest } = await ranking();
    expect(rest).toEqual({
      ...{ fetchedAt: "", scored: 0, total: 196, coverage: 0, partial: true, methodologyVersion: "v8" },
    });
    expect([items.length, greyedOut.length]).toEqual([0, 196]);
    expect(greyedOut[0]).toEqual({
      ...{ countryCode: "AD", overallScore: -1, level: "unknown", lowConfidence: true, overallCoverage: 0 },
      ...{ rankStable: false, headlineEligible: false },
    });
    expect(await explanation("NO")).toMatchObject({ level: "unknown", computedAt: "", pillars: [] });
    for (const path of [`${scorePath}?country_code=NO`, rankingPath, `${explanationPath}?country_code=NO`])
      expect(await cacheOf(path)).toBe("no-store");
    expect(await app.json(manifestPath)).toMatchObject({
      ...{ dataVersion: "", rankingCache: { fetchedAt: "", count: 0, scored: 0, total: 196 } },
      intervals: { available: false, lastObservedAt: "" },
    });
  });

  test("with its inputs every country is scored, with six domains, 23 dimensions and three pillars", async () => {
    for (const dataset of [...neighbors, "resilience-inputs"] as const) await app.refresh(dataset);
    expect(await app.refresh("resilience-scores")).toMatchObject({ rows: 250 });
    const norway = await score("no");
    expect(norway).toMatchObject({ countryCode: "NO", schemaVersion: "2.0", dataVersion: "2026-11-18" });
    expect(norway.domains.map(({ id, weight }) => `${id} ${weight}`)).toEqual([
      ...["economic 0.17", "infrastructure 0.15", "energy 0.11"],
      ...["social-governance 0.19", "health-food 0.13", "recovery 0.25"],
    ]);
    expect(norway.domains.flatMap(({ dimensions }) => dimensions)).toHaveLength(23);
    expect(
      norway.pillars.map(({ id, weight, domains }) => `${id} ${weight} ${domains.map((each) => each.id)}`),
    ).toEqual([
      "structural-readiness 0.4 economic,social-governance",
      "live-shock-exposure 0.35 infrastructure,energy,health-food",
      "recovery-capacity 0.25 recovery",
    ]);
    for (const { domains } of norway.pillars)
      for (const domain of domains) expect(norway.domains).toContainEqual(domain);
    const macro = norway.domains[0]?.dimensions[0];
    expect(macro?.freshness).toEqual({ lastObservedAtMs: String(testTime.getTime()), staleness: "fresh" });
    expect((await app.get(`${scorePath}?country_code=NO`)).headers.get("x-data-origin")).toBe("sample");
    expect(await cacheOf(`${scorePath}?country_code=NO`)).toMatch(/^private, max-age=300/);
  });

  test("the stored inputs are read once, for the day and for the earlier days of a sample", () => {
    expect([inputReads.count, historyWrites.count]).toEqual([1, 5]);
  });

  test("samples cover the weeks before, and the change over 30 days is that of their series", async () => {
    const { rows } = await database.query("select distinct day::text as day from resilience_history order by 1");
    expect(rows).toEqual(storedDays.map((day) => ({ day })));
    const { items, greyedOut } = await ranking();
    const codes = [...items, ...greyedOut].map(({ countryCode }) => countryCode);
    const scores = await Promise.all(codes.map(score));
    expect(scores.filter(({ change30d }) => change30d !== 0).length).toBeGreaterThan(100);
    for (const { countryCode, overallScore, change30d } of scores.slice(0, 20)) {
      const path = `/api/history/v1/get-series?series=resilience.score&keys=${countryCode}&from=2026-10-19&to=2026-10-19`;
      const { points } = await app.json<{ points: { value: number }[] }>(path);
      expect(change30d, countryCode).toBeCloseTo(overallScore - (points[0]?.value ?? Number.NaN), 6);
    }
  });

  test("every trend can be computed again from the served series, by the words of the contract", async () => {
    const { items, greyedOut } = await ranking();
    const codes = [...items, ...greyedOut].map(({ countryCode }) => countryCode);
    const seen = new Set<string>();
    for (let first = 0; first < codes.length; first += 20) {
      const keys = codes.slice(first, first + 20);
      const path = `/api/history/v1/get-series?series=resilience.score&keys=${keys}&from=2026-10-19&interval=day&aggregation=last`;
      const { points } = await app.json<{ points: { key: string; at: number; value: number }[] }>(path);
      for (const key of keys) {
        const stored = points.filter((point) => point.key === key && storedDays.includes(dayOf(point.at)));
        const scores = stored.map(({ value }) => value);
        const { trend, overallScore } = await score(key);
        expect([scores.length, scores.at(-1)], key).toEqual([5, overallScore]);
        seen.add(trend);
        const mean = scores.reduce((sum, each) => sum + each, 0) / 5;
        // Least squares, their positions being -2, -1, 0, 1 and 2.
        const slope = scores.reduce((sum, each, index) => sum + (index - 2) * each, 0) / 10;
        expect(trend, key).toBe(slope / mean > 0.005 ? "rising" : slope / mean < -0.005 ? "falling" : "stable");
      }
    }
    expect(seen).toEqual(new Set(["rising", "stable", "falling"]));
  });

  test("the ranking holds each of the 196 countries once, with the very scores that are served", async () => {
    const { items, greyedOut, scored, total, coverage, partial, fetchedAt } = await ranking();
    expect({ scored, total, coverage, partial, fetchedAt }).toEqual({
      ...{ scored: 196, total: 196, coverage: 1, partial: false, fetchedAt: testTime.toISOString() },
    });
    expect(new Set([...items, ...greyedOut].map(({ countryCode }) => countryCode)).size).toBe(196);
    for (const list of [items, greyedOut])
      expect(list).toEqual(
        list.toSorted((a, b) => b.overallScore - a.overallScore || (a.countryCode < b.countryCode ? -1 : 1)),
      );
    for (const row of [...items, ...greyedOut]) {
      const { overallScore, level, lowConfidence, headlineEligible, scoreInterval } = await score(row.countryCode);
      expect(row).toMatchObject({ overallScore, level, lowConfidence, headlineEligible });
      expect(row.rankStable).toBe(scoreInterval !== undefined && scoreInterval.p95 - scoreInterval.p05 <= 8.0001);
    }
    expect(items.every(({ headlineEligible }) => headlineEligible)).toBe(true);
    expect(greyedOut.some(({ headlineEligible }) => headlineEligible)).toBe(false);
  });

  test("every score can be computed again from the served parts, and from its explanation", async () => {
    const { items, greyedOut } = await ranking();
    for (const { countryCode } of [...items, ...greyedOut]) {
      const served = await score(countryCode);
      const reported = await explanation(countryCode);
      const again = recomputed(reported);
      expect([countryCode, again.overall]).toEqual([countryCode, served.overallScore]);
      for (const domain of served.domains)
        expect(Math.abs(domain.score - (again.domains.get(domain.id) ?? -1))).toBeLessThan(1e-9);
      for (const pillar of reported.pillars)
        expect(Math.abs(pillar.score - (again.pillars.get(pillar.id) ?? -1))).toBeLessThan(1e-9);
      const dimensions = served.domains.flatMap((domain) => domain.dimensions);
      expect(dimensions.map(({ id, score: value }) => [id, value])).toEqual(
        served.domains.flatMap(({ id }) =>
          reported.pillars.flatMap(({ domains }) =>
            domains
              .filter((domain) => domain.id === id)
              .flatMap((domain) => domain.dimensions.map((each) => [each.id, each.score])),
          ),
        ),
      );
      const { overallCoverage: covered, population, lowConfidence, headlineEligible } = reported;
      expect(headlineEligible).toBe(!lowConfidence && covered >= 0.65 && (population >= 200_000 || covered >= 0.85));
      expect(lowConfidence).toBe(covered < 0.55 || served.imputationShare > 0.4);
    }
  });

  test("rich and steady countries score higher than poor ones at war", async () => {
    const scores = await Promise.all(
      ["NO", "CH", "DK", "YE", "SO"].map(async (code) => (await score(code)).overallScore),
    );
    const [norway = 0, swiss = 0, danish = 0, yemen = 100, somalia = 100] = scores;
    expect(Math.min(norway, swiss, danish)).toBeGreaterThan(Math.max(yemen, somalia) + 15);
  });

  test("a quiet country is a measured 0, and a country without a source is not covered", async () => {
    const of = async (code: string, id: string) =>
      (await explanation(code)).pillars
        .flatMap(({ domains }) => domains.flatMap(({ dimensions }) => dimensions))
        .flatMap(({ indicators }) => indicators)
        .find((indicator) => indicator.id === id);
    expect(await of("IS", "ucdpConflict")).toMatchObject({
      ...{ value: 0, score: 100, certainty: 1, imputation: "" },
      inputs: expect.arrayContaining([expect.objectContaining({ name: "conflictEvents", value: 0, source: "ucdp" })]),
    });
    const jamming = await of("IS", "gpsJamming");
    expect(jamming).toMatchObject({ certainty: 0, inputs: [], missing: expect.stringMatching(/\w/) });
    expect([jamming?.value, jamming?.score]).toEqual([undefined, undefined]);
  });

  test("a territory without inputs has no score", async () => {
    expect(await score("BV")).toMatchObject({ level: "unknown", overallScore: 0, headlineEligible: false });
    expect((await score("BV")).domains).toHaveLength(6);
  });

  test.each([
    "",
    "?country_code=",
    "?country_code=Atlantis",
    "?country_code=ZZ",
    "?country_code=1000",
    "?countryCode=N",
  ])("a score of %s is refused by its parameter", async (query) => {
    expect(new Set(await app.rejected(`${scorePath}${query}`))).toEqual(new Set(["country_code"]));
    expect(new Set(await app.rejected(`${explanationPath}${query}`))).toEqual(new Set(["country_code"]));
  });

  test("a source that is lost lowers coverage and is called a failure; its return restores every number", async () => {
    const before = await Promise.all(["BR", "NO", "TV"].map(score));
    await database.query("create table kept as select * from resilience_input where source = 'world-bank-development'");
    await database.query("delete from resilience_input where source = 'world-bank-development'");
    await app.refresh("resilience-scores");
    for (const earlier of before) {
      const { domains, overallScore } = await score(earlier.countryCode);
      const [now, then] = [domains, earlier.domains].map((each) => each.flatMap(({ dimensions }) => dimensions));
      const coverage = (some: typeof now) => some?.reduce((sum, dimension) => sum + dimension.coverage, 0) ?? 0;
      expect(coverage(now)).toBeLessThan(coverage(then) - 2);
      expect(now?.find(({ id }) => id === "externalDebtCoverage")).toMatchObject({
        ...{ score: 50, coverage: 0.3, observedWeight: 0, imputedWeight: 1, imputationClass: "source-failure" },
        freshness: { staleness: "" },
      });
      expect(now?.find(({ id }) => id === "governanceInstitutional")).toMatchObject({
        coverage: 0,
        imputationClass: "",
      });
      expect(overallScore).toBeGreaterThan(0);
    }
    await database.query("insert into resilience_input select * from kept");
    await app.refresh("resilience-scores");
    expect(await Promise.all(["BR", "NO", "TV"].map(score))).toEqual(before);
  });

  test("what was not read for long is stale and counts less", async () => {
    const coverage = async () => (await explanation("BR")).overallCoverage;
    const before = await coverage();
    app.setTime(new Date(testTime.getTime() + 4 * dayMs));
    await app.refresh("resilience-scores");
    const staleness = async (id: string) =>
      (await score("BR")).domains.flatMap(({ dimensions }) => dimensions).find((each) => each.id === id)?.freshness
        .staleness;
    expect([await staleness("cyberDigital"), await staleness("macroFiscal")]).toEqual(["stale", "fresh"]);
    expect(await coverage()).toBeLessThan(before);
    app.setTime(testTime);
  });

  test("change and trend are against earlier days of the same method only", async () => {
    await database.query("truncate resilience_history");
    const { overallScore } = await score("BR");
    const retain = (method: string, day: string, value: number) =>
      database.query(
        `insert into resilience_history values ('${method}', 'BR', 'sample', '${day}', ${value}) on conflict do nothing`,
      );
    await retain("v8:pc", "2026-11-10", overallScore - 4);
    await retain("v8:pc", "2026-11-14", overallScore - 2);
    await retain("v7:pc", "2026-11-09", 1);
    await retain("v8:pc", "2026-10-01", 1);
    await app.refresh("resilience-scores");
    expect(await score("BR")).toMatchObject({ trend: "rising" });
    const { overallScore: now, change30d } = await score("BR");
    expect(change30d).toBeCloseTo(now - overallScore + 4, 6);
    expect(await score("NO")).toMatchObject({ trend: "stable", change30d: 0 });
    const { rows } = await database.query("select count(*)::int as days from resilience_history where country = 'BR'");
    expect(rows).toEqual([{ days: 4 }]);
  });

  test("while scores are recomputed, ranking and scores that are read together never contradict each other", async () => {
    let running = true;
    const recompute = (async () => {
      for (let round = 1; round <= (isThorough ? 4 : 2); round++) {
        await database.query(`update resilience_input set value = value + 3 where input = 'govRevenue'`);
        app.setTime(new Date(testTime.getTime() + round * 1000));
        await app.refresh("resilience-scores");
      }
      running = false;
    })();
    let read = 0;
    // On the embedded database a read waits for what is being written: there may be few while the rounds last.
    while (running || read < 4) {
      const before = await ranking();
      const norway = await score("NO");
      const after = await ranking();
      const row = [...after.items, ...after.greyedOut].find(({ countryCode }) => countryCode === "NO");
      if (before.fetchedAt === after.fetchedAt) expect(row?.overallScore).toBe(norway.overallScore);
      read++;
    }
    await recompute;
    app.setTime(testTime);
  });

  test("all countries are scored in three seconds", async () => {
    const started = performance.now();
    await app.refresh("resilience-scores");
    const seconds = (performance.now() - started) / 1000;
    console.log(`250 countries and territories scored in ${seconds.toFixed(2)} s`);
    expect(seconds).toBeLessThan(30);
  });

  test("the manifest requires no key, is never cached, and lists what is served", async () => {
    for (const key of [null, "ids_bad"]) {
      const response = await app.get(manifestPath, { key });
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    }
    const { fetchedAt, items } = await ranking();
    expect(await app.json(manifestPath)).toMatchObject({
      ...{ manifestVersion: 1, deployedCommitSha: "unknown", environment: "sample", formulaTag: "pc" },
      ...{ dataVersion: "2026-11-18", generatedAt: testTime.toISOString(), methodologyVersion: "v8" },
      flags: expect.arrayContaining([{ name: "schema-v2", enabled: true }]),
      rankingCache: { fetchedAt, count: items.length, scored: 196, total: 196 },
      constructVersions: { energy: "v2", education: "active" },
      intervals: { available: true, sampleCountry: "US", lastObservedAt: fetchedAt },
    });
  });
});
