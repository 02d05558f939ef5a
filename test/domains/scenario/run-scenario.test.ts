import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { scenarios } from "../../support/domains/scenarios.ts";

const canonical = "/api/scenario/v1/run-scenario";
const panama = { scenarioId: "panama-drought-50pct" };

describeEachDatabase("RunScenario", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let api: ReturnType<typeof scenarios>;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
    return () => app[Symbol.asyncDispose]();
  });
  // An account has a quota and a number of jobs of its own.
  beforeEach(async () => {
    await database.query("delete from scenario_job");
    api = scenarios(app, await app.key("pro_monthly"));
  });
  const rows = async () => (await database.query("select * from scenario_job order by id")).rows;
  const sent = async () => {
    const { rows: found } = await database.query("select count(*)::int as n from pgboss.job where name = 'scenario'");
    return (found[0] as { n: number }).n;
  };

  test("answers 202 with a job, and its status URL in body and header alike", async () => {
    const before = await sent();
    const { status, headers, body } = await api.run({
      scenarioId: "hormuz-tanker-blockade",
      iso2: "jp",
      disruptionPct: 50,
    });
    expect(status).toBe(202);
    expect(body.jobId).toMatch(new RegExp(`^scenario:${testTime.getTime()}:[0-9a-f]{32}$`));
    expect(body).toEqual({
      ...{ jobId: body.jobId, status: "pending" },
      statusUrl: `/api/scenario/v1/get-scenario-status?jobId=${encodeURIComponent(body.jobId)}`,
    });
    expect(headers.get("Location")).toBe(body.statusUrl);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(await rows()).toMatchObject([
      { id: body.jobId, scenario_id: "hormuz-tanker-blockade", iso2: "JP", disruption_pct: 50, status: "pending" },
    ]);
    expect(await sent()).toBe(before + 1);
    expect((await api.follow(body.statusUrl)).body).toEqual({ status: "pending", error: "" });
  });

  test("uses the template's disruption if none is given, and 0 if that is given", async () => {
    await api.run(panama);
    await api.run({ ...panama, disruptionPct: 0, iso2: "" });
    const found = (await rows()) as { disruption_pct: number; iso2: string }[];
    expect(found.map(({ disruption_pct, iso2 }) => [disruption_pct, iso2])).toEqual(
      expect.arrayContaining([
        [50, ""],
        [0, ""],
      ]),
    );
  });

  test("a wrong request names the member and the rule, and queues nothing", async () => {
    const cases: [object, string, string?][] = [
      [{}, "scenarioId"],
      [{ scenarioId: "" }, "scenarioId"],
      [{ scenarioId: 7 }, "scenarioId"],
      [
        { scenarioId: "moon-closure" },
        "scenarioId",
        expect.stringMatching(/^Unknown scenario: moon-closure; use one of \S+, /),
      ],
      [{ scenarioId: "x".repeat(129) }, "scenarioId"],
      [{ ...panama, iso2: "4X" }, "iso2", expect.stringMatching(/^value must be a country/)],
      [{ ...panama, iso2: "ZZ" }, "iso2", expect.stringMatching(/^value must be a country/)],
      [{ ...panama, iso2: 49 }, "iso2"],
      [{ ...panama, disruptionPct: -1 }, "disruptionPct"],
      [{ ...panama, disruptionPct: 101 }, "disruptionPct"],
      [{ ...panama, disruptionPct: 33.3 }, "disruptionPct"],
      [{ ...panama, disruptionPct: "half" }, "disruptionPct"],
      [{ scenarioId: "us-tariff-escalation-electronics", disruptionPct: 10 }, "disruptionPct"],
      [{ scenarioId: "us-tariff-escalation-electronics", disruptionPct: 0 }, "disruptionPct"],
    ];
    for (const [body, field, description = expect.any(String)] of cases) {
      const rejected = await scenarios(app, await app.key("pro_monthly")).run(body);
      expect([rejected.status, rejected.body], JSON.stringify(body)).toEqual([
        400,
        { violations: [{ field, description }] },
      ]);
    }
    expect(await rows()).toEqual([]);
  });

  test("a body that isn't a JSON object is a 400 that says so", async () => {
    for (const body of ["{", "[]", '"panama-drought-50pct"', "scenarioId=panama-drought-50pct"]) {
      const response = await app.get(canonical, { method: "POST", body });
      expect([response.status, await response.json()], body).toEqual([400, { message: "Invalid request body" }]);
    }
  });

  test("needs a key, and a plan of tier 1", async () => {
    const call = async (key: string | null, path = canonical) => {
      const response = await app.get(path, { method: "POST", body: JSON.stringify(panama), key });
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await call(null)).toEqual([401, "API key required"]);
    for (const path of [canonical, "/api/scenario/v1/run"])
      expect(await call(await app.key("free"), path)).toEqual([403, "Upgrade required"]);
  });

  test("of an account at most 5 jobs are unfinished, however many come at once", async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => api.run(panama)));
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(5);
    for (const { body, headers } of responses.filter(({ status }) => status !== 202)) {
      expect(body).toEqual({ message: "An account may have 5 unfinished scenario jobs, please try again later" });
      expect(headers.get("Retry-After")).toBe("30");
    }
    expect(await rows()).toHaveLength(5);
    await database.query(
      "update scenario_job set status = 'done', finished_at = now() where id = (select min(id) from scenario_job)",
    );
    expect((await api.run(panama)).status).toBe(202);
    expect((await scenarios(app, await app.key("api_starter")).run(panama)).status).toBe(202);
  });

  test("when as many wait as may, the next is 429 until one is taken up", async () => {
    await using small = await startApp(database, { scenarios: { waiting: 3 } });
    const own = await Promise.all([1, 2, 3, 4].map(async () => scenarios(small, await small.key("pro_monthly"))));
    for (const each of own.slice(0, 3)) expect((await each.run(panama)).status).toBe(202);
    const full = await own[3]!.run(panama);
    expect([full.status, full.body]).toEqual([
      429,
      { message: "Scenario queue is at capacity, please try again later" },
    ]);
    expect(full.headers.get("Retry-After")).toBe("30");
    await database.query(
      "update scenario_job set status = 'processing', lease_until = now() where id = (select min(id) from scenario_job)",
    );
    expect((await own[3]!.run(panama)).status).toBe(202);
  });

  test("a job that cannot be queued is a 502, and leaves nothing behind", async () => {
    const headers = { "Idempotency-Key": "again" };
    expect((await api.run(panama)).status).toBe(202);
    await database.query("alter schema pgboss rename to elsewhere");
    const rejected = await api.run(panama, { headers });
    await database.query("alter schema elsewhere rename to pgboss");
    expect([rejected.status, rejected.body]).toEqual([502, { message: "Failed to enqueue scenario job" }]);
    expect(await rows()).toHaveLength(1);
    expect((await api.run(panama, { headers })).status).toBe(202);
  });

  test("repeated under its idempotency key it is the first job again, 202 and Location too", async () => {
    const headers = { "Idempotency-Key": "storm-1" };
    const first = await api.run(panama, { headers });
    const second = await api.run(panama, { headers, path: "/api/scenario/v1/run" });
    expect([second.status, second.body]).toEqual([202, first.body]);
    expect(second.headers.get("Location")).toBe(first.body.statusUrl);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await rows()).toHaveLength(1);
    const other = await api.run({ ...panama, iso2: "US" }, { headers });
    expect([other.status, other.body]).toEqual([422, expect.objectContaining({ error: "idempotency_key_reused" })]);
    const malformed = await api.run(panama, { headers: { "Idempotency-Key": "a b" } });
    expect([malformed.status, malformed.body]).toEqual([
      400,
      { violations: [{ field: "Idempotency-Key", description: expect.any(String) }] },
    ]);
    const stranger = scenarios(app, await app.key("pro_monthly"));
    expect((await stranger.run(panama, { headers })).body).not.toEqual(first.body);
  });

  test("the same key at work already is a 409", async () => {
    const headers = { "Idempotency-Key": "twice" };
    const both = await Promise.all([api.run(panama, { headers }), api.run(panama, { headers })]);
    expect(await rows()).toHaveLength(1);
    for (const { status, body } of both) expect([202, 409]).toContain(body.jobId === undefined ? status : 202);
  });

  test("path and alias share a quota of 10 a minute; the alias says that it is deprecated", async () => {
    const alias = "/api/scenario/v1/run";
    const first = await api.run(panama, { path: alias });
    expect(first.status).toBe(202);
    expect(first.headers.get("Location")).toBe(first.body.statusUrl);
    expect(first.headers.get("Deprecation")).toMatch(/^@\d+$/);
    expect(first.headers.get("Link")).toBe(`<${canonical}>; rel="successor-version"`);
    for (let call = 1; call < 10; call++)
      expect((await api.run({}, { path: call % 2 === 0 ? alias : canonical })).status).toBe(400);
    for (const path of [alias, canonical]) {
      const { status, headers, body } = await api.run(panama, { path });
      expect([status, body]).toEqual([429, { error: expect.any(String) }]);
      expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    }
  });
});
