import { load } from "cheerio";
import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";
import { signedIn } from "../support/console/signed-in.ts";

const bed = startBed({ environment: { IDS_PUBLIC_PAGES: "enterprise", IDS_TRUSTED_PROXIES: "127.0.0.0/8" } });
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());

test("a filter that is not understood is named by its label, marked, and shown where it was folded", async () => {
  const $ = await page("/data/conflict-events?min_fatalities=abc");
  expect($("#rows").parent().find("[role=alert]").text()).toContain("Fatalities, at least: value must be an integer");
  const input = $("#filter-min_fatalities");
  expect([input.attr("aria-invalid"), input.attr("value")]).toEqual(["true", "abc"]);
  expect($(`#${input.attr("aria-describedby")}`).text()).toContain("value must be an integer");
  expect(input.closest("details").attr("open")).toBeDefined();
});

test("rows of a country code that does not exist are a wrong request without files", async () => {
  for (const [path, code] of [
    ["/data/conflict-events?country=XX", "XX"],
    ["/data/internet-outages?country=QQ", "QQ"],
    ["/data/military-bases?country=ZZ", "ZZ"],
  ] as const) {
    const $ = await page(path);
    const rows = $("#rows").parent();
    expect(rows.text(), path).toMatch(new RegExp(`${code} is not a country code|value must be`));
    expect(rows.find("footer .state").text(), path).toBe("Wrong request");
    expect([$("#downloads").length, rows.find("footer a[href^='/export/']").length], path).toEqual([0, 0]);
  }
  expect((await page("/data/conflict-events?country=IS"))("#downloads")).toHaveLength(1);
});

test("a page of a list that is no longer there leads to its first one, with the same search", async () => {
  const $ = await page("/tenders?country=FR&cursor=gone");
  expect($(".nothing").text()).toContain("Wrong request.");
  expect($('.nothing a[href="/tenders?country=FR"]').text()).toBe("From the first page");
  expect((await page("/tenders?country=XX1"))(".nothing a")).toHaveLength(0);
});

test("an address that a mail program has encoded leads to its page", async () => {
  for (const [path, status] of [
    ["/countries/U%41", 200],
    ["/series/risk%2Escore", 200],
    ["/data/conflict%2Devents", 200],
    ["/chokepoints/sue%7A", 200],
    ["/countries/%ZZ", 404],
  ] as const)
    expect((await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).status, path).toBe(status);
});

test("an invalid key is reported at its field, which receives the focus", async () => {
  const $ = await page("/account?failed=1");
  expect([$("#key").attr("aria-invalid"), $(`#${$("#key").attr("aria-describedby")}`).text()]).toEqual([
    "true",
    "This key is not valid here.",
  ]);
  expect($("[role=alert][autofocus]").text()).toContain("This key is not valid here.");
});

test("a form of another session leads back to its page", async () => {
  const { change } = await signedIn(bed.app, "/account");
  const { status, $ } = await change({ action: "create-key", name: "x", token: "another" });
  expect([status, $('main a[href="/account"]').text()]).toEqual([403, "Open the page again"]);
});

test("the plans page says whom to ask for a price, and what pages show without a key", async () => {
  const closed = await page("/plans");
  expect(closed("main").text()).toContain("has not published a contact either");
  expect(closed("main").text()).toContain("the data of the plan Enterprise, with all of their history");
  expect(closed('main a:contains("Ask the operator")')).toHaveLength(0);
  await using app = await startApp(bed.database, {
    environment: { IDS_OPERATOR_CONTACT: "desk@acme.example", IDS_PUBLIC_PAGES: "none" },
  });
  const plans = load(await (await app.get("/plans", { key: null, headers: { Accept: "text/html" } })).text());
  expect(plans('main a:contains("Ask the operator")').attr("href")).toBe("/about#who-runs-this");
  expect(plans("main").text()).not.toContain("every visitor");
});

test.each([
  ["/?since=yesterday", "since: value must be a day"],
  ["/?until=2026-02-31", "until: value must be a day"],
  ["/countries/UA?since=2026-03-02&until=2026-03-01", "until: value must not be before since"],
  ["/data/conflict-events?since=1", "since: value must be a day"],
])("the page %s names the field of a wrong day", async (path, text) => {
  const response = await bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
  expect([response.status, load(await response.text())("main").text()]).toEqual([400, expect.stringContaining(text)]);
});

test("the map of rows in one country shows that country, and else the world", async () => {
  const size = async (path: string) => (await page(path))("svg.world").attr("viewBox");
  expect(await size("/data/conflict-events?country=SD")).toBe("0 0 840 460");
  expect(await size("/data/conflict-events")).toBe("0 0 2000 932");
});

test("counts of one are in the singular, changes name their period, and the legend says what risk covers", async () => {
  const one = await page("/tenders?query=cyber&countries=FR,DE");
  expect(one("#results").text()).toMatch(/^(1 open notice|[02-9]\d* open notices)$/);
  const none = await page("/tenders?query=nothing-of-this-name");
  expect(none("#results").text()).toBe("0 open notices");
  expect((await page("/countries"))("#countries thead").text()).toContain("30-day change");
  expect((await page("/?shade=risk"))(".scale").text()).toContain("Covers 31 of 250 countries");
  expect((await page("/"))(".scale").text()).toMatch(/Covers \d+ of 250 countries/);
  expect((await page("/series/risk.score"))("main").text()).toContain("Covers 31 countries.");
});
