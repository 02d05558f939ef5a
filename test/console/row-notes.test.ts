import { load } from "cheerio";
import { expect, test } from "vitest";
import { dayText } from "../../src/console/view/times.ts";
import { testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());
const rowsOf = async (path: string) => (await page(path))("section:has(> #rows)");

test("a list names the filter that has no effect on it", async () => {
  const rows = await rowsOf("/data/trade-tariffs?partner_country=156");
  expect(rows.find(".notice").text()).toBe("“Partner country” has no effect: only tariffs on all partners are held.");
  expect((await rowsOf("/data/trade-tariffs?reporting_country=840")).find(".notice")).toHaveLength(0);
  const backwards = await rowsOf("/data/conflict-events?start=2026-11-20&end=2026-11-01");
  expect(backwards.find(".notice").text()).toContain("Start must not be after end.");
});

test("a company of which no record is held is not covered, and not an empty row", async () => {
  const rows = await rowsOf("/data/company-news?name=TSMC");
  expect(rows.find(".nothing").text()).toContain("Not covered. This service holds no record with name “TSMC”.");
  expect(rows.find(".nothing").text()).toContain("Exact name in the SEC register");
  expect([rows.find("footer .state").text(), rows.find("tbody").length]).toEqual(["Not covered", 0]);
  expect(rows.text()).not.toContain("Unavailable");
  const mentions = await rowsOf("/data/company-news?name=TSMC&rows=newsMentions");
  expect(mentions.find(".nothing").text()).toContain("Not covered.");
  const known = await rowsOf("/data/company-news?ticker=FJLV");
  expect([known.find(".nothing").length, known.find(".facts-list, tbody").length > 0]).toEqual([0, true]);
});

test("a list without rows of a country says that this does not prove a zero, or that it is not covered", async () => {
  for (const [path, state, text] of [
    [
      "supply-buffers?commodity_id=crude_oil&country_code=IN",
      "No values",
      /The dataset has \d+ rows of India, but none with/,
    ],
    ["supply-buffers?country_code=AQ", "No values", /No row of Antarctica is held, which does not prove/],
    ["internet-outages?country=AQ", "No values", /No row of Antarctica is held, which does not prove/],
    ["risk-scores?region=SD", "Not covered", /The dataset does not cover Sudan, so its values are unknown, and not 0/],
  ] as const) {
    const rows = await rowsOf(`/data/${path}`);
    expect(rows.find(".nothing").text(), path).toMatch(text);
    expect(rows.text(), path).not.toContain("a result of the data");
    expect(rows.find("footer .state").text(), path).toBe(state);
  }
});

test("a list of events says from when on its rows are held", async () => {
  for (const [name, path] of [
    ["conflict-events", "/api/conflict/v1/list-conflict-events"],
    ["internet-outages", "/api/infrastructure/v1/list-internet-outages"],
  ] as const) {
    const { heldFrom, heldTo } = await bed.app.json<{ heldFrom: number; heldTo?: number }>(path);
    const [day, others] =
      heldTo === undefined
        ? [dayText(heldFrom), "Earlier ones are unknown"]
        : [`${dayText(heldFrom)} to ${dayText(heldTo)}`, "Earlier and later ones are unknown"];
    expect((await rowsOf(`/data/${name}`)).text()).toContain(`Rows are held from ${day}. ${others}.`);
    const early = await rowsOf(`/data/${name}?start=2020-01-01`);
    expect(early.find(".notice").text()).toContain(`Rows are held from ${day}. ${others}, and not 0.`);
  }
});

test("an outage without an end says for how long it is ongoing", async () => {
  const path = "/api/infrastructure/v1/list-internet-outages?ongoing=true";
  const { outages } = await bed.app.json<{ outages: { detectedAt: number }[] }>(path);
  const hours = outages.map(({ detectedAt }) => Math.trunc((testTime.getTime() - detectedAt) / 3_600_000));
  expect(hours.length).toBeGreaterThan(0);
  const rows = await rowsOf("/data/internet-outages?ongoing=true");
  const cells = rows.find("td[data-label='Ended at']").toArray();
  expect(cells.map((cell) => cell.children.map((child) => ("data" in child ? child.data : "")).join(""))).toEqual(
    hours.map((all) => {
      const days = Math.trunc(all / 24);
      const texts = [days > 0 && `${days} ${days === 1 ? "day" : "days"}`, all % 24 > 0 && `${all % 24} h`];
      return expect.stringContaining(["ongoing for", ...texts.filter(Boolean)].join(" "));
    }),
  );
  const ended = await rowsOf("/data/internet-outages?ongoing=false");
  expect(ended.text()).not.toContain("ongoing for");
});

test("the macroeconomic values do not promise debt, which no column has", async () => {
  const $ = await page("/data/country-macro");
  expect($(".lead").text()).toContain("prices, growth, labor, and external balance");
  expect($("main").text()).not.toMatch(/\bdebt\b/);
});

test("counts that lack earlier rows lead to the longer series, as the rows do", async () => {
  const counts = (await page("/data/conflict-events?start=2020-01-01&by=month"))("section:has(> #counts)");
  for (const part of ["figcaption", "p:contains('Total:')"])
    expect(counts.find(part).find("a[href='/series/conflict.events']").text(), part).toBe("conflict events");
  const buffers = (await page("/data/conflict-events?by=month"))("section:has(> #counts) p:contains('Total:')");
  expect(buffers.text()).toMatch(/see the series|groups?\. The share is of all rows\.$/);
});

test("a message that names a series of the API is a link to the page of the series", async () => {
  const $ = await page("/data/eu-gas-storage?country=DE");
  const links = $("#filter-country-problem a, .nothing a[href^='/series/']");
  expect(links.toArray().map((link) => $(link).attr("href"))).toEqual([
    "/series/gas.country_fill?keys=DE",
    "/series/gas.country_fill?keys=DE",
  ]);
  expect(links.first().text()).toBe("the series “Gas storage by country” of Germany");
  expect($("main section:first").text()).not.toContain("get-series?");
});

test("a list in a cell names its first items with their shares, and shows no flags", async () => {
  interface Stage {
    readonly countries: readonly { readonly country: string; readonly share?: number }[];
  }
  const { commodities } = await bed.app.json<{ commodities: { commodity: string; mine: Stage }[] }>(
    "/api/supply-chain/v1/get-mineral-production",
  );
  const [first] = commodities;
  const [largest] = first?.mine.countries ?? [];
  const rows = await rowsOf("/data/mineral-production?rows=commodities");
  const cell = rows.find("td[data-label='Mine: Countries']").first().text();
  expect(cell).toContain(`${largest?.country} ${Math.round((largest?.share ?? 0) * 100) / 100}%, `);
  expect(cell).toContain(`and ${(first?.mine.countries.length ?? 0) - 3} more`);
  expect(rows.text()).not.toMatch(/\b(?:true|false)\b/);
});
