import { load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());

test("a brief has the key figures of the API, the charts, and the names of its sources", async () => {
  const $ = await page("/countries/UA/brief");
  const brief = await bed.app.json<{
    conflict: { events: number; fatalities: number };
    macro: { prices: { inflationPct: number } };
  }>("/api/country/v1/get-country-brief?country_code=UA");
  const figures = new Map(
    $("dl.figures > div")
      .toArray()
      .map((each) => [$(each).find("dt").text(), $(each).find("dd").text()]),
  );
  expect(figures.get("Conflict events, 30 days")).toBe(String(brief.conflict.events));
  expect(figures.get("Reported deaths, 30 days")).toBe(String(brief.conflict.fatalities));
  expect(figures.get("Inflation")).toContain(`${brief.macro.prices.inflationPct}%`);
  expect($("svg.chart, figure.chart svg").length).toBeGreaterThanOrEqual(2);
  expect($("main footer").text()).toMatch(/Sources: .*UCDP/);
  expect($("main").text()).toContain("all values are invented");
});

test("a brief under another name of the country moves to its code, and an unknown country is a 404", async () => {
  const moved = await fetch(`${bed.app.url}/countries/Ukraine/brief`, { redirect: "manual" });
  expect([moved.status, moved.headers.get("Location")]).toEqual([303, "/countries/UA/brief"]);
  expect((await bed.app.get("/countries/Atlantis/brief", { key: null })).status).toBe(404);
});

test("up to four countries are compared with the values of the API, and unknown values are dashes", async () => {
  const $ = await page("/compare?country=UA&country=Poland&country=TV&country=SA&country=FR");
  const heads = $("#figures ~ .wide th[scope=col], section:has(#figures) th[scope=col]").toArray();
  expect(new Set(heads.map((head) => $(head).text()))).toEqual(
    new Set(["Figure", "Ukraine", "Poland", "Tuvalu", "Saudi Arabia"]),
  );
  const row = $("section:has(#figures) tr:contains('Risk, 0 to 100')");
  const { ciiScores } = await bed.app.json<{ ciiScores: readonly { region: string; combinedScore: number }[] }>(
    "/api/intelligence/v1/get-risk-scores",
  );
  const scores = new Map(ciiScores.map(({ region, combinedScore }) => [region, combinedScore]));
  const cells = row
    .find("td")
    .toArray()
    .map((cell) => $(cell).text());
  expect(cells.slice(0, 2)).toEqual(["UA", "PL"].map((code) => `${scores.get(code)} 2 of 4 components`));
  expect(cells[2]).toMatch(/^–/);
  expect($("main").text()).toContain("Not covered: Tuvalu");
});

test("a comparison says which names are not countries, and without a choice shows only the form", async () => {
  const wrong = await page("/compare?country=Atlantis&country=UA");
  expect(wrong("[role=alert]").text()).toBe("Not a country: Atlantis");
  expect(wrong("section:has(#figures) th[scope=col]").length).toBe(2);
  const none = await page("/compare");
  expect([none("main table").length, none("main form select").length]).toEqual([0, 4]);
});
