import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { type Outcome, sendBroken } from "../../support/broken-messages.ts";
import { openOnce } from "../../support/databases.ts";

let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  key = await app.key("operator");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const path = "/ids.infrastructure.v1.InfrastructureService/ReverseGeocode";

test("messages that cannot be read are their sender's fault over every protocol, and are counted", async () => {
  const outcomes = await sendBroken(app.url, key, 400, 1);
  expect(outcomes.filter(isUnexpected)).toEqual([]);
  const codes = new Set(outcomes.map(({ code }) => code));
  expect(codes).toContain("invalid_argument");
  expect(codes).toContain("3");
  const metrics = await (await app.get("/metrics")).text();
  for (const protocol of ["connect", "grpc-web", "grpc"])
    expect(metrics).toMatch(new RegExp(`^ids_malformed_messages_total\\{protocol="${protocol}"\\} [1-9]`, "m"));
});

test.each([
  ["base64 that is none", `${path}?connect=v1&encoding=proto&base64=1&message=***`],
  ["a message that is cut", `${path}?connect=v1&encoding=proto&base64=1&message=CQAA`],
  ["a compressed message that is none", `${path}?connect=v1&encoding=proto&base64=1&compression=gzip&message=AAAA`],
  ["a compressed message that is cut", `${path}?connect=v1&encoding=json&base64=1&compression=gzip&message=H4sIAAAA`],
  ["an unknown encoding", `${path}?connect=v1&encoding=xml&message=x`],
  ["JSON that is none", `${path}?connect=v1&encoding=json&message=%7B`],
])("in a Connect GET, %s is 400 `invalid_argument`", async (_what, query) => {
  const response = await app.get(query);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid_argument", message: expect.stringMatching(/\S/) });
});

test.each(["application/proto", "application/grpc-web+proto"])(
  "a deadline that is over before a cut message of %s is read changes nothing in whose fault it is",
  async (type) => {
    const cut = Buffer.from([0x1d, 0xb2]);
    const body = type === "application/proto" ? cut : Buffer.concat([Buffer.from([0, 0, 0, 0, 2]), cut]);
    const headers = { "Content-Type": type, "Connect-Timeout-Ms": "0", "Grpc-Timeout": "1n", TE: "trailers" };
    const response = await fetch(`${app.url}/ids.conflict.v1.ConflictService/ListConflictEvents`, {
      ...{ method: "POST", headers, body },
    });
    const text = await response.text();
    const status = response.headers.get("grpc-status") ?? /grpc-status: (\d+)/.exec(text)?.[1];
    // Invalid argument, or the deadline itself.
    if (type === "application/proto")
      expect([response.status, text]).toEqual([400, expect.stringContaining("invalid_argument")]);
    else expect(["3", "4"]).toContain(status);
  },
);

test("a write over Connect whose JSON is not UTF-8 is 400 `invalid_argument`, and nothing is done", async () => {
  const create = "/ids.account.v1.AccountService/CreateAccount";
  const headers = { "Content-Type": "application/json" };
  const body = Buffer.from('{"id":"latin","name":"é"}', "latin1");
  const response = await app.get(create, { method: "POST", headers, body, key });
  expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_argument" }]);
  const accounts = await (await app.get("/api/account/v1/list-accounts", { key })).text();
  expect(accounts).not.toContain('"latin"');
});

test("a read over Connect whose JSON is not UTF-8 is 400 `invalid_argument`", async () => {
  const list = "/ids.economic.v1.EconomicService/ListGlobalTenders";
  const headers = { "Content-Type": "application/json" };
  const broken = Buffer.from('{"query":"pérouse"}', "latin1");
  const posted = await app.get(list, { method: "POST", headers, body: broken, key });
  expect([posted.status, await posted.json()]).toMatchObject([400, { code: "invalid_argument" }]);
  const requested = await app.get(`${list}?connect=v1&encoding=json&base64=1&message=${broken.toString("base64url")}`, {
    key,
  });
  expect([requested.status, await requested.json()]).toMatchObject([400, { code: "invalid_argument" }]);
});

test("without a key a message is not looked at", async () => {
  const response = await app.get(`${path}?connect=v1&encoding=proto&base64=1&message=***`, { key: null });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([401, "unauthenticated"]);
});

/** A fault of ours: all but what gRPC's own rules call one, a compressed message without a word on how. */
function isUnexpected({ status, code, sent }: Outcome): boolean {
  const faults = sent.includes("grpc-encoding") ? ["13", "2"] : ["2"];
  return status >= 500 || ["internal", "unknown", ...faults].includes(code);
}

test("a compressed message that grows past the limit is rejected, however small it is sent", async () => {
  const body = gzipSync(" ".repeat(64_000_000));
  expect(body.length).toBeLessThan(100_000);
  const headers = { "X-Service-Key": key, "Content-Type": "application/json", "Content-Encoding": "gzip" };
  const before = process.memoryUsage().rss;
  const response = await fetch(app.url + path, { method: "POST", headers, body });
  expect(await response.json()).toMatchObject({ code: "resource_exhausted" });
  expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
});
