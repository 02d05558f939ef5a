import { beforeEach, expect, test } from "vitest";
import { claimJob } from "../../../src/domains/scenario/job-store.ts";
import { hsChapters } from "../../../src/reference/trade/hs-chapters.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { storeExposures } from "../../support/domains/exposure-table.ts";
import { scenarios } from "../../support/domains/scenarios.ts";
import { startJobs } from "../../support/processes/job-worker.ts";

const hormuz = { scenarioId: "hormuz-tanker-blockade" };
const dayMs = 86_400_000;

describeEachDatabase("a scenario job", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let api: ReturnType<typeof scenarios>;
  beforeEach(async () => {
    database = await openFresh();
    app = await startApp(database);
    api = scenarios(app, await app.key("enterprise"));
    await storeExposures(database);
    return () => app[Symbol.asyncDispose]();
  });
  const clock = () => testTime;

  test("goes from pending over processing to done, and its status is kept nowhere", async () => {
    const { body: queued } = await api.run(hormuz);
    const statuses = [(await api.follow(queued.statusUrl)).body];
    const until = new Date(testTime.getTime() - 1);
    await claimJob(database.kysely, { lease: "of a worker that died", until, now: testTime });
    statuses.push((await api.follow(queued.statusUrl)).body);
    await using _ = await startJobs(database, { clock });
    const { body, headers, status } = await api.ended(queued.statusUrl);
    expect(statuses).toEqual([
      { status: "pending", error: "" },
      { status: "processing", error: "" },
    ]);
    expect([status, headers.get("Cache-Control"), headers.get("X-Data-Origin")]).toEqual([200, "no-store", null]);
    expect(body).toEqual({
      status: "done",
      error: "",
      result: {
        affectedChokepointIds: ["hormuz_strait"],
        topImpactCountries: [
          {
            ...{ iso2: "IN", transitExposure: 60.4, totalImpact: 126.84, impactPct: 100 },
            ...{ evaluatedRecords: 1, requestedRecords: 2, partialEvidence: true },
          },
          {
            ...{ iso2: "JP", transitExposure: 50.5, totalImpact: 106.05, impactPct: 84 },
            ...{ evaluatedRecords: 2, requestedRecords: 2, partialEvidence: false },
          },
        ],
        template: { name: "hormuz_strait", disruptionPct: 100, durationDays: 14, costShockMultiplier: 2.1 },
        scenarioId: "hormuz-tanker-blockade",
        scopedIso2: "",
        computedAt: testTime.toISOString(),
        coverage: {
          ...{ status: "partial", countries: 6, hs2Codes: ["27", "29"], requestedRecords: 12, evaluatedRecords: 4 },
          ...{ flowWeightedRecords: 2, timeLimitReached: false, exposuresComputedAt: testTime.toISOString() },
        },
        currentDisruptionScores: [{ chokepointId: "hormuz_strait" }],
        assumptions: { measure: "exposure_score", factor: 2.1, bypassCargoShare: 0 },
      },
    });
  });

  test("states the assumptions from which each impact follows, for a part of the traffic and for a tariff", async () => {
    await using _ = await startJobs(database, { clock });
    for (const [body, measure, factor] of [
      [{ ...hormuz, disruptionPct: 50 }, "exposure_score", 1.05],
      [{ scenarioId: "panama-drought-50pct" }, "exposure_score", 0.61],
      [{ scenarioId: "us-tariff-escalation-electronics" }, "vulnerability_index", 1.5],
    ] as const) {
      const { result } = (await api.ended((await api.run(body)).body.statusUrl)).body;
      expect(result?.assumptions).toEqual({ measure, factor, bypassCargoShare: 0 });
      expect(result?.topImpactCountries.length).toBeGreaterThan(0);
      for (const { transitExposure, totalImpact } of result?.topImpactCountries ?? [])
        expect(transitExposure * factor).toBeCloseTo(totalImpact, 3);
    }
  });

  test("has, for each template, the result that the exposures give by hand", async () => {
    await using _ = await startJobs(database, { clock });
    const cases: [object, string, [string, number, number][]][] = [
      [
        { scenarioId: "taiwan-strait-full-closure" },
        "taiwan_strait",
        [
          ["TW", 72.5, 100],
          ["US", 72.5, 100],
          ["JP", 43.5, 60],
        ],
      ],
      [
        { scenarioId: "suez-bab-simultaneous" },
        "suez+bab_el_mandeb",
        [
          ["IN", 36.072, 100],
          ["US", 36.072, 100],
          ["EG", 8.64, 24],
        ],
      ],
      [
        { scenarioId: "panama-drought-50pct" },
        "panama",
        [
          ["US", 30.5, 100],
          ["TW", 7.625, 25],
        ],
      ],
      [{ ...hormuz, iso2: "JP", disruptionPct: 50 }, "hormuz_strait", [["JP", 53.025, 100]]],
      [{ ...hormuz, disruptionPct: 0 }, "hormuz_strait", []],
      [{ scenarioId: "russia-baltic-grain-suspension" }, "bosphorus+dover_strait", [["EG", 150.97, 100]]],
      [
        { scenarioId: "us-tariff-escalation-electronics" },
        "tariff_shock",
        [
          ["US", 64.95, 100],
          ["TW", 60, 92],
        ],
      ],
    ];
    for (const [request, name, expected] of cases) {
      const { body } = await api.ended((await api.run(request)).body.statusUrl);
      expect(body, JSON.stringify(request)).toMatchObject({ status: "done", result: { template: { name } } });
      expect(
        body.result?.topImpactCountries.map(({ iso2, totalImpact, impactPct }) => [iso2, totalImpact, impactPct]),
        JSON.stringify(request),
      ).toEqual(expected);
    }
  });

  test("computed from the samples says so", async () => {
    for (const name of ["country-imports", "chokepoint-status"] as const) await app.refresh(name);
    await using _ = await startJobs(database, { clock });
    const { body, headers } = await api.ended((await api.run({ scenarioId: "suez-bab-simultaneous" })).body.statusUrl);
    expect(headers.get("X-Data-Origin")).toBe("sample");
    expect(body.result?.topImpactCountries).toHaveLength(20);
    expect(body.result).toMatchObject({
      coverage: { status: "complete", hs2Codes: [...hsChapters.keys()] },
      currentDisruptionScores: [{ score: expect.any(Number) }, { score: expect.any(Number) }],
    });
  });

  test("is unknown to other accounts, like one that never existed", async () => {
    const { body } = await api.run(hormuz);
    const missing = [404, { message: "Scenario job not found" }];
    const stranger = scenarios(app, await app.key("enterprise"));
    for (const answer of [
      await stranger.status(body.jobId),
      await api.status(`scenario:${testTime.getTime()}:${"0".repeat(32)}`),
      await api.status("scenario:1795003200000:abcd1234"),
    ])
      expect([answer.status, answer.body]).toEqual(missing);
    expect((await api.status(body.jobId)).status).toBe(200);
  });

  test("without an id or with a malformed one is a 400", async () => {
    const path = "/api/scenario/v1/get-scenario-status";
    for (const query of [
      "",
      "?job_id=",
      "?job_id=42",
      `?jobId=scenario:${testTime.getTime()}:${"A".repeat(32)}`,
      `?jobId=scenario:179500320000:${"0".repeat(32)}`,
      `?jobId=x:scenario:1795003200000:${"0".repeat(32)}`,
    ])
      expect(await app.rejected(`${path}${query}`), query).toEqual(["job_id"]);
    const response = await app.get(`${path}?jobId=42`);
    expect(await response.json()).toEqual({
      violations: [{ field: "job_id", description: "Invalid or missing jobId" }],
    });
  });

  test("is forgotten a day after it ended, but never before it ended", async () => {
    const { body: ended } = await api.run(hormuz);
    const jobs = await startJobs(database, { clock });
    await api.ended(ended.statusUrl);
    await jobs[Symbol.asyncDispose]();
    const { body: waiting } = await api.run(hormuz);
    app.setTime(new Date(testTime.getTime() + dayMs - 1));
    expect((await api.follow(ended.statusUrl)).body.status).toBe("done");
    const later = new Date(testTime.getTime() + dayMs);
    app.setTime(later);
    expect((await api.follow(ended.statusUrl)).status).toBe(404);
    await using _ = await startJobs(database, { clock: () => later });
    expect((await api.ended(waiting.statusUrl)).body.status).toBe("done");
    await expect
      .poll(async () => (await database.query("select id from scenario_job")).rows)
      .toEqual([{ id: waiting.jobId }]);
  });

  test("the aliases answer as their paths do, and say that they are deprecated", async () => {
    const { body } = await api.run(hormuz);
    const query = `?jobId=${encodeURIComponent(body.jobId)}`;
    for (const [alias, path, key] of [
      ["status", "get-scenario-status", undefined],
      ["templates", "list-scenario-templates", await app.key("free")],
    ] as const) {
      const options = key === undefined ? {} : { key };
      const [old, current] = [
        await app.get(`/api/scenario/v1/${alias}${query}`, options),
        await app.get(`/api/scenario/v1/${path}${query}`, options),
      ];
      expect([old.status, await old.text()]).toEqual([current.status, await current.text()]);
      expect(old.headers.get("Deprecation")).toMatch(/^@\d+$/);
      expect(old.headers.get("Link")?.split(", ")).toContain(`</api/scenario/v1/${path}>; rel="successor-version"`);
      expect(current.headers.get("Deprecation")).toBeNull();
    }
  });

  test("the templates require a key and no tier, and list their assumptions", async () => {
    const path = "/api/scenario/v1/list-scenario-templates";
    expect((await app.get(path, { key: null })).status).toBe(401);
    const response = await app.get(path, { key: await app.key("free") });
    const { templates } = (await response.json()) as { templates: object[] };
    expect(templates).toHaveLength(6);
    expect(templates[5]).toEqual({
      id: "us-tariff-escalation-electronics",
      name: "US Tariff Escalation — Electronics",
      ...{ affectedChokepointIds: [], disruptionPct: 0, durationDays: 365, affectedHs2: ["85"] },
      ...{ costShockMultiplier: 1.5, type: "tariff_shock", description: expect.stringMatching(/\.$/) },
    });
    expect((await app.get(`${path}?jmespath=templates[].id`)).status).toBe(200);
  });
});
