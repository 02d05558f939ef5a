import { load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());

test("of what is no code of a country it is said so, and no zero", async () => {
  const $ = await page("/data/conflict-events?country=UK");
  const said = $("#rows").parent().find(".nothing");
  expect(said.text()).toBe("UK is no code of a country. Perhaps United Kingdom (GB) is meant.");
  expect(said.find("a").attr("href")).toBe("/data/conflict-events?country=GB");
  expect((await page("/data/conflict-events?country=ZZ"))(".nothing").text()).toBe("ZZ is no code of a country. ");
  expect((await page("/data/conflict-events?country=AX"))(".nothing").text()).toContain("an answer of the data");
});

test("how far a score is to be trusted stands beside it, in the words of the ranking", async () => {
  const ranking = await page("/countries");
  for (const code of ["YE", "KP", "TW", "UA"]) {
    const note = ranking(`#countries tr:has(a[href="/countries/${code}"]) [data-label=Level]`).text();
    expect((await page(`/countries/${code}`))("dl.figures small").first().text(), code).toBe(note);
  }
});

test("the files of open tenders have all rows that are counted", async () => {
  const $ = await page("/countries/UA");
  const block = $("#tenders").parent();
  const file = block.find('footer a[href*="format=csv"]').attr("href") ?? "";
  const lines = (await (await bed.app.get(file, { key: null })).text()).trim().split("\n");
  expect(lines.length - 1).toBe(Number.parseInt(block.find(".content").text().replace(/\D+/, ""), 10));
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
