import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ForbiddenErrorSchema } from "../../../gen/es/ids/common/v1/common_pb.ts";
import type { Operation } from "../../../src/contract/catalog.ts";
import type { Database } from "../../../src/store/database.ts";
import { AccessService } from "../../gen/access_pb.ts";
import { minutesOn, openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { requestConnect, requestRest } from "../../support/domains/decision.ts";
import { accessOperation } from "../../support/servers/access-contract.ts";
import { accessService } from "../../support/servers/access-service.ts";

const plain = accessOperation("getPlain");
const anonymous = accessOperation("getAnonymous");
const tierOne = accessOperation("getTierOne");
const tierTwo = accessOperation("getTierTwo");
const activePro = accessOperation("getActivePro");
const proGated = accessOperation("getProGated");
const scoped = accessOperation("getScoped");
const operatorOnly = accessOperation("getOperator");
const change = accessOperation("runChange");

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { services: [accessService] });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** The rejection in both protocols is never cached or retryable, and has the same code. */
async function expectForbidden(operation: Operation, key: string, body: unknown, of = app): Promise<void> {
  const rest = await requestRest(of, operation, key);
  expect({ status: rest.status, body: rest.body }, operation.name).toEqual({ status: 403, body });
  expect(rest.headers.get("Cache-Control")).toBe("no-store");
  const rpc = await requestConnect(of, operation, key);
  expect(rpc.body, operation.name).toMatchObject({ code: "permission_denied" });
  for (const { headers } of [rest, rpc])
    expect([headers.get("Retry-After"), headers.get("X-Billing-Verification")]).toEqual([null, null]);
}

async function expectLetIn(operation: Operation, key: string | null, of = app): Promise<void> {
  for (const sendRequest of [requestRest, requestConnect])
    expect((await sendRequest(of, operation, key)).status, `${operation.name} ${sendRequest.name}`).toBeLessThan(300);
}

const ended = { error: "API access requires an active subscription" };
const lapsedYesterday = { plan: "enterprise", validUntil: minutesOn(-24 * 60) };

test("B5: an account of which every subscription has ended is refused on every keyed operation, without a code", async () => {
  for (const subscription of [lapsedYesterday, { plan: "pro_annual", active: false }]) {
    const { key } = await openAccount(database, { subscriptions: [subscription] });
    for (const operation of [plain, tierOne, tierTwo, proGated, operatorOnly, scoped, change])
      await expectForbidden(operation, key, ended);
    await expectLetIn(anonymous, key);
  }
});

test("B5: neither is an old one that the billing provider was never asked about", async () => {
  const subscription = { provider: "stripe", plan: "api_starter", validUntil: minutesOn(-3 * 24 * 60 - 1) } as const;
  const { key } = await openAccount(database, { subscriptions: [subscription] });
  await expectForbidden(plain, key, ended);
});

test("an account that never had a subscription is on the free plan", async () => {
  const { key } = await openAccount(database, { subscriptions: [] });
  await expectLetIn(plain, key);
  await expectForbidden(tierOne, key, { error: "Upgrade required", requiredTier: 1, currentTier: 0, planKey: "free" });
});

test("of several running subscriptions the highest tier counts, whatever has ended", async () => {
  const { key } = await openAccount(database, {
    subscriptions: [{ plan: "free" }, { plan: "pro_business_annual" }, { plan: "pro_monthly" }, lapsedYesterday],
  });
  await expectLetIn(tierOne, key);
  const details = { requiredTier: 2, currentTier: 1, planKey: "pro_business_annual" };
  await expectForbidden(tierTwo, key, { error: "Upgrade required", ...details });
  expect((await requestRest(app, plain, key)).headers.get("X-RateLimit-Limit")).toBe("120");
});

test("the plan counts to the last millisecond of its period and no longer, though the key is remembered", async () => {
  await using aging = await startApp(database, { services: [accessService] });
  const subscriptions = [{ plan: "api_starter", validUntil: minutesOn(0.5) }, { plan: "pro_monthly" }];
  const { key } = await openAccount(database, { subscriptions });
  const limit = async () => (await requestRest(aging, plain, key)).headers.get("X-RateLimit-Limit");
  expect(await limit()).toBe("300");
  aging.setTime(minutesOn(0.5));
  expect(await limit()).toBe("300");
  await expectLetIn(tierTwo, key, aging);
  aging.setTime(new Date(minutesOn(0.5).getTime() + 1));
  expect(await limit()).toBe("60");
  const details = { requiredTier: 2, currentTier: 1, planKey: "pro_monthly" };
  await expectForbidden(tierTwo, key, { error: "Upgrade required", ...details }, aging);
});

test("C2: a key whose account is gone from the store is refused where a tier is asked for", async () => {
  const orphaned = await openOnce();
  try {
    const { key, id } = await openAccount(orphaned, { subscriptions: [] });
    await sql`alter table api_key drop constraint api_key_account_fkey`.execute(orphaned.kysely);
    await orphaned.kysely.deleteFrom("account").where("id", "=", id).execute();
    await using of = await startApp(orphaned, { services: [accessService] });
    for (const operation of [tierOne, proGated])
      await expectForbidden(operation, key, { error: "Authentication required", requiredTier: 1 }, of);
    await expectLetIn(plain, key, of);
  } finally {
    await orphaned.close();
  }
});

