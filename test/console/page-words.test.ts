import { load } from "cheerio";
import { expect, test } from "vitest";
import { dayMs } from "../../src/reference/duration.ts";
import { startApp, testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();

async function page(path: string) {
  return load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());
}

test("the search of tenders lists the statuses of the contract, and keeps another one of the address", async () => {
  const $ = await page("/tenders?status=tender");
  const listed = $("select#filter-status option").toArray();
  expect(listed.map(({ attribs }) => attribs.value)).toEqual(["", "open", "active", "published", "tender"]);
  expect($("select#filter-status option[selected]").attr("value")).toBe("tender");
});

test("a value of the address that a list does not know stays chosen", async () => {
  const $ = await page("/tenders?sort=other");
  expect($("select#filter-sort option[selected]").attr("value")).toBe("other");
});

test("the page of a chokepoint lists the largest shares first, crude oil at the top, and says that they are modeled", async () => {
  for (const id of ["hormuz_strait", "suez", "malacca_strait"]) {
    const $ = await page(`/chokepoints/${id}`);
    const cells = (label: string) =>
      $(`section:has(#dependencies) td[data-label="${label}"]`)
        .toArray()
        .map((cell) => $(cell).text());
    const shares = cells("Transit share").map((text) => Number.parseFloat(text));
    expect(shares.length, id).toBe(10);
    expect(shares, id).toEqual(shares.toSorted((a, b) => b - a));
    for (const text of cells("Share basis")) expect(["Flow weighted", "Country route fallback"], id).toContain(text);
    expect($("main").text(), id).toContain("Shares are modeled, not measured");
    if (id === "hormuz_strait") expect(cells("Commodity").slice(0, 5).join()).toContain("Crude oil");
  }
});

test("the page of a chokepoint has one row for a country and chapter, and leads to all rows", async () => {
  const $ = await page("/chokepoints/hormuz_strait");
  const rows = $("section:has(#dependencies) tbody tr").toArray();
  const keyOf = (row: (typeof rows)[number]) =>
    ["Country", "Share chapter", "Transit share"].map((each) => $(row).find(`td[data-label="${each}"]`).text());
  expect(new Set(rows.map((row) => keyOf(row).join())).size).toBe(rows.length);
  const japan = rows.find((row) => keyOf(row)[0] === "Japan");
  expect($(japan).find('td[data-label="Commodity"]').text()).toBe("Crude oil, LNG, Refined petroleum");
  const all = await page($("section:has(#dependencies) .content a:contains('All rows')").attr("href") ?? "");
  expect(all("#filter-trade_role option[selected]").attr("value")).toBe("net_importer");
  expect(all("#rows").parent().find("tbody tr").length).toBeGreaterThan(rows.length);
  const none = await page("/chokepoints/gibraltar?commodity_id=helium&country_code=JP");
  expect(none("section:has(#exporters) .nothing").text()).toContain("This says nothing about its exports");
});

test("the page of a chokepoint has its disruption and its ships below the title", async () => {
  const figures = (await page("/chokepoints/hormuz_strait"))(".top .figures").text();
  expect(figures).toMatch(/^Disruption\d+ of 100Ships a day\d+ \w{3} \d{4}, \d+% (?:fewer|more) than a year before$/);
});

test("the page of a chokepoint has filters of commodity and country, with the choices of the other form kept", async () => {
  const $ = await page("/chokepoints/hormuz_strait?commodity_id=lng&iso2=KR&closure_days=90");
  const rows = $('section:has(#dependencies) td[data-label="Commodity"]').toArray();
  expect(rows.length).toBeGreaterThan(5);
  expect(new Set(rows.map((cell) => $(cell).text()))).toEqual(new Set(["LNG"]));
  const kept = $('form[action$="#dependencies"] input[type=hidden]').toArray();
  expect(kept.map(({ attribs }) => [attribs.name, attribs.value])).toEqual([
    ["iso2", "KR"],
    ["closure_days", "90"],
  ]);
});

