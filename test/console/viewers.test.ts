import { type CheerioAPI, load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";
import { signedIn } from "../support/console/signed-in.ts";

const bed = startBed({ environment: { IDS_PUBLIC_PAGES: "enterprise", IDS_TRUSTED_PROXIES: "127.0.0.0/8" } });

const timeout = 60_000;
const html = { Accept: "text/html" };
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  bed.app.get(path, { key: null, headers: { ...html, ...headers } });
const page = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  load(await (await get(path, headers)).text());
const filesOf = ($: CheerioAPI, block: string) =>
  $(`section:has(#${block}) footer a[href^="/export/"]`)
    .toArray()
    .map((link) => $(link).attr("href") ?? "");
const linesOf = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  (await (await get(path, headers)).text()).trim().split("\n").length;

test("who is signed in gets the rows of all pages as a file, the public those of the page that is shown", async () => {
  const { cookie } = await signedIn(bed.app, "/account");
  const all = await linesOf("/export/list-global-tenders?format=csv&page_size=100&all=true", { Cookie: cookie });
  expect(all).toBeGreaterThan(20);
  for (const [headers, lines, words] of [
    [{ Cookie: cookie }, all, "of all pages"],
    [{}, 6, "The rows of this page"],
  ] as const) {
    const $ = await page("/data/global-tenders?page_size=5", headers);
    const links = [$('.downloads a:contains("CSV")').attr("href") ?? "", filesOf($, "rows")[0] ?? ""];
    for (const link of links) expect(await linesOf(link, headers), link).toBe(lines);
    expect($("#downloads").parent().find(".about").text()).toContain(words);
  }
});

test("a block made of several tables and reads has a file of each, one without tables has none", async () => {
  const countries = await page("/countries");
  const files = filesOf(countries, "ranking").filter((path) => path.includes("format=csv"));
  expect(files.map((path) => path.split("?")[0])).toEqual([
    "/export/get-risk-scores",
    "/export/get-resilience-ranking",
    "/export/get-resilience-ranking",
    "/export/list-movers",
  ]);
  const [, ranked, greyedOut] = files;
  expect(await linesOf(ranked ?? "")).not.toBe(await linesOf(greyedOut ?? ""));
  const dataset = await page("/data/risk-scores");
  expect(filesOf(dataset, "freshness").join()).not.toContain("format=csv");
});

test("signed-in users see at least as much", { timeout }, async () => {
  const { cookie } = await signedIn(bed.app, "/account", { plan: "free" });
  for (const path of ["/countries/UA", "/series", "/tenders"]) {
    const [own, everybody] = [await page(path, { Cookie: cookie }), await page(path)];
    const states = ($: CheerioAPI) => $("footer.provenance .state").text();
    expect(states(own), path).toBe(states(everybody));
    expect(own("main").text(), path).not.toContain("Not in this plan");
  }
});

test("keys that a series proposes are there, those that are asked for may not be, and an added one has its address", async () => {
  const { series } = await bed.app.json<{ series: { id: string; keys: number }[] }>("/api/history/v1/list-series");
  for (const { id } of series.filter(({ keys }) => keys > 0)) {
    const $ = await page(`/series/${id}`);
    expect($("main").text(), id).not.toContain("no figure of");
  }
  const moved = await fetch(`${bed.app.url}/series/risk.score?keys=UA&add=Norway`, {
    headers: html,
    redirect: "manual",
  });
  expect([moved.status, moved.headers.get("Location")]).toEqual([
    303,
    expect.stringMatching(/^\/series\/risk\.score\?keys=UA%2CNO&from=/),
  ]);
  const named = await page("/series/risk.score?keys=Ukraine,norway");
  expect(named("#keys").attr("value")).toBe("UA,NO");
});

test("countries of a search of tenders may be named", async () => {
  const [named, coded] = [await page("/tenders?countries=new+zealand"), await page("/tenders?countries=NZ")];
  const found = coded('main a[href="/countries/NZ"]').length;
  expect(found).toBeGreaterThan(0);
  expect(named('main a[href="/countries/NZ"]')).toHaveLength(found);
});

test("only a form is taken as one, and words say why another thing is not", async () => {
  const { own, cookie } = await signedIn(bed.app, "/account");
  for (const type of ["text/plain", "application/json", "multipart/form-data; boundary=x", ""]) {
    const response = await fetch(`${bed.app.url}/account/sign-out`, {
      method: "POST",
      redirect: "manual",
      headers: { ...own, ...html, Cookie: cookie, "Content-Type": type },
      body: Buffer.from("token=x"),
    });
    expect(response.status, type).toBe(415);
    expect(load(await response.text())("h1").text(), type).toBe("This isn't a form");
  }
});

test("a session that ended is called so where one signs in, and a sign-out holds at once", async () => {
  const { cookie, own, view } = await signedIn(bed.app, "/account");
  const token = (await view()).$("[name=token]").attr("value") ?? "";
  const left = await fetch(`${bed.app.url}/account/sign-out`, {
    method: "POST",
    redirect: "manual",
    headers: { ...own, ...html, Cookie: cookie },
    body: new URLSearchParams({ token }),
  });
  expect(left.status).toBe(303);
  const after = await page("/account", { Cookie: cookie });
  expect(after("h1").text()).toBe("Sign in");
  expect(after(".notice").text()).toContain("Your session has ended");
  expect((await page("/account"))(".notice").text()).not.toContain("ended");
});

test("a country is found by any of its names and codes, wherever one is looked for", async () => {
  for (const [text, code] of [
    ["UK", "GB"],
    ["Turkey", "TR"],
    ["turkiye", "TR"],
    ["USA", "US"],
    ["Cote", "CI"],
    ["Côte d’Ivoire", "CI"],
    ["404", "KE"],
    ["holl", "NL"],
  ] as const) {
    const query = new URLSearchParams({ q: text });
    const rows = (await page(`/countries?${query}`))("#countries tbody tr:not([hidden]) th a").toArray();
    expect(
      rows.map(({ attribs }) => attribs.href),
      text,
    ).toContain(`/countries/${code}`);
    expect(
      (await page(`/search?${query}`))(`section:has(> #countries) li > p > a[href="/countries/${code}"]`),
      text,
    ).toHaveLength(1);
  }
  expect((await page("/countries?q=%3F%3F"))("#countries tbody tr:not([hidden])")).toHaveLength(0);
});

test("a country is found first by its whole code, whatever names have the same letters", async () => {
  for (const [text, code] of [
    ["ISL", "IS"],
    ["can", "CA"],
    ["AND", "AD"],
    ["004", "AF"],
    ["UK", "GB"],
  ] as const) {
    const first = (await page(`/search?q=${text}`))("section:has(> #countries) li a").first().attr("href");
    expect(first, text).toBe(`/countries/${code}`);
  }
});

test("a country is the key of a series however it is written", async () => {
  for (const text of ["UA", "ua", "UKR", "ukr", "804", "Ukraine"])
    for (const name of ["keys", "add"]) {
      const $ = await page(`/series/risk.score?${new URLSearchParams({ [name]: text })}`);
      expect($("#keys").attr("value"), `${name}=${text}`).toBe("UA");
    }
  expect((await page("/series/risk.score?keys=gb,turkiye,nowhere"))("#keys").attr("value")).toBe("GB,TR,nowhere");
});
