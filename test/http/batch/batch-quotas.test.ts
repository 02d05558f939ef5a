import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { batched, batchPath, postBatch, statusesOf } from "../../support/batch.ts";
import { accessService } from "../../support/servers/access-service.ts";
import { openEmbedded } from "../embedded-database.ts";

const plain = "/api/test/v1/get-plain";
const anonymous = "/api/test/v1/get-anonymous";
const allowed = "/api/test/v1/get-allowed";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openEmbedded();
  app = await startApp(database, { services: [accessService] });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const many = (count: number, path: string) => Array.from({ length: count }, () => path);

test("each read counts against the account, the batch does not, and reads beyond the limit are rejected", async () => {
  const key = await app.key("free");
  const first = await batched(app, many(20, plain), { key });
  expect(first.map(({ headers }) => headers["X-RateLimit-Remaining"])).toEqual(
    Array.from({ length: 20 }, (_, index) => String(29 - index)),
  );
  expect((await app.get(plain, { key })).headers.get("X-RateLimit-Remaining")).toBe("9");
  const second = await batched(app, many(20, plain), { key });
  expect(statusesOf(second)).toEqual([...Array(9).fill(200), ...Array(11).fill(429)]);
  expect(second[9]).toMatchObject({
    headers: { "Cache-Control": "no-store", "Retry-After": "60", "RateLimit-Policy": '"default";q=30;w=60' },
    body: { error: "Too many requests", plan: "free", limit: 30, limit_type: "per_minute" },
  });
  expect((await app.get(plain, { key })).status).toBe(429);
});

test("the limit of an operation holds across batches and single calls", async () => {
  const key = await app.key("free");
  expect((await app.get(allowed, { key })).status).toBe(200);
  expect(statusesOf(await batched(app, many(3, allowed), { key }))).toEqual([200, 429, 429]);
});

test("calls are counted in the account's usage by operation, and the batch is none", async () => {
  const key = await app.key("pro_monthly");
  await batched(app, [plain, plain, allowed], { key });
  await app.settled();
  const response = await app.get("/api/account/v1/get-usage", { key });
  const { usage } = (await response.json()) as { usage: { operation: string; calls: unknown }[] };
  expect(usage.map(({ operation, calls }) => [operation, Number(calls)])).toEqual([
    ["GetAllowed", 1],
    ["GetPlain", 2],
  ]);
});

test("reads without a key count separately against their address", async () => {
  app.setTime(new Date(testTime.getTime() + 120_000));
  for (let batch = 0; batch < 29; batch++)
    expect(statusesOf(await batched(app, many(20, anonymous), { key: null }))).toEqual(Array(20).fill(200));
  for (let single = 0; single < 10; single++) expect((await app.get(anonymous, { key: null })).status).toBe(200);
  const last = await batched(app, many(20, anonymous), { key: null });
  expect(statusesOf(last)).toEqual([...Array(10).fill(200), ...Array(10).fill(429)]);
  expect(last[19]?.body).toMatchObject({ message: expect.any(String) });
  expect((await app.get(anonymous, { key: null })).status).toBe(429);
});

test("the response reports the remaining limit of batches with the account's limits", async () => {
  const key = await app.key("free");
  for (const path of [plain, anonymous]) await batched(app, [path], { key });
  const response = await app.get("/api/account/v1/get-limits", { key });
  const { limits } = (await response.json()) as { limits: { name: string }[] };
  expect(limits.find(({ name }) => name === "RunBatch")).toMatchObject({ limit: 600, remaining: 598 });
});

test("batches have a limit of their own, malformed ones included", async () => {
  app.setTime(new Date(testTime.getTime() + 240_000));
  const statuses = await Promise.all(Array.from({ length: 601 }, () => postBatch(app, [], { key: null })));
  expect(statuses.filter(({ status }) => status === 400)).toHaveLength(600);
  const [rejected] = statuses.filter(({ status }) => status === 429);
  expect(rejected?.url).toContain(batchPath);
});
