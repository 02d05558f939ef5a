import { afterAll, beforeAll, expect, test } from "vitest";
import { indicators } from "../../../src/domains/resilience/method/indicators.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

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

test("the methodology's page names every indicator with its scale, and those without a source with the reason", async () => {
  const page = await (await app.get("/methodology", { key: null })).text();
  const [before = "", without = ""] = page.split("Indicators without a source");
  const reasons = without.split("<h2>")[0] ?? "";
  for (const { id, missing } of Object.values(indicators).flat()) {
    expect(before).toContain(id);
    if (missing === undefined) continue;
    expect(reasons).toContain(id);
    expect(reasons).toContain(missing);
  }
  expect(page).toContain("govRevenuePct");
  expect(page).toContain("GGR_G01_GDP_PT");
  expect(page).toContain("5 → 0, 45 → 100");
});
