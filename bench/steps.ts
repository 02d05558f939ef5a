import { randomBytes } from "node:crypto";
import { entitlementsOf } from "../src/access/entitlements.ts";
import { newKey } from "../src/access/keys/api-key.ts";
import { configuredPlans } from "../src/access/plans.ts";
import { quotaRules } from "../src/access/quotas/quota-rules.ts";
import { memoryQuotas } from "../src/access/quotas/quotas.ts";
import { addLimits } from "../src/allowance.ts";
import { catalog } from "../src/contract/catalog.ts";
import { asBytes } from "../src/contract/json.ts";
import { originHeaders } from "../src/http/cors.ts";
import { requestId } from "../src/http/exchange.ts";
import { readHead } from "../src/http/request-head.ts";
import { finishResponse } from "../src/http/rest/prepared-response.ts";
import { createResponseCache } from "../src/http/rest/response-cache.ts";
import { createRouter } from "../src/http/router.ts";
import { createAuthenticate } from "../src/interceptors/authenticate.ts";
import { createMeter } from "../src/interceptors/meter.ts";

const rounds = 300_000;

/** Prints the cost of each step of a prepared GET with a key, in nanoseconds. */
export async function printSteps(): Promise<void> {
  const clock = () => new Date();
  const key = newKey(randomBytes);
  const plan = configuredPlans(new Map([["enterprise", { perMinute: 999_999_999, perDay: 999_999_999 }]])).get(
    "enterprise",
  );
  const operation = catalog.find(({ name }) => name === "ListInternetOutages");
  if (!plan || !operation) throw new Error("No plan or no operation to measure");
  const principal = {
    ...{ account: "bench", keyId: "key_1", subscriptions: [], scopes: new Set<string>(), expiresAt: undefined },
    ...{ readOnly: false, unresolved: undefined, ...entitlementsOf([], plan, Date.now()) },
  };
  const authenticate = createAuthenticate({ find: async () => principal, admits: () => true, guard: async () => {} });
  const visitor = { head: {}, now: Date.now(), address: () => "" };
  await authenticate(key, visitor);
  const meter = createMeter(memoryQuotas(), quotaRules(undefined));
  const router = createRouter(
    catalog.map((known) => [known.path, { name: known.name, verbs: ["GET"], anonymous: false, serve: () => 200 }]),
  );
  const responses = createResponseCache(clock);
  const headersFor = originHeaders([]);
  const keyed = { ...operation, access: { ...operation.access, anonymous: false } };
  const allowance = { limit: 1000, remaining: 5, windowSeconds: 60, resetAt: Date.now() + 9000 };
  const prepare = () =>
    responses.put("name", finishResponse({ status: 200, lasting: [] }, asBytes("{}")), responses.epoch());
  const rawHeaders = ["Host", "127.0.0.1:8080", "X-Service-Key", key, "Accept-Encoding", "gzip"];
  const steps: readonly (readonly [string, () => unknown])[] = [
    ["head", () => readHead(rawHeaders)],
    ["request id", () => requestId(undefined)],
    ["CORS headers", () => headersFor(undefined)],
    ["route", () => router.find(operation.path, "GET")],
    ["key", () => authenticate(key, visitor)],
    ["quota, two layers", () => meter(keyed, principal, visitor)],
    ["limit headers", () => addLimits([], allowance, visitor.now)],
    ["lookup of the answer", () => responses.get("name", visitor.now) ?? prepare()],
  ];
  console.log("| step | ns |\n|---|---|");
  for (const [name, step] of steps) console.log(`| ${name} | ${Math.round(await nanoseconds(step))} |`);
}

async function nanoseconds(step: () => unknown): Promise<number> {
  let elapsed = 0;
  for (const counted of [false, true]) {
    const startedAt = performance.now();
    for (let round = 0; round < rounds; round++) {
      const result = step();
      if (result instanceof Promise) await result;
    }
    if (counted) elapsed = performance.now() - startedAt;
  }
  return (elapsed * 1e6) / rounds;
}
