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

test("the status of tenders is chosen from those known, and another of the address stays chosen", async () => {
  const options = async (path: string) =>
    (await page(path))("select#filter-status option")
      .toArray()
      .map(({ attribs }) => [attribs.value, "selected" in attribs]);
  const known = ["open", "active", "published"];
  const unchosen = ["", ...known].map((value) => [value, false]);
  expect(await options("/tenders")).toEqual(unchosen);
  expect(await options("/tenders?status=tender")).toEqual([...unchosen, ["tender", true]]);
});
