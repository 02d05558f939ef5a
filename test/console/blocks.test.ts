import { load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());

test("what is no code of a country is called so, with the country that may be meant, one by one in a list", async () => {
  const hints = async (query: string) => {
    const $ = await page(query);
    const found = $("#rows").parent().find(".nothing");
    return found
      .find("p")
      .toArray()
      .map((each) => [$(each).text().trim(), $(each).find("a").attr("href")]);
  };
  const meantUK = "UK is not a country code. Did you mean GB (United Kingdom)?";
  expect(await hints("/data/conflict-events?country=UK")).toEqual([[meantUK, "/data/conflict-events?country=GB"]]);
  expect(await hints("/data/conflict-events?country=ZZ")).toEqual([["ZZ is not a country code.", undefined]]);
  expect(await hints("/data/internet-outages?country=uk")).toEqual([
    [meantUK.replace("UK", "uk"), "/data/internet-outages?country=GB"],
  ]);
  expect(await hints("/data/global-tenders?countries=UK,de,ZZ&query=zzzz")).toEqual([
    [meantUK, "/data/global-tenders?countries=GB%2Cde%2CZZ&query=zzzz"],
    ["ZZ is not a country code.", undefined],
  ]);
  expect((await page("/data/conflict-events?country=AX"))(".nothing").text()).toContain("an answer of the data");
});

test("how far a score is to be trusted stands beside it, in the words of the ranking", async () => {
  const ranking = await page("/countries");
  for (const code of ["YE", "KP", "TW", "UA"]) {
    const note = ranking(`#countries tr:has(a[href="/countries/${code}"]) [data-label=Level]`).text();
    expect((await page(`/countries/${code}`))("dl.figures small").first().text(), code).toBe(note);
  }
});

test("the files of open tenders have all rows that are counted, as far as one page goes", async () => {
  for (const code of ["UA", "US"]) {
    const $ = await page(`/countries/${code}`);
    const block = $("#tenders").parent();
    const counted = Number.parseInt(block.find(".content").text().replace(/\D+/, ""), 10);
    const fileOf = async (format: string) =>
      (await bed.app.get(block.find(`footer a[href*="format=${format}"]`).attr("href") ?? "", { key: null })).text();
    expect((await fileOf("csv")).trim().split("\n").length - 1, code).toBe(counted);
    expect(JSON.parse(await fileOf("json")).tenders, code).toHaveLength(counted);
  }
});

test("a list that is paged leads on, and back to its first page", async () => {
  for (const path of ["/tenders?page_size=5&query=road", "/data/global-tenders?page_size=5"]) {
    const first = await page(path);
    expect(first('nav a:contains("First")'), path).toHaveLength(0);
    const second = await page(first("a[rel=next]").attr("href") ?? "");
    expect(second('nav a:contains("First")').attr("href"), path).toBe(path);
  }
});

test("a search that is refused is no alert to be saved, and its field is marked", async () => {
  const $ = await page("/tenders?query=road&min_value=abc");
  expect([$("main").text().includes("Save this search"), $("#filter-min_value").attr("aria-invalid")]).toEqual([
    false,
    "true",
  ]);
});

test("who is not signed in reads what alerts are", async () => {
  expect((await page("/alerts"))("main .top").text()).toContain("a rule says what to look for");
});
