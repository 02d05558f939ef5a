import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import type { Database } from "../../../src/store/database.ts";
import { eventually, startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { send } from "../../support/request-load.ts";

const ipGeo = "/api/infrastructure/v1/get-ip-geo";
const place = "/api/infrastructure/v1/reverse-geocode?lat=1&lon=2";

/** Body and headers of a limit that must hold and cannot be checked. */
const expectDegraded = async (response: Response) => {
  expect(response.status).toBe(503);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    ...{ "x-ratelimit-mode": "degraded", "retry-after": "5", "cache-control": "no-store" },
  });
  expect(await response.json()).toEqual({ error: "Rate-limit service temporarily unavailable" });
};

describeEachDatabase("while the counters' table is", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_PLAN_LIMITS: "free=5/1000" } });
    key = await app.key("free");
    await app.get(ipGeo, { key });
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(({ skip }) => skip(database.kind !== "postgres", "counted in memory"));

  const countsAgain = () =>
    eventually(
      async () => (await app.get(ipGeo, { key: await app.key("pro_annual") })).headers.get("X-RateLimit-Remaining"),
      (remaining) => remaining === "59",
    );

  test("missing, endpoints are closed, accounts open, and unknown keys look like known ones", async () => {
    await database.query("alter table quota rename to gone");
    await expectDegraded(await app.get(place, { key }));
    expect(await send(20, () => app.get(ipGeo, { key }))).toEqual({ 200: 20 });
    const unknown = await app.get(ipGeo, { key: newKey(randomBytes) });
    expect([unknown.status, unknown.headers.get("X-Validation-Mode")]).toEqual([503, "degraded"]);
    expect(await unknown.json()).toEqual({ error: "Service temporarily unavailable" });
    await database.query("alter table gone rename to quota");
    await countsAgain();
  });

  test("locked, callers of open limits wait no longer than a moment, those of closed ones are refused", async () => {
    const startedAt = performance.now();
    await database.kysely.transaction().execute(async (transaction) => {
      await sql`lock table quota`.execute(transaction);
      expect(await send(40, () => app.get(ipGeo, { key }), 20)).toEqual({ 200: 40 });
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      await expectDegraded(await app.get(place, { key }));
    });
    await countsAgain();
  });
});
