import { load } from "cheerio";
import { expect, test } from "vitest";
import { catalog, kebab } from "../../src/contract/catalog.ts";
import { startApp, testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";
import { signedIn } from "../support/console/signed-in.ts";

const bed = startBed({
  environment: {
    IDS_PUBLIC_PAGES: "enterprise",
    IDS_TRUSTED_PROXIES: "127.0.0.0/8",
    IDS_PLAN_LIMITS: "free=5/50/700",
  },
});
const html = { Accept: "text/html" };
const get = (path: string, headers: Readonly<Record<string, string>> = {}, of = bed.app) =>
  of.get(path, { key: null, headers: { ...html, ...headers } });
/** Resolves when the line is full, as far as more come. */
const firstRejected = (views: readonly Promise<Response>[]) =>
  Promise.any(views.map(async (view) => expect((await view).status).toBe(503)));
const tenders = "/export/list-global-tenders?format=csv&all=true";
const linesOf = async (response: Response) => (await response.text()).trim().split("\n").length;

test("who is signed in gets all pages of what needs no key, too", async () => {
  const { cookie, key } = await signedIn(bed.app, "/account");
  const file = await get("/export/list-conflict-events?country=UA&format=csv&all=true", { Cookie: cookie });
  const same = await bed.app.get("/api/conflict/v1/list-conflict-events?country=UA&format=csv&all=true", { key });
  expect([file.status, await linesOf(file)]).toEqual([200, await linesOf(same)]);
});

test("the public gets no file of all pages, and nothing of what is an account's", async () => {
  for (const path of [tenders, "/export/list-conflict-events?format=csv&all=true"])
    expect([(await get(path)).status, path]).toEqual([401, path]);
  const own = ["ListRules", "ListEndpoints", "ListDeliveries", "ListRequests", "ListWebhooks", "GetUsage", "GetLimits"];
  for (const { name } of catalog.filter(({ name }) => own.includes(name)))
    expect([(await get(`/export/${kebab(name)}`)).status, name]).toEqual([401, name]);
  expect((await get("/export/list-series")).status).toBe(200);
});

test("rows of all pages are counted by the plan of the account, whatever the public may see", async () => {
  const { cookie } = await signedIn(bed.app, "/account", { plan: "free" });
  const first = await get(tenders, { Cookie: cookie, "X-Forwarded-For": "192.0.2.41" });
  const lines = await linesOf(first);
  expect([first.status, lines > 350]).toEqual([200, true]);
  // The same file counts once within an hour.
  const second = await get(`${tenders}&status=open`, { Cookie: cookie, "X-Forwarded-For": "192.0.2.41" });
  expect([second.status, await second.text()]).toEqual([429, expect.stringContaining("Daily limit of exported rows")]);
});

let rounds = 0;

// On a machine that other programs load, the queue measures longer tasks than the service needs.
test("forty people who come at once all see their pages, though none was made before", { retry: 2 }, async () => {
  rounds += 1;
  const views = Array.from({ length: 40 }, (_, index) =>
    get(`/countries?q=${rounds}+${index}`, { "X-Forwarded-For": `198.51.100.${index}` }),
  );
  const statuses = (await Promise.all(views)).map(({ status }) => status);
  expect(statuses).toEqual(views.map(() => 200));
});

test("what a page does not take of its address makes no other page", async () => {
  const views = Array.from({ length: 200 }, (_, index) =>
    get(`/countries/UA?utm_source=${index}`, { "X-Forwarded-For": `198.51.101.${index}` }),
  );
  const seen = await Promise.all(views);
  expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]));
  const texts = new Set(await Promise.all(seen.map((view) => view.text())));
  expect([texts.size, [...texts].join("")]).toEqual([1, expect.not.stringContaining("utm_source")]);
  const found = await get(`/countries?q=France&gclid=${"1".repeat(3_000)}`, { "X-Forwarded-For": "198.51.101.1" });
  expect(load(await found.text())("#countries-count").text()).toBe("1 found");
});

