import { load } from "cheerio";
import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { datasets } from "../../src/domains/index.ts";
import { chokepoints } from "../../src/reference/trade/chokepoints.ts";
import { logChanges } from "../../src/store/changes/change-log.ts";
import { startApp, testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";
import { openLoaded } from "../support/loaded.ts";
import { nastyStrings } from "../support/nasty-strings.ts";
import { someOf } from "../support/thoroughness.ts";

const timeout = 60_000;
const bed = startBed();

const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const get = (path: string, headers: Record<string, string> = {}, of = bed.app) =>
  of.get(path, { key: null, headers: { ...browser, ...headers } });
const page = async (path: string, of = bed.app) => load(await (await get(path, {}, of)).text());

/** Small countries, one that is not drawn, one without any data, and one with all of it. */
const codes = ["UA", "US", "FR", "VA", "XK", "TV", "BV"];
const fixed = [
  "/",
  "/countries",
  "/data",
  "/series",
  "/chokepoints",
  "/tenders",
  "/status",
  "/search",
  "/search?q=cyber",
];

test("every page is drawn for everything in the samples, with its parts named and nothing half said", {
  timeout,
}, async () => {
  const series = await bed.app.json<{ series: { id: string }[] }>("/api/history/v1/list-series");
  const paths = [
    ...fixed,
    ...codes.map((code) => `/countries/${code}`),
    ...someOf(datasets, 3).map(({ name }) => `/data/${name}`),
    ...someOf(series.series, 4).map(({ id }) => `/series/${id}`),
    ...someOf(chokepoints, 4).map(({ id }) => `/chokepoints/${id}`),
  ];
  for (const path of paths) {
    const response = await get(path);
    expect([response.status, response.headers.get("Content-Type")], path).toEqual([200, "text/html; charset=utf-8"]);
    const $ = load(await response.text());
    expect($("h1"), path).toHaveLength(1);
    expect($("main#content"), path).toHaveLength(1);
    const text = $("main").text();
    expect(text, path).not.toMatch(/undefined|NaN|\[object|Infinity|Invalid Date/);
    const ids = $("[id]")
      .toArray()
      .map((each) => $(each).attr("id"));
    expect(new Set(ids).size, `${path} has an id twice`).toBe(ids.length);
    expect($('[style], style, script:not([src], [type="application/ld+json"]), [onclick]'), path).toHaveLength(0);
    for (const block of $("section.block:has(footer.provenance)").toArray()) {
      const of = `${path} ${$(block).find("h2").text()}`;
      expect($(block).find("footer .state").text(), of).toMatch(/^[A-Z]/);
      expect($(block).find("footer pre").text(), of).toMatch(/^curl .*"http:\/\/127\.0\.0\.1:\d+\/api\//);
    }
    expect($(".ribbon").text(), path).toContain("Sample data");
  }
});

test("whatever is asked for is shown as text", { timeout }, async () => {
  const places = [
    "/search?q=",
    "/countries?q=",
    "/tenders?query=",
    "/series/risk.score?keys=",
    "/data/conflict-events?actor=",
  ];
  const injected = 'script:not([type="application/ld+json"], [src^="/assets/"])';
  const short = nastyStrings.filter((each) => each.length < 300).map((text, index) => ({ text, index }));
  for (const { text, index } of someOf(short, 12)) {
    const path = `${places[index % places.length]}${encodeURIComponent(text)}`;
    const response = await get(path);
    expect(response.status, path).toBe(200);
    const markup = await response.text();
    expect(markup.includes("\0"), path).toBe(false);
    const $ = load(markup);
    expect($(injected), path).toHaveLength(0);
    expect($("img, iframe, object, base, [onerror], [onload], a[href^='javascript']"), path).toHaveLength(0);
  }
});

test("the axis and the ends of a chart are in the unit that stands above it, whatever the scale of the values", async () => {
  const $ = await page("/series/trade.exports?keys=DE&from=2015-01-01");
  expect($("svg .unit").text()).toBe("USD");
  for (const text of [$("svg .end").text(), $("svg text[text-anchor=end]").eq(1).text()])
    expect(text).toMatch(/^[\d.]+[BT]$/);
});

test("the page of a country has every part of its brief, and each part the request that gives it", async () => {
  const $ = await page("/countries/UA");
  const shares = $("#risk").parent().find(".bars");
  const barOf = (label: string) => shares.find(`span:contains("${label}") ~ .value`).first().text();
  expect([barOf("Conflict"), barOf("Information")]).toEqual([expect.stringMatching(/^\d/), "–"]);
  expect($("#tariffs").parent().text()).toContain("1 figure not known: bound rate.");
  const { outages } = await bed.app.json<{ outages: { country: string }[] }>(
    "/api/infrastructure/v1/list-internet-outages",
  );
  const ofOutage = await page(`/countries/${outages[0]?.country}`);
  expect(ofOutage("#outages").parent().find("dt:contains('Ongoing') + dd").text()).toMatch(/^\d+$/);
  const brief = await bed.app.json<Record<string, Record<string, unknown> & { state?: { path: string } }>>(
    "/api/country/v1/get-country-brief?country=UA",
  );
  const requests = $("footer pre").text();
  for (const [name, { state, ...values }] of Object.entries(brief)) {
    if (!state || name === "gas") continue;
    expect(requests, name).toContain(state.path.split("?")[0]);
    if (values.outages === 0) continue;
    const figures = Object.values(values).filter((value) => typeof value === "number" && value < 1_000);
    for (const figure of figures)
      expect($(`#${name}`).parent().find(".facts-list").text(), name).toContain(String(figure));
  }
  const risk = await bed.app.json<{ ciiScores: { combinedScore: number }[] }>(
    "/api/intelligence/v1/get-risk-scores?region=UA",
  );
  expect($("dl.figures").first().text()).toContain(String(risk.ciiScores[0]?.combinedScore));
  expect((await get("/countries/ZZ")).status).toBe(404);
});

test("a country is found by alpha-3 or lower case, at the one address that it has", async () => {
  for (const code of ["UKR", "ua", "ukr"]) {
    const moved = await request(`${bed.app.url}/countries/${code}?block=risk`, { headers: browser });
    await moved.body.dump();
    expect([moved.statusCode, moved.headers.location], code).toEqual([303, "/countries/UA?block=risk"]);
  }
  const nowhere = await get("/countries/ZZZ");
  expect(nowhere.status).toBe(404);
  expect(load(await nowhere.text())('main form[action="/search"] input[name=q]')).toHaveLength(1);
});

test("counts are added up over weeks and months, and a chart is as of its newest data", async () => {
  const path = "/series/conflict.events?keys=UA&from=2026-01-01&interval=month";
  const added =
    "/api/history/v1/get-series?series=conflict.events&keys=UA&from=2026-01-01&interval=month&aggregation=sum";
  const { points } = await bed.app.json<{ points: { value: number }[] }>(added);
  const $ = await page(path);
  const newest = $(".as-table tbody tr td.number").first().text();
  expect(newest.replace(",", "")).toContain(String(points.at(-1)?.value));
  expect($("#aggregation option[selected]").text()).toBe("sum");
  expect((await page("/series/gas.fill"))("#aggregation option[selected]").text()).toBe("last");
  const { series } = await bed.app.json<{ series: { id: string; lastAt: number }[] }>("/api/history/v1/list-series");
  const { lastAt } = series.find(({ id }) => id === "conflict.events") ?? { lastAt: 0 };
  expect($("#chart").parent().find("footer time").attr("datetime")).toBe(new Date(lastAt).toISOString());
});

test("days are chosen as days, and an address with milliseconds works as before", async () => {
  const [start, end] = [testTime.getTime() - (testTime.getTime() % 86_400_000) - 5 * 86_400_000, 86_400_000 - 1];
  const [by, day] = [`start=${start}&end=${start + end}`, new Date(start).toISOString().slice(0, 10)];
  const [chosen, before] = [
    await page(`/data/conflict-events?country=UA&start=${day}&end=${day}`),
    await page(`/data/conflict-events?country=UA&${by}`),
  ];
  for (const [$, span] of [
    [chosen, `start=${day}&end=${day}`],
    [before, by],
  ] as const) {
    expect($("input.day#filter-start").attr("value")).toBe(day);
    expect($("input.day#filter-end").attr("value")).toBe(day);
    expect($("footer pre").first().text()).toContain(span);
  }
  expect(chosen("tbody tr").length).toBeGreaterThan(0);
  expect(chosen("tbody").text()).toBe(before("tbody").text());
  const exact = await page(`/data/conflict-events?start=${start + 1}`);
  expect(exact("#filter-start").attr("value")).toBe(String(start + 1));
  expect((await page("/tenders"))("input.day").length).toBe(4);
});

test("a country is added to a chart by its name", async () => {
  const $ = await page("/series/risk.score?keys=UA&add=Sudan");
  expect($("#keys").attr("value")).toBe("UA,SD");
  expect($("input#add[list]")).toHaveLength(1);
});

test("figures of the economy have common names, each once in a list, and the singular is used for one", async () => {
  const $ = await page("/countries/UA");
  for (const list of $("#macro").parent().find(".facts-list").toArray()) {
    const names = $(list)
      .find("dt")
      .toArray()
      .map((each) => $(each).text());
    expect(new Set(names).size, names.join()).toBe(names.length);
    expect(names.join()).not.toMatch(/\beop\b|\bgov\b/i);
  }
  expect((await page("/data/conflict-events"))("main").text()).not.toMatch(/(?<![\d,.])1 (reads|rows)/);
});

test("maps draw current outages, and not ended ones", async () => {
  const ongoing = "/api/infrastructure/v1/list-internet-outages?ongoing=true";
  for (const [path, of] of [
    ["/", ""],
    ["/countries/UA", "&country=UA"],
  ] as const) {
    const { outages } = await bed.app.json<{ outages: unknown[] }>(ongoing + of);
    const { outages: all } = await bed.app.json<{ outages: unknown[] }>(ongoing.replace("?ongoing=true", `?${of}`));
    expect(all.length, path).toBeGreaterThan(outages.length);
    const legend = (await page(path))(".layers label").filter(":contains(outages)").text();
    expect(legend, path).toContain(`Ongoing internet outages ${outages.length}`);
  }
});

test("a page's file is the file of the API, and its address names the view", async () => {
  const $ = await page("/data/conflict-events?country=UA&order=-fatalities");
  const link = $('.downloads a:contains("CSV")').first().attr("href") ?? "";
  const [file, same] = [
    await get(link),
    await bed.app.get("/api/conflict/v1/list-conflict-events?country=UA&format=csv"),
  ];
  expect(file.headers.get("Content-Disposition")).toBe(same.headers.get("Content-Disposition"));
  expect(await file.text()).toBe(await same.text());
  expect(file.headers.get("Cache-Control")).toMatch(/private|no-store/);
  const deaths = $("table")
    .first()
    .find("tbody tr")
    .toArray()
    .map((row) => Number($(row).find("td").eq(6).text()));
  expect(deaths).toEqual([...deaths].sort((a, b) => b - a));
  expect((await get("/export/list-api-keys")).status).toBe(401);
  expect((await get("/export/create-api-key")).status).toBe(404);
});

test("pages can be cached and revalidated while data is unchanged, allow no inline code, and only embeds may be framed", async () => {
  for (const path of ["/", "/countries/UA", "/status"]) {
    const response = await get(path, { "Accept-Encoding": "identity" });
    expect(response.headers.get("Cache-Control"), path).toBe("public, max-age=10");
    expect(response.headers.get("Content-Security-Policy"), path).toMatch(
      /script-src 'self'; style-src 'self';.*frame-ancestors 'none'/,
    );
    const tag = response.headers.get("ETag") ?? "";
    expect((await get(path, { "If-None-Match": tag, "Accept-Encoding": "identity" })).status, path).toBe(304);
    const embed = await get(`${path}?embed=1`, { Cookie: "ids_session=x; __Host-ids_session=x" });
    expect([embed.status, embed.headers.get("Set-Cookie")], path).toEqual([200, null]);
    expect(embed.headers.get("Content-Security-Policy"), path).toContain("frame-ancestors *");
    const $ = load(await embed.text());
    expect([$("section.block").length, $("header.site").length], path).toEqual([1, 0]);
  }
  expect((await get("/countries/UA?embed=1&block=conflict")).status).toBe(200);
  expect((await get("/countries/UA?embed=1&block=nothing")).status).toBe(404);
  const asset = (await page("/"))("link[rel=stylesheet]").attr("href") ?? "";
  expect((await get(asset)).headers.get("Cache-Control")).toContain("immutable");
});

test("a score without a rank is shown with the remark that data is missing", async () => {
  const ranking = await bed.app.json<{ greyedOut: { countryCode: string; overallScore: number; level: string }[] }>(
    "/api/resilience/v1/get-resilience-ranking",
  );
  const scored = ranking.greyedOut.filter(({ level }) => level !== "unknown");
  expect(scored.length).toBeGreaterThan(5);
  const $ = await page("/countries");
  for (const { countryCode, level } of scored) {
    const row = $(`#countries a[href="/countries/${countryCode}"]`).closest("tr");
    expect(row.find("td[data-label=Level]").text(), countryCode).toBe(`${level}, too little data to rank`);
    expect(row.find("td[data-label=Resilience]").text(), countryCode).toMatch(/\d/);
  }
});

test("a failure is a page for a browser, and JSON for API, agents' and RPC paths, whatever the client accepts", async () => {
  for (const path of ["/nothing", "/countries/XX/more", "/data/nothing", "/chokepoints/nothing", "/series/no.thing"]) {
    const response = await get(path);
    expect([response.status, response.headers.get("Content-Type")], path).toEqual([404, "text/html; charset=utf-8"]);
    expect(response.headers.get("Cache-Control"), path).toBe("no-store");
    expect(load(await response.text())("h1").text(), path).toBe("Page not found");
    const program = await bed.app.get(path, { key: null, headers: { Accept: "application/json" } });
    expect(program.headers.get("Content-Type"), path).toContain("application/json");
  }
  const ofPrograms = [
    "/api/health/more",
    "/api/conflict/v1/list-nothing",
    "/api/economic/v1/get-economic-stress",
    "/mcp/x",
  ];
  for (const path of [...ofPrograms, "/ids.conflict.v1.ConflictService/Nothing", "/livez/x"])
    expect((await get(path)).headers.get("Content-Type"), path).toContain("application/json");
});

test("without a sign-in pages show what the setting says, counted by address", { timeout }, async () => {
  await using closed = await startApp(bed.database, { environment: { IDS_PUBLIC_PAGES: "none" } });
  const shut = await page("/countries/UA", closed);
  expect(shut("main").text()).toContain("Sign-in needed");
  expect(shut(".points circle").length).toBeGreaterThan(5);
  expect(shut('a[href="/account?to=%2Fcountries%2FUA"]')).toHaveLength(1);
  const home = await page("/", closed);
  expect(home("#datasets").parent().find("tbody tr")).toHaveLength(datasets.length);
  expect(home("#world").parent().text()).toContain("Sign-in needed");
  for (const embed of ["/?embed=1", "/countries/UA?embed=1&block=conflict"])
    expect((await page(embed, closed))("main").text(), embed).toContain("Sign-in needed");
  expect((await page("/countries/UA?embed=1", closed))(".points circle").length).toBeGreaterThan(5);
  expect((await get("/export/get-risk-scores?format=csv", {}, closed)).status).toBe(401);

  await using free = await startApp(bed.database, {
    environment: { IDS_PUBLIC_PAGES: "free", IDS_PLAN_LIMITS: "free=3/-", IDS_TRUSTED_PROXIES: "127.0.0.0/8" },
  });
  const from = (address: string, path: string) => get(path, { "X-Forwarded-For": address }, free);
  const partly = load(await (await from("192.0.2.1", "/countries/UA")).text());
  expect(partly("#tenders").parent().text()).toContain("Not in this plan");
  expect(partly("#risk").parent().find("figure.chart")).toHaveLength(1);
  await from("192.0.2.1", "/");
  await from("192.0.2.1", "/");
  const rejected = await from("192.0.2.1", "/status");
  expect([rejected.status, rejected.headers.get("Content-Type")]).toEqual([429, "text/html; charset=utf-8"]);
  expect(rejected.headers.get("Retry-After")).toMatch(/^\d+$/);
  expect((await from("192.0.2.2", "/status")).status).toBe(200);
});

test("old or missing values are named in words, and are not shown as zero", { timeout }, async () => {
  await using late = await startApp(bed.database, { now: new Date(testTime.getTime() + 3 * 86_400_000) });
  const old = await page("/countries/UA", late);
  expect(old("#conflict").parent().find("footer .state").text()).toMatch(/Stale|Unavailable/);
  const status = await page("/status", late);
  expect(status(".state.bad, .state.warn").length).toBeGreaterThan(5);
  expect(status(".notice.bad").text()).not.toBe("");
  const home = await page("/", late);
  expect(home("#world").parent().text()).toMatch(/Stale|Unavailable|Incomplete/);
});

test("the last changes say what moved, from what to what, before what was only loaded", { timeout }, async () => {
  const own = await openLoaded();
  onTestFinished(own.close);
  const at = new Date(testTime.getTime() + 1_000);
  const occasion = { dataset: "risk-scores", origin: "sample", at } as const;
  const row = { kind: "changed", rows: "ciiScores", subject: "UA", country: "UA" } as const;
  const change = {
    ...row,
    before: { combinedScore: 79, dynamicScore: null, computedAt: 1, trend: "TREND_DIRECTION_STABLE" },
    after: { combinedScore: 78, dynamicScore: -1, computedAt: 2, trend: "TREND_DIRECTION_FALLING" },
  };
  await own.kysely.transaction().execute((transaction) => logChanges(transaction, occasion, [change]));
  await using moved = await startApp(own, { environment: { IDS_PUBLIC_PAGES: "enterprise" } });
  for (const path of ["/", "/countries/UA"]) {
    const entries = (await page(path, moved))("section:has(#changes) ol > li");
    expect(entries.first().text(), path).toContain("1 row changed in Risk scores");
    expect(entries.first().find("li").text(), path).toBe("Ukraine: Risk 79 → 78");
  }
  const last = (await page("/", moved))("section:has(#changes) ol > li").last().text();
  expect(last).toMatch(/^\d+ datasets were loaded, the last /);
});

test("data whose terms forbid redistribution is not shown to the public, in pages, embeds, or files", async () => {
  await using live = await startApp(bed.database, {
    environment: {
      IDS_DATA: "live",
      IDS_PUBLIC_PAGES: "enterprise",
      IDS_SGE: "on",
      IDS_ARMS_SUPPLIERS_FILE: "/nowhere.csv",
      IDS_SOURCE_ARMS_SUPPLIERS: "on",
    },
  });
  const path = "/data/metal-premiums";
  for (const shown of [path, `${path}?embed=1`])
    expect((await page(shown, live))("#rows").parent().text(), shown).toContain("Withheld");
  expect((await get("/export/get-physical-premiums?format=json", {}, live)).status).toBe(403);
  expect((await get("/export/get-physical-premiums?format=csv", {}, live)).status).toBe(403);
  expect((await get("/export/get-country-brief?country_code=UA", {}, live)).status).toBe(403);
  const counted = encodeURIComponent("/api/market/v1/get-physical-premiums");
  expect((await get(`/export/count-rows?path=${counted}&by=day`, {}, live)).status).toBe(403);
  expect((await page("/countries/UA", live))("#defense").parent().text()).toContain("Withheld");
  expect((await page("/data/conflict-events", live))("#rows").parent().text()).not.toContain("Withheld");
});

test("a page that was made before is there again at once", async () => {
  const path = "/?shade=resilience";
  await get(path);
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const begin = performance.now();
    await (await request(bed.app.url + path, { headers: browser })).body.dump();
    times.push(performance.now() - begin);
  }
  // The limit is ten times the goal, because other tests run in parallel.
  expect(times.sort((a, b) => a - b)[10]).toBeLessThan(200);
});