test("C3: where only plans are stored that the program does not know, no tier is confirmed", async () => {
  const { key } = await openAccount(database, { subscriptions: [{ plan: "platinum" }] });
  await expectForbidden(tierTwo, key, { error: "Unable to verify entitlements", requiredTier: 2 });
  await expectForbidden(proGated, key, { error: "Unable to verify entitlements", requiredTier: 1 });
  await expectLetIn(plain, key);
});

test("C4: a rejection for a low tier names the required tier and the plan", async () => {
  const free = await app.key("free");
  const upgrade = { error: "Upgrade required", requiredTier: 1, currentTier: 0, planKey: "free" };
  for (const operation of [tierOne, activePro, change]) await expectForbidden(operation, free, upgrade);
  const pro = await app.key("pro_monthly");
  await expectForbidden(tierTwo, pro, { ...upgrade, requiredTier: 2, currentTier: 1, planKey: "pro_monthly" });
  for (const operation of [tierOne, activePro, proGated, change]) await expectLetIn(operation, pro);
  await expectLetIn(tierTwo, await app.key("api_starter"));
});

test("a Pro-gated operation shows a free account the reason and the upgrade, and an anonymous caller a 401", async () => {
  const details = { requiredTier: 1, currentTier: 0, planKey: "free" };
  const data = { reason: "upgrade-required", upgradeUrl: "/plans", ...details };
  await expectForbidden(proGated, await app.key("free"), { error: { message: "Upgrade required", data } });
  const stranger = await requestRest(app, proGated, null);
  expect([stranger.status, stranger.body]).toEqual([401, { error: "API key required" }]);
  expect((await requestConnect(app, proGated, null)).body).toMatchObject({ code: "unauthenticated" });

  const upgradeUrl = "https://example.org/plans?from=api";
  await using elsewhere = await startApp(database, {
    services: [accessService],
    environment: { IDS_UPGRADE_URL: upgradeUrl },
  });
  const rejected = await requestRest(elsewhere, proGated, await elsewhere.key("free"));
  expect(rejected.body).toEqual({ error: { message: "Upgrade required", data: { ...data, upgradeUrl } } });
});

test("a scope is required of the key itself, and named in the rejection", async () => {
  const subscriptions = [{ plan: "enterprise" }];
  const without = await openAccount(database, { subscriptions });
  const other = await openAccount(database, { subscriptions, scopes: ["company_monitoring:write"] });
  for (const { key } of [without, other]) {
    await expectForbidden(scoped, key, { error: "Missing required scope: company_monitoring:read" });
    await expectLetIn(plain, key);
  }
  const scopes = ["company_monitoring:write", "company_monitoring:read"];
  const { key } = await openAccount(database, { subscriptions: [{ plan: "free" }], scopes });
  for (const operation of [scoped, plain]) await expectLetIn(operation, key);
});

test("the operator's operations are for the operator's key only", async () => {
  await expectForbidden(operatorOnly, await app.key("enterprise"), { error: "Operator key required" });
  await expectLetIn(operatorOnly, await app.key("operator"));
});

test("an older name of a path asks for the same as the canonical one", async () => {
  const aliased = accessOperation("getAliased");
  const { key } = await openAccount(database, { subscriptions: [lapsedYesterday] });
  const [canonical, alias] = [
    await requestRest(app, aliased, key),
    await requestRest(app, aliased, key, "/api/test/v1/aliased"),
  ];
  expect([alias.status, alias.body]).toEqual([canonical.status, canonical.body]);
  expect(canonical).toMatchObject({ status: 403, body: ended });
});

test("a key works until the instant it expires, even if it is cached, and is then rejected like an unknown one", async () => {
  await using aging = await startApp(database, { services: [accessService] });
  const { key } = await openAccount(database, { subscriptions: [{ plan: "free" }], expiresAt: minutesOn(0.5) });
  aging.setTime(new Date(minutesOn(0.5).getTime() - 1));
  await expectLetIn(plain, key, aging);
  aging.setTime(minutesOn(0.5));
  for (let time = 0; time < 2; time++) {
    const rejected = await requestRest(aging, plain, key);
    expect([rejected.status, rejected.body]).toEqual([401, { error: "Invalid API key" }]);
  }
});

test("over gRPC the refusal has its code, its text and its details", async () => {
  const client = createClient(AccessService, createGrpcTransport({ baseUrl: app.url }));
  const headers = { "X-Service-Key": await app.key("free") };
  for (const call of [() => client.getTierOne({}, { headers }), () => client.getProGated({}, { headers })]) {
    const rejected = await call().then(() => expect.fail("let through"), ConnectError.from);
    expect([rejected.code, rejected.rawMessage]).toEqual([Code.PermissionDenied, "Upgrade required"]);
    expect(rejected.findDetails(ForbiddenErrorSchema)).toMatchObject([
      { error: "Upgrade required", requiredTier: 1, currentTier: 0, planKey: "free" },
    ]);
  }
});

test("an operation of the test contract responds once its caller is admitted, and never if it isn't served", async () => {
  const key = await app.key("operator");
  expect((await requestRest(app, accessOperation("getUnavailable"), key)).headers.get("Cache-Control")).toBe(
    "no-store",
  );
  await using product = await startApp(database);
  expect((await requestRest(product, plain, null)).status).toBe(404);
});
