import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { minutesOn, openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { explanationPath, rankingPath, type Score, scorePath } from "../../support/domains/resilience-responses.ts";
import { type BillingServer, billingOptions, startBillingServer } from "../../support/servers/billing-server.ts";

let database: Database;
let billing: BillingServer;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  billing = await startBillingServer();
  const options = billingOptions(billing.url);
  const environment = { ...options.environment, IDS_RESILIENCE_SCHEMA: "1.0", IDS_COMMIT: "0123abc" };
  app = await startApp(database, { ...options, environment });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await billing[Symbol.asyncDispose]();
  await database.close();
});

const overdue = { provider: "stripe", plan: "pro_monthly", validUntil: minutesOn(-1) } as const;
const keyWith = async (...subscriptions: Parameters<typeof openAccount>[1]["subscriptions"]) =>
  (await openAccount(database, { subscriptions })).key;

for (const path of [`${scorePath}?country_code=NO`, rankingPath, `${explanationPath}?country_code=NO`]) {
  const reported = async (key: string | null) => {
    const response = await app.get(path, { key });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test(`${path} needs a running subscription of tier 1`, async () => {
    expect((await reported(null)).status).toBe(401);
    const free = await reported(await keyWith({ plan: "free" }));
    expect(free).toMatchObject({ status: 403, body: { error: "Upgrade required", requiredTier: 1, currentTier: 0 } });
    expect((await reported(await keyWith())).status).toBe(403);
    for (const plan of ["pro_monthly", "api_starter", "enterprise"])
      expect((await reported(await keyWith({ plan }))).status).toBe(200);
  });

  test(`${path} distinguishes a lapsed subscription from one whose renewal is pending`, async () => {
    billing.behave({ state: "canceled", price: "price_pro", end: minutesOn(-1) });
    const lapsed = await reported(await keyWith(overdue));
    expect(lapsed).toMatchObject({ status: 403, body: { code: "subscription_lapsed", requiredTier: 1 } });
    billing.behave("hangs");
    const key = await keyWith(overdue);
    const before = billing.requests.length;
    const requesting = reported(key);
    await expect.poll(() => billing.requests.length).toBe(before + 1);
    expect(await reported(key)).toMatchObject({ status: 503, body: { code: "renewal_verification_pending" } });
    billing.release({ state: "active", price: "price_pro", end: minutesOn(60) });
    expect((await requesting).status).toBe(200);
  });
}

test("where the operator chose the legacy form, scores have no pillars and the manifest says so", async () => {
  for (const dataset of ["resilience-inputs", "resilience-scores"] as const) await app.refresh(dataset);
  const score = await app.json<Score & { schemaVersion: string }>(`${scorePath}?country_code=NO`);
  expect(score).toMatchObject({ schemaVersion: "1.0", pillars: [] });
  expect(score.domains).toHaveLength(6);
  expect(await app.json("/api/resilience/v1/get-runtime-manifest")).toMatchObject({
    deployedCommitSha: "0123abc",
    flags: expect.arrayContaining([{ name: "schema-v2", enabled: false }]),
  });
});

test("another form than the two is refused at the start", async () => {
  await expect(startApp(database, { environment: { IDS_RESILIENCE_SCHEMA: "3.0" } })).rejects.toThrow(/1\.0 or 2\.0/);
});
