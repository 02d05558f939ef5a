import { afterAll, beforeAll, expect, test } from "vitest";
import * as upstreamErrors from "../../src/egress/upstream-error.ts";
import { errorCode, errorKinds } from "../../src/error-kinds.ts";
import * as errors from "../../src/errors.ts";
import * as httpErrors from "../../src/http/errors.ts";
import * as projectionErrors from "../../src/projection/projection-errors.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** Callers never see these codes. They occur at startup, in commands, or in stored data, or are translated first. */
const unreported = [
  ...[
    "ServiceError",
    "ConfigurationError",
    "UnusableBackup",
    "SecretUnreadable",
    "ProjectionFailed",
    "InvalidExpression",
  ],
];

test("every failure that a caller can receive has its entry", () => {
  const classes = Object.entries({ ...errors, ...httpErrors, ...projectionErrors, ...upstreamErrors }).filter(
    ([name, value]) => typeof value === "function" && value.prototype instanceof Error && !unreported.includes(name),
  );
  expect(classes.length).toBeGreaterThan(25);
  const named = classes.map(([, value]) => errorCode(Object.create(value.prototype)));
  expect(new Set([...named, "internal"])).toEqual(new Set(Object.keys(errorKinds)));
});

test("a refusal leads to its entry, on a page for people and its twin in Markdown", async () => {
  const page = await (await app.get("/docs/errors", { key: null })).text();
  const markdown = await (await app.get("/docs/errors.md", { key: null })).text();
  const call = "/ids.infrastructure.v1.InfrastructureService/GetIpGeo";
  const posted = (path: string, type: string, body: string) =>
    app.get(path, { method: "POST", headers: { "Content-Type": type }, body });
  const scopeless = await app.key("enterprise");
  const rejections = [
    [await posted(call, "text/plain", "x"), "media-type-refused"],
    [await posted(call, "application/json", "{"), "invalid-body"],
    [await app.get(`${call}?encoding=xml&message=x&connect=v1`), "invalid-request"],
    [await posted("/mcp", "application/json", "{}"), "invalid-body"],
    [await app.get("/api/infrastructure/v1/list-internet-outages?country=1"), "invalid-request"],
    [await app.get("/api/infrastructure/v1/list-internet-outages", { key: null }), "not-authenticated"],
    [await app.get("/api/company-monitoring/v1/list-monitored-companies", { key: scopeless }), "not-entitled"],
    [await app.get("/api/conflict/v1/list-conflict-events"), "nothing-to-serve"],
    [await app.get("/api/infrastructure/v1/no-such-operation"), "route-not-found"],
    [await app.get("/api/infrastructure/v1/list-internet-outages", { method: "DELETE" }), "verb-not-allowed"],
  ] as const;
  for (const [response, code] of rejections) {
    expect(response.headers.get("link"), code).toBe(`</docs/errors#${code}>; rel="help"`);
    expect(page).toContain(`id="${code}"`);
    expect(markdown).toContain(`## ${code}`);
  }
});
