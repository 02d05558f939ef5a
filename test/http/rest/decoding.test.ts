import { afterAll, beforeAll, expect, test } from "vitest";
import { maxJsonItems } from "../../../src/contract/request/request-size.ts";
import { queryFrom } from "../../../src/http/rest/post-as-get.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { processorMs } from "../../support/processor-time.ts";
import { hostileDecodings } from "../hostile-bodies.ts";

/** Ten times what is wanted, for the machine may be busy with other tests. */
const maxMs = 500;
const outages = "/api/infrastructure/v1/list-internet-outages";
const accounts = "/api/account/v1/create-account";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  await app.refresh("internet-outages");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

test("messages and bodies of the largest size are read or refused in no time, whatever their shape", () => {
  const slow: string[] = [];
  for (const { name, run } of hostileDecodings(new Set(["SetScopes", "GetMarketData"]))) {
    let violations = 0;
    let ms = Number.POSITIVE_INFINITY;
    // A collection of the whole heap may fall into one run, hardly into all.
    for (let time = 0; time < 3 && ms > maxMs; time++)
      ms = Math.min(
        ms,
        processorMs(() => {
          violations = violationsOf(run);
        }),
      );
    if (ms > maxMs || violations > 50) slow.push(`${name}: ${Math.round(ms)} ms, ${violations} violations`);
  }
  expect(slow).toEqual([]);
});

test("a list that is longer than its rule allows is reported as one violation", async () => {
  const scopes = Array.from({ length: 9_000 }, () => "");
  const path = "/api/account/v1/set-scopes";
  const body = JSON.stringify({ account: "acme", scopes });
  const response = await app.get(path, { method: "POST", body, key: await app.key("operator") });
  expect([response.status, await response.json()]).toEqual([
    400,
    { violations: [{ field: "scopes", description: "must contain no more than 16 item(s)" }] },
  ]);
});

test("of a comma-separated list no more is read than shows that it is too long", async () => {
  const countries = Array.from({ length: 5_000 }, () => "DE").join(",");
  const path = "/api/economic/v1/get-eu-housing-cycle";
  const response = await app.get(path, { method: "POST", body: JSON.stringify({ countries }) });
  expect([response.status, await response.json()]).toEqual([
    400,
    { violations: [{ field: "countries", description: "must contain no more than 250 item(s)" }] },
  ]);
});

test.each([
  ["members", `{${Array.from({ length: maxJsonItems + 1 }, (_, index) => `"n${index}":0`).join(",")}}`],
  ["elements", `{"a":[${Array.from({ length: maxJsonItems }, () => 0).join(",")}]}`],
  ["levels", `{"a":${"[".repeat(maxJsonItems)}${"]".repeat(maxJsonItems)}}`],
])("a body of more than 10,000 %s is refused before it is parsed", async (_, body) => {
  const posted = await app.get(outages, { method: "POST", body });
  expect([posted.status, await posted.json()]).toEqual([
    400,
    { error: "Too many values for POST compatibility", maxValues: maxJsonItems },
  ]);
  const written = await app.get(accounts, { method: "POST", body, key: await app.key("operator") });
  expect([written.status, await written.json()]).toEqual([
    400,
    { violations: [{ field: "body", description: "must contain at most 10000 values" }] },
  ]);
});

test("content of strings does not count, however they are quoted", () => {
  const text = '\\",[{:'.repeat(9_000);
  expect(new URLSearchParams(queryFrom("", JSON.stringify({ note: text }))).get("note")).toHaveLength(54_000);
});

test("a POST of up to 1 MB is converted, whether its characters stand in one parameter or in several", async () => {
  const parts = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`part${index}`, "y".repeat(60_000)]));
  for (const body of [{ country: "US", x: "a".repeat(100_000) }, parts, { x: "a".repeat(1_048_000) }])
    expect((await app.get(outages, { method: "POST", body: JSON.stringify(body) })).status).toBe(200);
});

function violationsOf(run: () => void): number {
  try {
    run();
    return 0;
  } catch (error) {
    return error instanceof Error && "violations" in error ? (error.violations as readonly unknown[]).length : 0;
  }
}
