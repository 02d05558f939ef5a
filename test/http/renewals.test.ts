import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { BillingVerificationErrorSchema } from "../../gen/es/ids/common/v1/common_pb.ts";
import type { Operation } from "../../src/contract/catalog.ts";
import { attachDatabase, type Database } from "../../src/store/database.ts";
import { AccessService } from "../gen/access_pb.ts";
import { minutesOn, openAccount } from "../support/accounts.ts";
import { startApp, type TestApp, type TestAppOptions, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { requestConnect, requestRest } from "../support/domains/decision.ts";
import { accessOperation } from "../support/servers/access-contract.ts";
import { accessService } from "../support/servers/access-service.ts";
import {
  type BillingBehavior,
  type BillingServer,
  billingOptions,
  startBillingServer,
} from "../support/servers/billing-server.ts";
import { openEmbedded } from "./embedded-database.ts";

const plain = accessOperation("getPlain");
const tierOne = accessOperation("getTierOne");
const tierTwo = accessOperation("getTierTwo");
const proGated = accessOperation("getProGated");

const services = [accessService];
/** Ended a minute before the test. */
const overdue = { provider: "stripe", plan: "api_starter", validUntil: minutesOn(-1) } as const;
const renewed: BillingBehavior = { state: "active", price: "price_api", end: minutesOn(30 * 24 * 60) };
const canceled: BillingBehavior = { state: "canceled", price: "price_api", end: minutesOn(-1) };
const pending = { error: "Renewal verification pending", code: "renewal_verification_pending" };
const failed = { error: "Renewal verification failed", code: "renewal_verification_failed" };
const unavailable = { error: "Unable to verify API access", code: "entitlement_verification_unavailable" };
const lapsed = { error: "Subscription lapsed", code: "subscription_lapsed" };

async function startBilling(): Promise<BillingServer> {
  const billing = await startBillingServer();
  onTestFinished(() => billing[Symbol.asyncDispose]());
  return billing;
}

async function startWith(database: Database, options: TestAppOptions): Promise<TestApp> {
  const app = await startApp(database, { services, ...options });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

/** Status, body and the two headers of a call. */
async function reported(app: TestApp, operation: Operation, key: string) {
  const { status, body, headers } = await requestRest(app, operation, key);
  const [verification, retryAfter] = [headers.get("X-Billing-Verification"), headers.get("Retry-After")];
  return { status, body, verification, retryAfter: retryAfter === null ? null : Number(retryAfter) };
}

/** A refusal whose header mirrors its code. */
function rejection(
  status: number,
  body: { readonly code: string; readonly requiredTier?: number },
  retryAfter: number | null,
) {
  return { status, body, verification: body.code, retryAfter };
}

describeEachDatabase("a renewal in doubt", (openFresh) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh();
  });

  test("is accepted if the provider confirms it, with the paid plan and without another provider request", async () => {
    const billing = await startBilling();
    const app = await startWith(database, billingOptions(billing.url));
    billing.behave({ ...renewed, price: "price_pro" } as BillingBehavior);
    const { key, subscriptions } = await openAccount(database, { subscriptions: [overdue] });
    const first = await requestRest(app, plain, key);
    expect([first.status, first.headers.get("X-RateLimit-Limit")]).toEqual([200, "60"]);
    for (let time = 0; time < 3; time++) expect((await requestRest(app, tierOne, key)).status).toBe(200);
    await app.settled();
    expect((await reported(app, tierTwo, key)).body).toMatchObject({ error: "Upgrade required", currentTier: 1 });
    expect(billing.requests.map(({ path }) => path)).toEqual([`/v1/subscriptions/${subscriptions[0]}`]);
    expect(billing.requests[0]?.headers.authorization).toBe("Bearer sk_test_1");
  });

  test("B2: is pending for every caller except the requesting one, on this replica and on others", async () => {
    const billing = await startBilling();
    const app = await startWith(database, billingOptions(billing.url));
    const other = await startWith(database, billingOptions(billing.url));
    billing.behave("hangs");
    const { key } = await openAccount(database, { subscriptions: [overdue] });
    const requesting = reported(app, plain, key);
    await expect.poll(() => billing.requests.length).toBe(1);
    for (const replica of [app, other]) {
      expect(await reported(replica, plain, key)).toEqual(rejection(503, pending, 3));
      expect(await reported(replica, tierTwo, key)).toEqual(rejection(503, { ...pending, requiredTier: 2 }, 3));
    }
    other.setTime(new Date(testTime.getTime() + 2_500));
    expect((await reported(other, plain, key)).retryAfter).toBe(1);
    billing.release(renewed);
    expect((await requesting).status).toBe(200);
    await Promise.all([app.settled(), other.settled()]);
    for (const replica of [app, other]) expect((await reported(replica, tierTwo, key)).status).toBe(200);
    expect(billing.requests.length).toBe(1);
  });

  test("is requested again 15 seconds after the requesting caller disappeared", async () => {
    const billing = await startBilling();
    const app = await startWith(database, billingOptions(billing.url));
    billing.behave(renewed);
    const { key, subscriptions } = await openAccount(database, { subscriptions: [overdue] });
    await database.kysely
      .updateTable("subscription")
      .set({ checking_since: testTime })
      .where("id", "in", subscriptions)
      .execute();
    expect(await reported(app, plain, key)).toEqual(rejection(503, pending, 3));
    app.setTime(new Date(testTime.getTime() + 14_999));
    expect(await reported(app, plain, key)).toEqual(rejection(503, pending, 1));
    app.setTime(new Date(testTime.getTime() + 16_000));
    expect((await reported(app, plain, key)).status).toBe(200);
  });

  test("B3: has failed for a minute after a provider that is broken, or as long as that one asked for, up to a minute", async () => {
    const billing = await startBilling();
    const cases: readonly [BillingBehavior, number][] = [
      [{ status: 500 }, 60],
      [{ status: 429 }, 60],
      [{ status: 429, retryAfter: "7" }, 7],
      [{ status: 429, retryAfter: "0.4" }, 1],
      [{ status: 503, retryAfter: "600" }, 60],
      [{ status: 404 }, 60],
      // Still within the period that is over: the new one has not been opened yet.
      [{ state: "active", price: "price_api", end: minutesOn(-1) }, 60],
    ];
    for (const [behavior, seconds] of cases) {
      const app = await startWith(database, billingOptions(billing.url));
      const other = await startWith(database, billingOptions(billing.url));
      billing.behave(behavior);
      const { key } = await openAccount(database, { subscriptions: [overdue] });
      const before = billing.requests.length;
      for (const replica of [app, other]) {
        const name = JSON.stringify(behavior);
        expect(await reported(replica, plain, key), name).toEqual(rejection(503, failed, seconds));
        const gated = { ...failed, requiredTier: 2 };
        expect(await reported(replica, tierTwo, key), name).toEqual(rejection(503, gated, seconds));
        replica.setTime(new Date(testTime.getTime() + seconds * 1000 - 1));
        expect((await reported(replica, plain, key)).retryAfter, name).toBe(1);
      }
      expect(billing.requests.length).toBe(before + 1);
      billing.behave(renewed);
      app.setTime(new Date(testTime.getTime() + seconds * 1000));
      expect((await reported(app, plain, key)).status).toBe(200);
    }
  });

  test("B3: has failed when the provider gives no answer within two seconds", async () => {
    const billing = await startBilling();
    const app = await startWith(database, billingOptions(billing.url));
    billing.behave("hangs");
    const { key } = await openAccount(database, { subscriptions: [overdue] });
    const began = performance.now();
    expect(await reported(app, plain, key)).toEqual(rejection(503, failed, 60));
    expect(performance.now() - began).toBeLessThan(20_000);
    expect((await requestConnect(app, plain, key)).headers.get("X-Billing-Verification")).toBe(failed.code);
  });

  test("B4: has lapsed when the provider says so, and is asked about again after five minutes at the earliest", async () => {
    const billing = await startBilling();
    const app = await startWith(database, billingOptions(billing.url));
    for (const state of ["canceled", "past_due", "unpaid", "incomplete_expired", "paused"]) {
      app.setTime(testTime);
      billing.behave({ ...canceled, state });
      const { key } = await openAccount(database, { subscriptions: [overdue] });
      const before = billing.requests.length;
      const requested = () => billing.requests.length - before;
      expect(await reported(app, plain, key), state).toEqual(rejection(403, lapsed, null));
      await app.settled();
      const gated = { ...lapsed, requiredTier: 1 };
      expect(await reported(app, proGated, key), state).toEqual(rejection(403, gated, null));
      app.setTime(minutesOn(4.9));
      expect(await reported(app, plain, key), state).toEqual(rejection(403, lapsed, null));
      expect(requested()).toBe(1);
      billing.behave({ status: 500 });
      app.setTime(minutesOn(6));
      // The end was confirmed, and a provider that is broken does not open the question again.
      expect(await reported(app, plain, key), state).toEqual(rejection(403, lapsed, null));
      billing.behave(renewed);
      app.setTime(minutesOn(8));
      expect((await reported(app, plain, key)).status, state).toBe(200);
      expect(requested()).toBe(3);
    }
  });

  test("B4: a lapse that was confirmed stays one, and is asked about no more after three days", async () => {
    const billing = await startBilling();
    const app = await startWith(database, billingOptions(billing.url));
    const old = { ...overdue, active: false, validUntil: minutesOn(-4 * 24 * 60) };
    const { key } = await openAccount(database, { subscriptions: [old] });
    expect(await reported(app, plain, key)).toEqual(rejection(403, lapsed, null));
    expect(billing.requests).toEqual([]);
  });

  test("C1, C6: a lower plan that runs continues, and reports the doubt only for requests of the stronger one", async () => {
    const billing = await startBilling();
    const app = await startWith(database, billingOptions(billing.url));
    billing.behave({ status: 500 });
    const { key } = await openAccount(database, { subscriptions: [overdue, { plan: "pro_monthly" }] });
    for (const operation of [plain, tierOne, proGated]) {
      expect((await reported(app, operation, key)).status).toBe(200);
      expect((await requestConnect(app, operation, key)).status).toBe(200);
    }
    expect(billing.requests).toEqual([]);
    expect(await reported(app, tierTwo, key)).toEqual(rejection(503, { ...failed, requiredTier: 2 }, 60));
    billing.behave(canceled);
    app.setTime(minutesOn(1));
    expect(await reported(app, tierTwo, key)).toEqual(rejection(403, { ...lapsed, requiredTier: 2 }, null));
    expect((await reported(app, tierOne, key)).status).toBe(200);
  });

  test("a subscription below the tier that is asked for is not asked about", async () => {
    const billing = await startBilling();
    const app = await startWith(database, billingOptions(billing.url));
    const subscriptions = [{ ...overdue, plan: "pro_monthly" }, { plan: "free" }];
    const { key } = await openAccount(database, { subscriptions });
    const body = { error: "Upgrade required", requiredTier: 2, currentTier: 0, planKey: "free" };
    expect(await reported(app, tierTwo, key)).toEqual({ status: 403, body, verification: null, retryAfter: null });
    expect(billing.requests).toEqual([]);
  });

  test("B1: cannot be verified without the provider's key", async () => {
    const app = await startWith(database, {});
    const { key } = await openAccount(database, { subscriptions: [overdue] });
    expect(await reported(app, plain, key)).toEqual(rejection(503, unavailable, 5));
    expect(await reported(app, tierTwo, key)).toEqual(rejection(503, { ...unavailable, requiredTier: 2 }, 5));
  });

  test("has the same decision over Connect and gRPC, with its headers and details", async () => {
    const billing = await startBilling();
    const app = await startWith(database, billingOptions(billing.url));
    billing.behave({ status: 429, retryAfter: "7" });
    const { key } = await openAccount(database, { subscriptions: [overdue] });
    const rpc = await requestConnect(app, tierTwo, key);
    expect([rpc.status, rpc.body.code, rpc.body.message]).toEqual([503, "unavailable", failed.error]);
    expect([rpc.headers.get("X-Billing-Verification"), rpc.headers.get("Retry-After")]).toEqual([failed.code, "7"]);
    const client = createClient(AccessService, createGrpcTransport({ baseUrl: app.url }));
    const rejected = await client
      .getTierTwo({}, { headers: { "X-Service-Key": key } })
      .then(() => expect.fail("let through"), ConnectError.from);
    expect([rejected.code, rejected.metadata.get("x-billing-verification")]).toEqual([Code.Unavailable, failed.code]);
    expect(rejected.findDetails(BillingVerificationErrorSchema)).toMatchObject([{ ...failed, requiredTier: 2 }]);
  });
});

test("B1: cannot be verified while the store is out of reach", async () => {
  const billing = await startBilling();
  const owner = await openEmbedded();
  const attached = attachDatabase(owner.settings, { name: "test" });
  onTestFinished(() => attached.close());
  const app = await startWith(attached, billingOptions(billing.url));
  const ending = { ...overdue, validUntil: minutesOn(0.25) };
  const { key } = await openAccount(attached, { subscriptions: [ending] });
  expect((await reported(app, plain, key)).status).toBe(200);
  await owner.close();
  app.setTime(minutesOn(0.5));
  expect(await reported(app, plain, key)).toEqual(rejection(503, unavailable, 5));
  expect(await reported(app, tierTwo, key)).toEqual(rejection(503, { ...unavailable, requiredTier: 2 }, 5));
  expect((await requestConnect(app, plain, key)).headers.get("X-Billing-Verification")).toBe(unavailable.code);
});