test("a signed-in user has at least as many views, and the public sees no plan", async () => {
  const environment = { IDS_PUBLIC_PAGES: "enterprise", IDS_TRUSTED_PROXIES: "127.0.0.0/8" };
  await using app = await startApp(bed.database, {
    environment: { ...environment, IDS_PLAN_LIMITS: "free=5/50,enterprise=8" },
  });
  const headers = { "X-Forwarded-For": "192.0.2.42" };
  const { cookie } = await signedIn(app, "/account", { plan: "free" });
  const statuses = [];
  for (let view = 0; view < 9; view++)
    statuses.push((await get(`/status?view=${view}`, { ...headers, Cookie: cookie }, app)).status);
  expect(statuses).toEqual([...new Array(8).fill(200), 429]);
  const rejected = await app.get("/export/list-series", { key: null, headers });
  expect([rejected.status, await rejected.json()]).toEqual([429, { error: "Too many requests" }]);
  const past = await app.get("/export/get-series?series=risk.score&keys=UA&from=1970-01-01", {
    key: null,
    headers: { "X-Forwarded-For": "192.0.2.43" },
  });
  expect(await past.text()).not.toContain("enterprise");
});

test("a user whose account has no requests left sees the plan and the account, and can sign out", async () => {
  await using app = await startApp(bed.database, {
    environment: { IDS_TRUSTED_PROXIES: "127.0.0.0/8", IDS_PLAN_LIMITS: "free=3/50" },
  });
  const headers = { "X-Forwarded-For": "192.0.2.44" };
  const { cookie } = await signedIn(app, "/account", { plan: "free" });
  let rejected = await get("/status", { ...headers, Cookie: cookie }, app);
  for (let view = 0; view < 5 && rejected.status === 200; view++)
    rejected = await get(`/status?view=${view}`, { ...headers, Cookie: cookie }, app);
  const $ = load(await rejected.text());
  expect([rejected.status, $("main").text()]).toEqual([
    429,
    expect.stringContaining("The plan free allows 3 requests per minute. Each view of a page counts as one."),
  ]);
  expect($('main a[href="/account"]')).toHaveLength(1);
  for (const path of ["/account", "/alerts"])
    expect([(await get(path, { ...headers, Cookie: cookie }, app)).status, path]).toEqual([200, path]);
  // This page has data, so a view counts like that of a data page.
  expect((await get("/watchlist", { ...headers, Cookie: cookie }, app)).status).toBe(429);
  expect((await get("/watchlist", headers, app)).status).toBe(200);
});

test("who is signed in is counted by the account, whatever others use up at the same address, and what pages load is not", async () => {
  const headers = { "X-Forwarded-For": "192.0.2.45" };
  const { cookie } = await signedIn(bed.app, "/account");
  const statuses = await Promise.all(Array.from({ length: 620 }, async () => (await get("/llms.txt", headers)).status));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  const rejected = await get("/status", headers);
  expect(rejected.status).toBe(429);
  for (const path of ["/status", "/account", "/alerts", "/export/list-series"])
    expect([(await get(path, { ...headers, Cookie: cookie })).status, path]).toEqual([200, path]);
  const $ = load(await rejected.text());
  const loaded = [
    ...$('link[rel="stylesheet"]').map((_, { attribs }) => attribs.href),
    ...$("script[src]").map((_, { attribs }) => attribs.src),
  ];
  expect(loaded.length).toBeGreaterThan(1);
  for (const path of loaded) expect([(await get(path ?? "", headers)).status, path]).toEqual([200, path]);
});

test("a form that is one too many says when to try again", async () => {
  const { change } = await signedIn(bed.app, "/alerts");
  let last = await change({ action: "delete-rule", id: "none" });
  for (let sent = 1; sent < 100 && last.status !== 429; sent++)
    last = await change({ action: "delete-rule", id: "none" });
  expect([last.status, last.$("main .notice").text()]).toEqual([
    429,
    expect.stringMatching(/^Too many requests\. Try again in \d+ seconds?\.$/),
  ]);
});

