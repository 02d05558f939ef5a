import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BillingVerificationError,
  ForbiddenError,
  GatewayError,
  IdsError,
  NetworkError,
  ProjectionError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
  ValidationError,
} from "../../sdk/typescript/src/errors.ts";
import { createPlainClient } from "../../sdk/typescript/src/plain.ts";
import type { Operation } from "../../src/contract/catalog.ts";
import type { Database } from "../../src/store/database.ts";
import { minutesOn, openAccount } from "../support/accounts.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { accessOperation } from "../support/servers/access-contract.ts";
import { accessService } from "../support/servers/access-service.ts";
import { type BillingServer, billingOptions, startBillingServer } from "../support/servers/billing-server.ts";
import { type AnyMode, failureOf, leadingTo, type Mode, modes } from "./both-modes.ts";
import { startScriptedServer } from "./scripted-server.ts";

let database: Database;
let billing: BillingServer;
let app: TestApp;
let enterprise: string;
beforeAll(async () => {
  database = await openOnce();
  billing = await startBillingServer();
  app = await startApp(database, { services: [accessService], ...billingOptions(billing.url) });
  enterprise = await app.key("enterprise");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await billing[Symbol.asyncDispose]();
  await database.close();
});

const midnight = new Date("2026-11-19T00:00:00.000Z");
const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);
/** Ended a minute before the test. */
const overdue = { provider: "stripe", plan: "api_starter", validUntil: minutesOn(-1) } as const;