test("the cost of a closure is that of the API, next to its assumptions", async () => {
  const query = "iso2=KR&closure_days=90";
  const path = `/api/supply-chain/v1/get-multi-sector-cost-shock?chokepoint_id=hormuz_strait&${query}`;
  const body = await bed.app.json<{
    sectors: readonly { importValueAnnual: number; totalCostShock: number; totalCostShockPerDay: number }[];
    assumptions: { freightAdded: number; warRiskPremiumBps: number; transitShare: number };
    totalAddedCost: number;
  }>(path);
  const { freightAdded, warRiskPremiumBps, transitShare } = body.assumptions;
  for (const { importValueAnnual, totalCostShock, totalCostShockPerDay } of body.sectors) {
    const perDay = (importValueAnnual / 365) * transitShare * (freightAdded + warRiskPremiumBps / 10_000);
    expect(Math.abs(totalCostShockPerDay - perDay)).toBeLessThanOrEqual(0.51);
    expect(Math.abs(totalCostShock - perDay * 90)).toBeLessThanOrEqual(0.6);
  }
  const $ = await page(`/chokepoints/hormuz_strait?${query}`);
  const shown = $('td[data-label="Added cost"]')
    .toArray()
    .map((cell) => $(cell).text());
  expect(shown).toHaveLength(body.sectors.length);
  const factors: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 };
  const amountOf = (text: string) => {
    const [, amount = "", factor = ""] = /about USD ([\d.]+) (thousand|million|billion)/.exec(text) ?? [];
    return Number(amount) * (factors[factor] ?? Number.NaN);
  };
  for (const [place, { totalCostShock }] of body.sectors.entries())
    expect(amountOf(shown[place] ?? "")).toBeCloseTo(Number(totalCostShock.toPrecision(3)), 3);
  const section = $("section:has(#closure)").text();
  expect(amountOf(section)).toBeCloseTo(Number(body.totalAddedCost.toPrecision(3)), 3);
  expect(section).toMatch(/not a forecast/);
  expect(section).toMatch(/Transit share\s*100%/);
});

test("the cost of a closure names only bypasses that suit the chokepoint and the cargo", async () => {
  const bypasses = async (id: string) => {
    const $ = await page(`/chokepoints/${id}?iso2=KR`);
    const rows = $("section:has(#closure) tbody tr").toArray();
    const cell = (row: (typeof rows)[number], label: string) => $(row).find(`td[data-label="${label}"]`).text();
    const bySector = new Map(rows.map((row) => [cell(row, "Sector"), cell(row, "Bypass for cargo")]));
    return { text: $("section:has(#closure)").text(), of: (sector: string) => bySector.get(sector) };
  };
  const hormuz = await bypasses("hormuz_strait");
  expect([hormuz.of("Energy"), hormuz.of("Electronics")]).toEqual(["– unknown", "Aqaba land bridge"]);
  expect(hormuz.text).toMatch(/freight and insurance .* without higher prices/);
  expect(hormuz.text).toContain("BTC pipeline, applied to every sector. It leads around this chokepoint for no sector");
  expect(hormuz.text).toContain("A dash below means that no bypass is known.");
  const suez = await bypasses("suez");
  expect([suez.of("Energy"), suez.of("Cereals")]).toEqual(["SUMED pipeline", "Suez cape of good hope"]);
  expect(suez.text).toContain("Only the sectors that name it below can use it");
  expect((await bypasses("gibraltar")).text).toContain("No bypass is known.");
});

test("each share of a chokepoint names the chapter that it is of", async () => {
  const $ = await page("/chokepoints/hormuz_strait?country_code=JP");
  const wheat = await page("/chokepoints/hormuz_strait?country_code=JP&commodity_id=wheat");
  expect(wheat('section:has(#dependencies) td[data-label="Share chapter"]').text()).toBe("10");
  const rows = $("section:has(#dependencies) tbody tr").toArray();
  const cell = (row: (typeof rows)[number], label: string) => $(row).find(`td[data-label="${label}"]`).text();
  const chapters = new Map(rows.map((row) => [cell(row, "Commodity"), cell(row, "Share chapter")]));
  expect(chapters.get("Crude oil, LNG, Refined petroleum")).toBe("27");
  expect($("section:has(#exporters)").text()).toContain("The service has no shares of exports.");
});

