import { load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) => {
  const response = await bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
  expect(response.status, path).toBe(200);
  return load(await response.text());
};

test("the largest changes of a series answer a search for what rose or fell, over the span that it names", async () => {
  for (const [text, path] of [
    ["largest rise of deaths in the last quarter", "/series/conflict.fatalities?days=90#latest"],
    [
      "Which ten countries had the largest rise in conflict deaths this quarter compared with the previous quarter?",
      "/series/conflict.fatalities?days=90#latest",
    ],
    [
      "Which maritime chokepoint has lost the most ship traffic over the last four weeks against its usual level",
      "/series/chokepoint.transits?days=30#latest",
    ],
    ["largest rise of resilience", "/series/resilience.score?days=30#latest"],
    ["largest rise of risk", "/series/risk.score?days=30#latest"],
    ["where did inflation rise most", "/series/macro.inflation?days=365#latest"],
    ["which countries' conflict events increased in the last 7 days", "/series/conflict.events?days=7#latest"],
  ] as const) {
    const $ = await page(`/search?q=${encodeURIComponent(text)}`);
    expect(
      $("#answers")
        .parent()
        .find("a")
        .toArray()
        .map((link) => $(link).attr("href")),
      text,
    ).toContain(path);
  }
});

test("a period that no list of changes has is named as ignored", async () => {
  const $ = await page(`/search?q=${encodeURIComponent("largest rise of deaths in the last 2 weeks")}`);
  expect($("main").text()).toContain("Ignored: in the last 2 weeks");
});

test("the changes of a series can be embedded", async () => {
  const $ = await page("/series/conflict.fatalities?days=7&embed=1&block=latest");
  expect($("h2").first().text()).toBe("Largest changes, 7 days");
  expect($("tbody tr").length).toBeGreaterThan(3);
});

test("words between which a question has `or` are searches of their own, because a notice must have all words of one", async () => {
  const text = "open tenders for cybersecurity or network equipment in Poland or Romania worth more than 500,000 euros";
  const $ = await page(`/search?q=${encodeURIComponent(text)}`);
  const answers = $("#answers").parent().find("a").toArray();
  const searches = answers.map((link) => new URLSearchParams($(link).attr("href")?.split("?")[1]));
  expect(searches.map((query) => [query.get("query"), query.get("countries"), query.get("min_value")])).toEqual([
    ["cybersecurity", "PL,RO", "500000"],
    ["network equipment", "PL,RO", "500000"],
    [null, null, null],
  ]);
});

test("a distance from a place is used although more words follow, and words that a guide is about are not called missing", async () => {
  const text = "Which military bases lie within 200 km of the Bab el-Mandeb strait, QGIS layer";
  const $ = await page(`/search?q=${encodeURIComponent(text)}`);
  const [first] = $("#answers").parent().find("a").toArray();
  expect($(first).attr("href")).toMatch(/^\/data\/military-bases\?op=ListMilitaryBases&near=.*within_km=200/);
  expect($("main").text()).not.toContain("No answer filters by it");
  expect($("main").text()).not.toContain("Ignored: qgis");
});

test("sections of the documentation have the address of the running service", async () => {
  const $ = await page(`/search?q=${encodeURIComponent("Embed Ukraine's risk chart in a blog")}`);
  expect($("#documentation").parent().text()).toContain(`<iframe src="${bed.app.url}`);
});