describe.each(Object.entries(modes))("%s", (name, mode: Mode) => {
  const isPlain = name === "plain JSON";
  /** A client that never asks twice. */
  const once = (apiKey: string | undefined, operation?: Operation): AnyMode =>
    mode({
      baseUrl: app.url,
      maxRetries: 0,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(operation ? { fetch: leadingTo(operation) } : {}),
    });

  test("a broken rule is a ValidationError with every violation", async () => {
    const error = await failureOf(once(enterprise).readBroken());
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ name: "ValidationError", status: 400, requestId, retryAfterSeconds: undefined });
    const { violations, message, body } = error as ValidationError;
    expect(violations.map(({ field }) => field).sort()).toEqual(["lat", "lon"]);
    for (const { field, description } of violations) expect(message).toContain(`${field}: ${description}`);
    expect(body).toMatchObject({
      violations: expect.arrayContaining([{ field: "lon", description: expect.any(String) }]),
    });
  });

  test.each([
    ["no key", undefined, "API key required"],
    ["a wrong key", "garbage", "Invalid API key"],
  ])("%s is an UnauthorizedError", async (_what, key, message) => {
    const error = await failureOf(once(key).read());
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(error).toMatchObject({ status: 401, message, requestId });
  });

  test("too low a tier is a ForbiddenError with the tiers and the plan", async () => {
    const error = await failureOf(once(await app.key("pro_monthly"), accessOperation("getTierTwo")).read());
    expect(error).toBeInstanceOf(ForbiddenError);
    const details = { requiredTier: 2, currentTier: 1, planKey: "pro_monthly", code: undefined, upgradeUrl: undefined };
    expect(error).toMatchObject({ status: 403, message: "Upgrade required", ...details, requestId });
  });

  test("an operation for paying accounts shows a free one where to upgrade", async () => {
    const error = await failureOf(once(await app.key("free"), accessOperation("getProGated")).read());
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error).toMatchObject({
      status: 403,
      message: "Upgrade required",
      requiredTier: 1,
      currentTier: 0,
      planKey: "free",
    });
    // Connect's details have no place for the address.
    const url = isPlain ? expect.stringContaining("/plans") : undefined;
    expect((error as ForbiddenError).upgradeUrl).toEqual(url);
  });

  test("a lapsed subscription and one in doubt are distinguished", async () => {
    const { key, customer } = await subscriber();
    billing.behave({ state: "canceled", price: "price_api", end: minutesOn(-1) });
    const lapsed = await failureOf(once(key).read());
    expect(lapsed, customer).toBeInstanceOf(ForbiddenError);
    expect(lapsed).toMatchObject({ status: 403, code: "subscription_lapsed", retryAfterSeconds: undefined, requestId });
    billing.behave({ status: 500 });
    const doubt = await failureOf(once((await subscriber()).key, accessOperation("getTierOne")).read());
    expect(doubt).toBeInstanceOf(BillingVerificationError);
    const code = "renewal_verification_failed";
    expect(doubt).toMatchObject({
      status: 503,
      code,
      requiredTier: 1,
      message: "Renewal verification failed",
      requestId,
    });
    expect((doubt as IdsError).retryAfterSeconds).toBeGreaterThanOrEqual(1);
  });

  test("a limit that is met is a RateLimitError with the limit and its end", async () => {
    const client = once(await app.key("free"));
    for (let call = 0; call < 30; call++) await client.read();
    const error = await failureOf(client.read());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, message: "Too many requests", requestId });
    const { limits, resetAt, retryAfterSeconds = 0 } = error as RateLimitError;
    expect(limits).toMatchObject({ limit: 30, remaining: 0 });
    if (isPlain) expect(limits).toMatchObject({ plan: "free", limitType: "per_minute" });
    expect(resetAt?.getTime()).toBeGreaterThan(testTime.getTime());
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
  });

  test("the end of an operation's daily allowance is a RateLimitError with the reason, if the body has it", async () => {
    const client = once(await app.key("free"), accessOperation("getAllowed"));
    for (let call = 0; call < 2; call++) await client.read();
    const error = await failureOf(client.read());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ message: "Daily allowance of GetAllowed used up", resetAt: midnight });
    const reported = { reason: "daily-allowance", limitType: "daily", plan: "free", upgradeUrl: "/plans" };
    expect((error as RateLimitError).limits).toMatchObject({ limit: 2, remaining: 0, ...(isPlain ? reported : {}) });
  });

  test("an idempotency key that named another request is a GatewayError with its code", async () => {
    const client = once(enterprise);
    const options = { idempotencyKey: `reused-${isPlain}` };
    await client.change("one", options);
    const error = await failureOf(client.change("two", options));
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code: "idempotency_key_reused", requestId });
  });

  test("a failure of the operation itself is a ServiceError", async () => {
    const key = await app.key("enterprise");
    const client = once(key);
    // One more than an account may hold.
    const made = async () => {
      for (let number = 0; number < 100; number++) await client.change(`key ${number}`);
    };
    const error = await failureOf(made());
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ requestId, message: expect.stringContaining("keys") });
  });

  test("an answer that never comes is a NetworkError, and it has an id too", async () => {
    await using server = await startScriptedServer("breaks off");
    const error = await failureOf(mode({ baseUrl: server.url, maxRetries: 0 }).read());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: 0, requestId: server.requests[0]?.headers["x-request-id"] });
    expect((error as Error).cause).toBeInstanceOf(Error);
  });

  test("what a proxy in between answers is a GatewayError with its status", async () => {
    await using server = await startScriptedServer({ status: 502, body: "<h1>Bad Gateway</h1>" });
    const error = await failureOf(mode({ baseUrl: server.url, maxRetries: 0 }).read());
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ status: 502, requestId });
    await using odd = await startScriptedServer({ status: 200, body: "<h1>Welcome</h1>" });
    expect(await failureOf(mode({ baseUrl: odd.url, maxRetries: 0 }).read())).toBeInstanceOf(GatewayError);
  });

  test("whatever a failure's body is, it becomes an error of its status with a message", async () => {
    const bodies = [
      null,
      1,
      [],
      {},
      { error: null },
      { error: { data: null, message: 5 } },
      { violations: [null] },
      "",
    ];
    for (const status of [400, 401, 403, 404, 429, 500, 503])
      for (const body of bodies) {
        await using server = await startScriptedServer({ status, body });
        const error = await failureOf(mode({ baseUrl: server.url, maxRetries: 0 }).read());
        expect(error, `${status} ${JSON.stringify(body)}`).toBeInstanceOf(IdsError);
        expect(error).toMatchObject({ status, requestId, message: expect.stringMatching(/./) });
      }
  });

  test("a redirect is not followed: the key would go along", async () => {
    await using elsewhere = await startScriptedServer({ status: 200 });
    await using server = await startScriptedServer({ status: 302, headers: { Location: `${elsewhere.url}/` } });
    const error = await failureOf(mode({ baseUrl: server.url, apiKey: "secret", maxRetries: 0 }).read());
    expect(error).toBeInstanceOf(IdsError);
    expect(elsewhere.requests).toEqual([]);
  });
});

test("plain JSON: an expression that does not parse is a ProjectionError with the keys there are", async () => {
  const client = createPlainClient({ baseUrl: app.url, apiKey: enterprise });
  const error = await failureOf(client.get("/api/infrastructure/v1/get-ip-geo", { jmespath: "country[" }));
  expect(error).toBeInstanceOf(ProjectionError);
  expect(error).toMatchObject({ status: 400, message: expect.stringMatching(/^invalid_expression: /), requestId });
  expect((error as ProjectionError).originalKeys).toEqual(["country", "region", "city"]);
});

let subscribers = 0;
async function subscriber() {
  const customer = `cus_sdk_${subscribers++}`;
  return openAccount(database, { subscriptions: [overdue], customer }).then(({ key }) => ({ key, customer }));
}

test.each(["list-conflict-events", "api/conflict/v1/list-conflict-events", "", "https://example.org/api"])(
  "a path %j without a leading slash is a TypeError that says so",
  async (path) => {
    const client = createPlainClient({ baseUrl: app.url });
    const requested = [async () => client.get(path as never), async () => client.post(path as never, {} as never)];
    for (const sendRequest of requested)
      await expect(sendRequest()).rejects.toThrow(
        new TypeError(`The path ${JSON.stringify(path)} must start with "/", such as "/api/catalog/v1/list-datasets"`),
      );
  },
);