test("a request above the limit of a crowd receives a page with its own request", async () => {
  await using app = await startApp(bed.database, {
    queue: { pages: 1, maxQueuedPages: 1 },
    environment: { IDS_PUBLIC_PAGES: "enterprise", IDS_TRUSTED_PROXIES: "127.0.0.0/8" },
  });
  const views = await Promise.all(
    Array.from({ length: 200 }, (_, view) =>
      get(`/countries?q=${view}`, { "X-Forwarded-For": `198.51.100.${view}`, "X-Request-Id": `view-${view}` }, app),
    ),
  );
  const rejected = views.filter(({ status }) => status === 503);
  expect(new Set(views.map(({ status }) => status))).toEqual(new Set([200, 503]));
  for (const view of rejected) {
    const $ = load(await view.text());
    const request = view.headers.get("X-Request-Id");
    expect([$("main code").text(), $("h1").text()]).toEqual([request, "Not available now"]);
    const seconds = view.headers.get("Retry-After");
    expect($("main").text()).toContain(`Try again in ${seconds} second${seconds === "1" ? "" : "s"}.`);
    expect($('nav[aria-label="Site"] [aria-current]').text()).toBe("Countries");
  }
  expect(new Set(rejected.map(({ headers }) => headers.get("X-Request-Id"))).size).toBe(rejected.length);
});

test("a crowd that requests new pages does not hide pages that were viewed before", async () => {
  await using app = await startApp(bed.database, {
    queue: { pages: 1, maxQueuedPages: 1 },
    environment: { IDS_PUBLIC_PAGES: "enterprise", IDS_TRUSTED_PROXIES: "127.0.0.0/8" },
  });
  const seen = await (await get("/countries/FR", {}, app)).text();
  app.setTime(new Date(testTime.getTime() + 120_000));
  // Pages rest while programs ask.
  await app.json("/api/conflict/v1/list-conflict-events");
  const crowd = Array.from({ length: 300 }, (_, view) =>
    get(`/countries?q=new${view}`, { "X-Forwarded-For": `198.51.${105 + (view % 3)}.${view % 250}` }, app),
  );
  await firstRejected(crowd);
  const others = Array.from({ length: 20 }, (_, view) =>
    get("/countries/FR", { "X-Forwarded-For": `198.51.103.${view}` }, app),
  );
  for (const other of await Promise.all(others))
    expect([other.status, load(await other.text())("h1").text()]).toEqual([200, load(seen)("h1").text()]);
  await Promise.all(crowd);
});

test("an address that asks for many pages at once takes none from others, whether it waits for them or not", async () => {
  await using app = await startApp(bed.database, {
    queue: { pages: 1, maxQueuedPagesPerCaller: 2 },
    environment: { IDS_PUBLIC_PAGES: "enterprise", IDS_TRUSTED_PROXIES: "127.0.0.0/8" },
  });
  const crowd = { ...html, "X-Forwarded-For": "198.51.100.201" };
  const others = ["FR", "SD", "JP"].map((code, index) => [code, `198.51.100.${210 + index}`] as const);
  const requested = Array.from({ length: 100 }, (_, view) => get(`/countries?q=crowd${view}`, crowd, app));
  await firstRejected(requested);
  const seen = await Promise.all(
    others.map(([code, address]) => get(`/countries/${code}`, { "X-Forwarded-For": address }, app)),
  );
  expect(seen.map(({ status }) => status)).toEqual([200, 200, 200]);
  await Promise.all(requested);
  const leaving = new AbortController();
  const left = Array.from({ length: 100 }, (_, view) =>
    fetch(`${app.url}/countries?sort=${view}`, { headers: crowd, signal: leaving.signal }).catch(() => undefined),
  );
  await Promise.race(left);
  leaving.abort();
  await Promise.all(left);
  const next = await get("/countries/BR", { "X-Forwarded-For": "198.51.100.210" }, app);
  expect(next.status).toBe(200);
});
