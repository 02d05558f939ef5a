import { type CheerioAPI, load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const get = (path: string) => bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
const page = async (path: string): Promise<CheerioAPI> => {
  const response = await get(path);
  expect(response.status, path).toBe(200);
  return load(await response.text());
};

/** The address that a form leads to, as a browser without scripts sends it. */
function sentFrom($: CheerioAPI, form: string): string {
  const pairs = $(form).serializeArray();
  return `?${new URLSearchParams(pairs.map(({ name, value }): [string, string] => [name, value]))}`;
}

test("a map without layers has an address, and is embedded without them", async () => {
  const $ = await page("/");
  expect($(".layers input:checked")).toHaveLength(2);
  $(".layers input:checked").removeAttr("checked");
  const none = await page(`/${sentFrom($, "form.layer-form")}`);
  expect([none(".layers input:checked").length, none("#shade").length]).toEqual([0, 1]);
  const embed = await page(none("#world").parent().find("footer a[href*='embed=1']").attr("href") ?? "");
  expect([embed("svg.world").length, embed(".layers input:checked").length]).toEqual([1, 0]);
  none("#layer-2").attr("checked", "");
  const second = await page(`/${sentFrom(none, "form.layer-form")}`);
  expect(second(".layers input:checked").attr("id")).toBe("layer-2");
});

test("a search that is too long is rejected with the maximum length", async () => {
  for (const length of [401, 404, 3_000]) {
    const $ = await page(`/search?q=${"ukraine ".repeat(400).slice(0, length).replaceAll(" ", "+")}a`);
    expect($("main").text(), `${length}`).toMatch(/Too long\. A search may have at most 400 characters/);
    expect($("main").text(), `${length}`).not.toContain("Nothing found");
  }
  expect((await page(`/search?q=${"x".repeat(400)}`))("main").text()).toContain("Nothing found");
});

test("a country's page is found by whatever the API takes as a country", async () => {
  for (const [named, code] of [
    ["Ukraine", "UA"],
    ["UKRAINE", "UA"],
    ["ua", "UA"],
    ["UKR", "UA"],
    ["804", "UA"],
    ["cote%20d'ivoire", "CI"],
    ["C%C3%B4te%20d%E2%80%99Ivoire", "CI"],
    ["turkey", "TR"],
  ] as const) {
    const moved = await fetch(`${bed.app.url}/countries/${named}?embed=1`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("Location")], named).toEqual([303, `/countries/${code}?embed=1`]);
  }
  expect((await get("/countries/Atlantis")).status).toBe(404);
});

test("pages are found by words of what they hold", async () => {
  for (const [words, path] of [
    ["cite", "/data"],
    ["license", "/data"],
    ["excel", "/data"],
    ["units", "/data"],
    ["coverage", "/data"],
    ["missing", "/status"],
    ["delete", "/about"],
    ["key", "/account"],
    ["closure+cost", "/chokepoints"],
    ["closure+cost", "/chokepoints/hormuz_strait"],
    ["hormuz+oil", "/chokepoints/hormuz_strait"],
    ["gas+germany", "/series/gas.country_fill?keys=DE"],
    ["Germany+gas", "/countries/DE"],
    ["risk+saudi+arabia", "/series/risk.score?keys=SA"],
    ["travel+advice", "/data/risk-scores"],
    ["exports+germany", "/series/trade.exports?keys=276"],
    ["us+tariff", "/series/tariff.rate?keys=840"],
    ["rare+earths", "/data/supply-vulnerability?op=ListVulnerabilityRankings&commodity_id=ree#rows"],
    ["transits+suez", "/series/chokepoint.disruption?keys=suez"],
    ["transits+suez", "/chokepoints/suez"],
    ["japan+oil+hormuz", "/countries/JP"],
    ["japan+oil+hormuz", "/chokepoints/hormuz_strait"],
    ["japan+oil+hormuz", "/chokepoints/hormuz_strait?commodity_id=crude_oil&country_code=JP#dependencies"],
    ["ukraine", "/countries/UA/brief"],
  ] as const)
    expect((await page(`/search?q=${words}`))(`main a[href="${path}"]`).length, words).toBe(1);
});

test("a page that does not exist suggests the most similar page of this service, and at most one", async () => {
  const suggested = async (path: string) => {
    const response = await bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
    const $ = load(await response.text());
    const links = $("main p:contains('Did you mean') a").toArray();
    return [response.status, ...links.map((link) => $(link).attr("href"))];
  };
  for (const [path, similar] of [
    ["/country/SD", "/countries/SD"],
    ["/country/sudan", "/countries/SD"],
    ["/data/conflict", "/data/conflict-events"],
    ["/data/internet-outage", "/data/internet-outages"],
    ["/dataset", "/data"],
    ["/series/risk.scores", "/series/risk.score"],
    ["/chokepoints/hormuz", "/chokepoints/hormuz_strait"],
    ["/docs/list-conflict-event", "/docs/list-conflict-events"],
  ] as const) {
    expect(await suggested(path), path).toEqual([404, similar]);
    expect((await bed.app.get(similar, { key: null, headers: { Accept: "text/html" } })).status).toBe(200);
  }
  for (const path of ["/wp-login.php", "/countries/Atlantis", "/data/x", "//example.org", "/docs/x"])
    expect(await suggested(path), path).toEqual([404]);
  expect((await bed.app.get("/api/conflict/v1/list-conflict-event")).status).toBe(404);
});
