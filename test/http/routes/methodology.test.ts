import { load } from "cheerio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rule } from "../../../src/domains/conflict/merge.ts";
import { additions, components } from "../../../src/domains/intelligence/risk/risk-method.ts";
import { indicators } from "../../../src/domains/resilience/method/indicators.ts";
import { rules } from "../../../src/domains/resilience/method/structure.ts";
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
  const reasons = without.split("<h3>")[0] ?? "";
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

test("the methodology's page says how a trend comes about, with the limits that make it", async () => {
  const $ = load(await (await app.get("/methodology", { key: null })).text());
  const [trend, text = ""] = $("tr:has(td:contains('slope')) td")
    .toArray()
    .map((cell) => $(cell).text());
  const { slope, minPoints } = rules.trend;
  expect(trend).toBe("Trend");
  for (const part of [`above ${slope} is rising`, `fewer than ${minPoints} scores`, `the ${rules.historyDays} days`])
    expect(text).toContain(part);
  expect(text).toContain("slope = Σ((i − (n − 1) / 2) × (s − mean of s)) / Σ((i − (n − 1) / 2)²)");
});

test("the methodology's page says in words what risk is made of: every part with its share, and what is not read", async () => {
  const $ = load(await (await app.get("/methodology", { key: null })).text());
  expect($("h2#risk").text()).toBe("Risk score");
  const words = $("h2#risk").nextUntil(".fold").text();
  expect(words).toContain("a constant of each country, counts 40%");
  expect(words).toContain("unrest (25% of it), conflict (30% of it)");
  const [made, terms, floors, read] = $("h2#risk ~ .fold > div > :is(.wide, .shortened)").toArray();
  const rows = (table: typeof made) =>
    $(table)
      .find("tbody tr")
      .toArray()
      .map((row) =>
        $(row)
          .find("td")
          .toArray()
          .map((cell) => $(cell).text()),
      );
  expect(rows(made)).toContainEqual([
    "Conflict",
    "18%",
    expect.stringContaining("intensity, deaths"),
    "geoConvergence",
  ]);
  expect(rows(terms).map(([, term]) => term)).toEqual(
    [...components.flatMap((component) => component.terms), ...additions].map(({ name }) => name),
  );
  expect(rows(floors)).toContainEqual(["War", expect.stringContaining("1000 deaths"), "70"]);
  expect(rows(read)).toContainEqual(["newsScore", "News score", "none is built in", "counts as 0"]);
  const spans = "sum of today and the 7 days before, plus 0.4 × the sum of the days 8 to 30 before, in UTC days";
  expect(rows(read)).toContainEqual(["battles", "Battles", "acled", spans]);
  expect(rows(read)).toContainEqual([
    "majorQuakes",
    "Major quakes",
    "usgs-earthquakes",
    "sum of today and the 7 days before, in UTC days",
  ]);
});

test("the methodology's page has the rule of matching reports, its measured accuracy, and its errors", async () => {
  const $ = load(await (await app.get("/methodology", { key: null })).text());
  const section = $("h2#matching").nextAll().text();
  for (const part of [rule, "0.4 × days apart / 5", "98.8%", "Two events become one", "remains two"])
    expect(section).toContain(part);
});
