import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import { codeSamples } from "../../src/pages/reference/code-samples.ts";
import { slugOf } from "../../src/pages/reference/contents.ts";
import { exampleRequest } from "../../src/pages/reference/example-request.ts";
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

const textAt = async (path: string) => (await app.get(path, { key: null })).text();

test("the home page names the languages that an operation page has code for", async () => {
  const operation = catalog.find(({ name }) => name === "ListConflictEvents")!;
  const languages = codeSamples(operation, exampleRequest(operation), app.url).map(({ label }) => label);
  expect(await textAt("/")).toContain(`with code for ${languages.join(", ")}`);
});

test("the documentation says in a sentence how many requests an address may send", async () => {
  expect(await textAt("/docs.md")).toContain("Without a key, you can send 600 requests per minute per IP address.");
});

test("a limit whose lower values mean the default is not said to be set to its least value", async () => {
  const page = await textAt("/docs/list-conflict-events.md");
  const [row = ""] = page.split("\n").filter((line) => line.includes("Maximum number of events"));
  expect(row).toContain("Default 5,000, also for values below 1");
  expect(row).not.toContain("nearest bound");
  expect(
    (await (await app.get("/api/conflict/v1/list-conflict-events?limit=0", { key: null })).json()) as object,
  ).toBeDefined();
});

test.each(catalog.map((operation) => slugOf(operation)))(
  "%s says no default or bound of a parameter twice",
  async (slug) => {
    for (const line of (await textAt(`/docs/${slug}.md`)).split("\n").filter((each) => each.startsWith("|"))) {
      expect([line, (line.match(/\bDefault:? /g) ?? []).length < 2]).toEqual([line, true]);
      expect([line, (line.match(/(\d+) characters/g) ?? []).length < 2]).toEqual([line, true]);
      expect(line).not.toContain("Each value: One of");
    }
  },
);