test("a closure of an unknown country or length is rejected on the page with the field", async () => {
  const $ = await page("/chokepoints/suez?iso2=XX1&closure_days=ten");
  expect($("#filter-closure_days").attr("aria-invalid") ?? $("#filter-iso2").attr("aria-invalid")).toBe("true");
  expect($("section:has(#closure) table").length).toBe(0);
});

test("numbers that stand below one another have as many decimals each", async () => {
  for (const [path, column] of [
    ["/countries", "Resilience"],
    ["/chokepoints/suez", "Score"],
    ["/chokepoints/suez", "Transit share"],
    ["/data/conflict-events", "Latitude"],
  ] as const) {
    const $ = await page(path);
    const texts = $(`td.number[data-label="${column}"]`)
      .toArray()
      .map((cell) => $(cell).text())
      .filter((text) => /\d/.test(text));
    expect(texts.length, path).toBeGreaterThan(10);
    expect(new Set(texts.map((text) => text.replace("%", "").split(".")[1]?.length)).size, `${path} ${column}`).toBe(1);
  }
});

test("numbers next to bars have as many decimals each", async () => {
  const $ = await page("/countries/UA");
  for (const id of ["chokepoints", "vulnerabilities", "resilience"]) {
    const texts = $(`section:has(#${id}) .bars .value`)
      .toArray()
      .map((value) => $(value).text())
      .filter((text) => /\d/.test(text));
    expect(texts.length, id).toBeGreaterThan(2);
    expect(new Set(texts.map((text) => text.split(".")[1]?.length)).size, id).toBe(1);
  }
});

test("on a phone each figure of a card has a name of its own", async () => {
  for (const path of ["/methodology", "/plans", "/countries", "/status"]) {
    const $ = await page(path);
    for (const row of $("table.cards tbody tr").toArray()) {
      const names = $(row)
        .find("[data-label]")
        .toArray()
        .map((cell) => $(cell).attr("data-label"));
      expect(new Set(names).size, `${path}: ${names}`).toBe(names.length);
    }
  }
});

test("a search of tenders offers the next days as deadlines, and keeps its other filters", async () => {
  const links = (await page("/tenders?query=road&cursor="))("nav[aria-label=Deadline] a");
  const texts = links.toArray().map((each) => load(each).text());
  expect(texts.map((text) => text.replace(/ \(.*/, ""))).toEqual(["Due in 7 days", "Due in 30 days", "Due in 90 days"]);
  const target = links.eq(1).attr("href") ?? "";
  const query = new URLSearchParams(target.split("?")[1]);
  const day = (days: number) => new Date(testTime.getTime() + days * dayMs).toISOString().slice(0, 10);
  expect(Object.fromEntries(query)).toEqual({ query: "road", deadline_from: day(0), deadline_to: day(30) });
  const $ = await page(target);
  const total = Number.parseInt($("#results").text(), 10);
  expect($("nav[aria-label=Deadline] [aria-current]").text()).toBe(`Due in 30 days (${total})`);
  expect(texts[1]).toBe(`Due in 30 days (${total})`);
  expect($("#filter-deadline_to").attr("value")).toBe(day(30));
});

test("the link that saves a search says how its notices are reported", async () => {
  const saving = async (app: typeof bed.app) => {
    const response = await app.get("/tenders?query=road", { key: null, headers: { Accept: "text/html" } });
    return load(await response.text())("p:has(> a[href*='watch=tenders'])").text();
  };
  expect(await saving(bed.app)).toContain("Reports arrive as a feed or webhook. This service sends no e-mail.");
  const environment = {
    IDS_PUBLIC_PAGES: "enterprise",
    IDS_SMTP_URL: "smtp://mail.example.org",
    IDS_SMTP_FROM: "a@b.example",
  };
  await using app = await startApp(bed.database, { environment });
  expect(await saving(app)).toContain("Reports arrive by e-mail, as a webhook, or as a feed.");
});
