import { beforeEach, expect, test } from "vitest";
import { claimJob, settleJob } from "../../../src/domains/scenario/job-store.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { storeExposures } from "../../support/domains/exposure-table.ts";
import { scenarios } from "../../support/domains/scenarios.ts";
import { startJobs } from "../../support/processes/job-worker.ts";

const hormuz = { scenarioId: "hormuz-tanker-blockade" };

describeEachDatabase("scenario jobs", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let api: ReturnType<typeof scenarios>;
  beforeEach(async () => {
    database = await openFresh();
    app = await startApp(database, { now: new Date() });
    api = scenarios(app, await app.key("enterprise"));
    await storeExposures(database);
    return () => app[Symbol.asyncDispose]();
  });
  const rowOf = async (id: string) =>
    (await database.query("select * from scenario_job where id = $1", [id])).rows[0] as Record<string, unknown>;
  const claim = (now: Date, lease: string) =>
    claimJob(database.kysely, { lease, now, until: new Date(now.getTime() + 1_000) });
  const breakInputs = () => database.query("alter table chokepoint_exposure rename to elsewhere");
  const mendInputs = () => database.query("alter table elsewhere rename to chokepoint_exposure");

  test("are started oldest first, each by one worker only, until its lease expires", async () => {
    const [older, newer] = [(await api.run(hormuz)).body.jobId, (await api.run(hormuz)).body.jobId];
    await database.query("update scenario_job set created_at = created_at + interval '1 ms' where id = $1", [newer]);
    const now = new Date(Date.now() + 10);
    const claimed = await Promise.all([claim(now, "a"), claim(now, "b"), claim(now, "c")]);
    expect(new Set(claimed.map((job) => job?.id))).toEqual(new Set([older, newer, undefined]));
    expect(await claim(new Date(now.getTime() + 999), "d")).toBeUndefined();
    expect((await claim(new Date(now.getTime() + 1_000), "e"))?.id).toBe(older);
  });

  test("do not fail if their worker is lost, however often, and ignore a worker that returns late", async () => {
    const { body } = await api.run(hormuz);
    let now = new Date();
    const first = await claim(now, "0");
    for (let lost = 1; lost <= 5; lost++) {
      now = new Date(now.getTime() + 2_000);
      expect((await claim(now, String(lost)))?.failures).toBe(0);
    }
    const late = { status: "failed", failures: 3, at: now } as const;
    expect(await settleJob(database.kysely, first!, late)).toBe(false);
    expect((await api.follow(body.statusUrl)).body.status).toBe("processing");
    await using _ = await startJobs(database, { clock: () => new Date(now.getTime() + 2_000) });
    expect((await api.ended(body.statusUrl)).body.status).toBe("done");
    expect(await rowOf(body.jobId)).toMatchObject({ failures: 0, lease: null, lease_until: null });
  });

  test("that fail three times have failed", async () => {
    await breakInputs();
    const { body } = await api.run(hormuz);
    await using _ = await startJobs(database, { scenarioTimes: { pauseMs: 0 } });
    expect((await api.ended(body.statusUrl)).body).toEqual({ status: "failed", error: "computation_error" });
    expect(await rowOf(body.jobId)).toMatchObject({ failures: 3, result: null });
  });

  test("that failed once are tried again, and are done when it goes well", async () => {
    await breakInputs();
    const { body } = await api.run(hormuz);
    await using _ = await startJobs(database, { scenarioTimes: { pauseMs: 500 } });
    await expect.poll(async () => (await rowOf(body.jobId)).failures, { timeout: 10_000 }).toBe(1);
    await mendInputs();
    expect((await api.ended(body.statusUrl)).body).toMatchObject({ status: "done", error: "" });
    expect((await rowOf(body.jobId)).failures).toBeLessThan(3);
  });

  test("without a notification are found by the sweep at a worker's start", async () => {
    const { body } = await api.run(hormuz);
    await database.query("delete from pgboss.job where name = 'scenario'");
    await using _ = await startJobs(database);
    expect((await api.ended(body.statusUrl)).body.status).toBe("done");
  });

  test("whose time is up end with what they have", async () => {
    await using _ = await startJobs(database, { scenarioTimes: { limitMs: 0 } });
    const { body } = await api.ended((await api.run(hormuz)).body.statusUrl);
    expect(body).toMatchObject({ status: "done", result: { coverage: { status: "partial", timeLimitReached: true } } });
  });
});
