import { load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());

test("the page of a country shows its risk score as a sum that adds up", async () => {
  const { combinedScore, baselineWeight, staticBaseline } = await bed.app.json<Record<string, number>>(
    "/api/intelligence/v1/get-risk-score-explanation?region=UA",
  );
  const baseline = Math.round((baselineWeight ?? 0) * (staticBaseline ?? 0));
  const { ciiScores } = await bed.app.json<{ ciiScores: { region: string }[] }>("/api/intelligence/v1/get-risk-scores");
  for (const code of ["UA", ...ciiScores.slice(0, 8).map(({ region }) => region)]) {
    const risk = (await page(`/countries/${code}`))("section:has(> #risk)");
    const [text = "", score, parts = ""] = /(\d+) = ((?:[a-z ]+ \d+(?: [+−] )?)+)/.exec(risk.find("p").text()) ?? [];
    const values = [...parts.matchAll(/(− )?[a-z][a-z ]* (?:\d+ and rounding )?(\d+)/g)];
    const sum = values.reduce((total, [, minus, value]) => total + Number(value) * (minus ? -1 : 1), 0);
    expect(text, code).not.toBe("");
    expect([text, sum], code).toEqual([text, Number(score)]);
    if (code !== "UA") continue;
    expect(Number(score)).toBe(combinedScore);
    expect(parts).toContain(`baseline ${baseline}`);
    expect(risk.find("a:contains('Inputs of the sum')").attr("href")).toContain("op=GetRiskScoreExplanation");
  }
});

test("a series whose keys have several parts says how many countries it covers", async () => {
  const { series } = await bed.app.json<{ series: { id: string; keys: number; firstParts: number }[] }>(
    "/api/history/v1/list-series",
  );
  const [whole, parts] = ["risk.score", "risk.contribution"].map((id) => series.find((each) => each.id === id));
  expect(parts?.firstParts).toBe(whole?.keys);
  expect(whole?.firstParts).toBe(whole?.keys);
  expect((await page("/series/risk.contribution"))("main").text()).toContain(`Covers ${parts?.firstParts} countries.`);
});

test("the menu of a chart names the publisher of each source", async () => {
  const { sources } = await bed.app.json<{ sources: { name: string; license: { publisher: string } }[] }>(
    "/api/catalog/v1/list-sources",
  );
  const publisher = sources.find(({ name }) => name === "imf-weo")?.license.publisher;
  const menu = (await page("/series/macro.inflation?keys=FR"))(".chart-menu");
  expect(menu.attr("data-sources")).toBe(`${publisher} (imf-weo)`);
});

test("the page of a chokepoint says that its threat level is set manually, and when it was reviewed", async () => {
  const [, reviewed] = /last reviewed on ([^.]+)\./.exec((await page("/chokepoints"))("main").text()) ?? [];
  expect(reviewed).toMatch(/\d{4}/);
  expect((await page("/chokepoints/suez"))(".lead").text()).toContain(
    `set manually, last reviewed on ${reviewed} (8 months ago).`,
  );
});

test("the same score has the same sources on every page", async () => {
  const sourcesOf = async (path: string, block: string) => {
    const $ = await page(path);
    return $(`section:has(> #${block}) .provenance details:contains("licenses")`)
      .first()
      .find("li > code")
      .toArray()
      .map((each) => $(each).text())
      .sort();
  };
  const ofCountry = await sourcesOf("/countries/UA", "risk");
  expect(ofCountry).toContain("ucdp");
  expect(await sourcesOf("/", "movers")).toEqual(ofCountry);
  expect(await sourcesOf("/series/risk.score?keys=UA", "chart")).toEqual(ofCountry);
  expect(await sourcesOf("/compare?country=UA&country=PL", "risk-score")).toEqual(ofCountry);
});
