import { load } from "cheerio";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database, { environment: { IDS_PUBLIC_PAGES: "enterprise" } });
}, 60_000);
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

async function page(path: string) {
  return load(await (await app.get(path, { key: null, headers: { Accept: "text/html" } })).text());
}

test("the search of tenders proposes the statuses that are known, and takes others", async () => {
  const $ = await page("/tenders?status=tender");
  const status = $("input#filter-status");
  expect(status.attr("value")).toBe("tender");
  const proposed = $(`datalist#${status.attr("list")} option`).toArray();
  expect(proposed.map(({ attribs }) => attribs.value)).toEqual(["open", "active", "published"]);
});

test("a value of the address that a list does not know stays chosen", async () => {
  const $ = await page("/tenders?sort=other");
  expect($("select#filter-sort option[selected]").attr("value")).toBe("other");
});
