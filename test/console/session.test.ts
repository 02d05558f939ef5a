import { load } from "cheerio";
import { expect, test } from "vitest";
import { startApp, testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";
import { openOnce } from "../support/databases.ts";

const bed = startBed({ environment: { IDS_TRUSTED_PROXIES: "127.0.0.0/8" } }, openOnce);

/** Attempts are counted by address. */
let addresses = 0;
function own() {
  addresses += 1;
  return { Origin: bed.app.url, "Sec-Fetch-Site": "same-origin", "X-Forwarded-For": `192.0.2.${addresses}` };
}

interface Sent {
  readonly fields?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** As a form is sent, without following where it leads. */
function post(path: string, { fields = {}, headers = own() }: Sent): Promise<Response> {
  return fetch(bed.app.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { Accept: "text/html", ...headers },
    body: new URLSearchParams(fields),
  });
}

const cookieOf = (response: Response) => (response.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";

async function signIn(plan = "api_starter", headers: Readonly<Record<string, string>> = {}) {
  const key = await bed.app.key(plan);
  const response = await post("/account/sign-in", { fields: { key }, headers: { ...own(), ...headers } });
  expect(response.status).toBe(303);
  return { key, response, cookie: cookieOf(response) };
}

const page = (path: string, cookie: string) =>
  bed.app.get(path, { key: null, headers: { Accept: "text/html", Cookie: cookie } });
const account = (cookie: string) => page("/account", cookie);
/** The page that a form leads back to. */
async function reportedAfter(response: Response, cookie: string) {
  expect([response.status, response.headers.get("Cache-Control")]).toEqual([303, "no-store"]);
  return load(await (await page(response.headers.get("Location") ?? "", `${cookie}; ${cookieOf(response)}`)).text());
}
const tokenOn = async (cookie: string) =>
  load(await (await account(cookie)).text())("[name=token]").attr("value") ?? "";

test("a key is exchanged for a cookie that no script reads, no other site sends and no cache keeps, and is in no address", async () => {
  const { key, response, cookie } = await signIn();
  expect(response.headers.get("Set-Cookie")).toMatch(
    /^ids_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  expect([response.headers.get("Location"), response.headers.get("Cache-Control")]).toEqual(["/account", "no-store"]);
  const page = await account(cookie);
  expect([page.status, page.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  const text = await page.text();
  expect(text).toContain("Signed in as");
  expect(text).not.toContain(key);
  const behindTls = await signIn("free", {
    "X-Forwarded-Proto": "https",
    Origin: bed.app.url.replace("http:", "https:"),
  });
  expect(behindTls.response.headers.get("Set-Cookie")).toMatch(/^__Host-ids_session=.*; SameSite=Strict; Secure$/);
});

test("a wrong key does not sign in, and guesses are limited", async () => {
  const headers = own();
  const wrong = { key: `ids_${"0".repeat(40)}` };
  const rejected = await post("/account/sign-in", { fields: wrong, headers });
  expect([rejected.status, rejected.headers.get("Set-Cookie")]).toEqual([303, null]);
  expect(rejected.headers.get("Location")).toContain("failed=1");
  const statuses = [];
  for (let attempt = 0; attempt < 11; attempt += 1)
    statuses.push((await post("/account/sign-in", { fields: wrong, headers })).status);
  expect(statuses.at(-1)).toBe(429);
});

test("what another site sends uses up none of the attempts", async () => {
  const headers = own();
  const foreign = { ...headers, Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
  for (let attempt = 0; attempt < 15; attempt += 1)
    expect((await post("/account/sign-in", { fields: { key: "x" }, headers: foreign })).status).toBe(403);
  const key = await bed.app.key("free");
  expect((await post("/account/sign-in", { fields: { key }, headers })).status).toBe(303);
});

test("a sign-in leads nowhere but to this host", async () => {
  for (const to of [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/a\nb",
    "/..//evil.example",
  ]) {
    const key = await bed.app.key("free");
    const response = await post("/account/sign-in", { fields: { key, to } });
    expect(response.headers.get("Location"), to).toBe("/account");
  }
  const key = await bed.app.key("free");
  expect(
    (await post("/account/sign-in", { fields: { key, to: "/series/risk.score?keys=UA" } })).headers.get("Location"),
  ).toBe("/series/risk.score?keys=UA");
});

test("forms of other pages, and without the session's token, change nothing", async () => {
  const { cookie } = await signIn();
  const token = await tokenOn(cookie);
  const fields = { action: "create-key", name: "stolen", token };
  const others = [
    { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    { Origin: "null", "Sec-Fetch-Site": "cross-site" },
    { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site" },
    { Origin: "https://evil.example" },
    {},
  ];
  for (const other of others) {
    const headers = Object.fromEntries(Object.entries({ ...other, Cookie: cookie }));
    expect((await post("/account/change", { fields, headers })).status, JSON.stringify(other)).toBe(403);
    expect((await post("/account/sign-in", { fields: { key: await bed.app.key("free") }, headers })).status).toBe(403);
  }
  for (const wrong of ["", "x".repeat(43), await tokenOn((await signIn()).cookie)])
    expect(
      (await post("/account/change", { fields: { ...fields, token: wrong }, headers: { ...own(), Cookie: cookie } }))
        .status,
    ).toBe(403);
  expect((await post("/account/change", { fields })).status).toBe(401);
  expect(await (await account(cookie)).text()).not.toContain("stolen");
});

test("keys are created, used, replaced, and revoked, are each shown once, and outlast the session", async () => {
  const { cookie, key } = await signIn();
  const listed = async <T>(name: string) => (await (await bed.app.get(`/api/account/v1/${name}`, { key })).json()) as T;
  const token = await tokenOn(cookie);
  const change = (fields: Readonly<Record<string, string>>) =>
    post("/account/change", { fields: { ...fields, token }, headers: { ...own(), Cookie: cookie } });
  const made = await reportedAfter(await change({ action: "create-key", name: "<b>sheet</b>" }), cookie);
  const secret = made(".secret").text();
  expect(made("table").first().text()).toContain("<b>sheet</b>");
  expect((await bed.app.get("/api/account/v1/get-caller", { key: secret })).status).toBe(200);
  expect(await (await account(cookie)).text()).not.toContain(secret);
  const id = made('tr:contains("sheet") [name=key]').attr("value") ?? "";
  const replaced = await reportedAfter(await change({ action: "rotate-key", key: id }), cookie);
  expect(replaced(".secret").text()).toMatch(/^ids_[0-9a-f]{40}$/);
  const { keys } = await listed<{ keys: { name: string; expiresAt?: number }[] }>("list-api-keys");
  // The replaced one has a day; neither ends with the sign-in.
  const dayOn = testTime.getTime() + 86_400_000;
  const ends = keys.filter(({ name }) => name.includes("sheet")).map(({ expiresAt }) => expiresAt ?? null);
  expect(new Set(ends)).toEqual(new Set([dayOn, null]));
  expect((await change({ action: "revoke-key", key: id })).status).toBe(303);
  expect((await bed.app.get("/api/account/v1/get-caller", { key: secret })).status).toBe(401);
  const rejected = await change({ action: "create-key", name: "" });
  expect(rejected.status).toBe(400);
  expect(load(await rejected.text())(".notice.bad").text()).toContain("Name: ");
  const read = "/api/conflict/v1/list-conflict-events?format=csv";
  const feed = await reportedAfter(await change({ action: "create-feed", name: "sheet", path: read }), cookie);
  expect(feed(".secret").text()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/feeds\//);
  const { feeds } = await listed<{ feeds: { expiresAt: number }[] }>("list-feed-urls");
  expect(feeds[0]?.expiresAt).toBeGreaterThan(testTime.getTime() + 364 * 86_400_000);
  const audit = await bed.app.json<{ events: { operation: string }[] }>("/api/account/v1/list-audit-events");
  expect(audit.events.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(["CreateApiKey", "RevokeApiKey"]),
  );
});

test("a form that creates a secret leads back to the page, which shows it only to that session, for a minute", async () => {
  const { cookie } = await signIn();
  const token = await tokenOn(cookie);
  const sent = { fields: { action: "create-key", name: "sheet", token }, headers: { ...own(), Cookie: cookie } };
  const response = await post("/account/change", sent);
  expect([response.status, response.headers.get("Location"), await response.text()]).toEqual([303, "/account", ""]);
  expect(response.headers.get("Set-Cookie")).toMatch(
    /^ids_done=[\w-]+; Path=\/; Max-Age=60; HttpOnly; SameSite=Strict$/,
  );
  const done = cookieOf(response);
  const first = await account(`${cookie}; ${done}`);
  expect(first.headers.get("Set-Cookie")).toBe("ids_done=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
  const secret = load(await first.text())(".secret").text();
  expect((await bed.app.get("/api/account/v1/get-caller", { key: secret })).status).toBe(200);
  expect(Buffer.from(done.slice("ids_done=".length), "base64url").toString("latin1")).not.toContain(secret);

  const shownTo = async (path: string, ...cookies: readonly string[]) => {
    const answer = await page(path, cookies.join("; "));
    return [answer.status, load(await answer.text())(".secret").length];
  };
  const other = await signIn();
  expect(await shownTo("/account", cookie)).toEqual([200, 0]);
  expect(await shownTo("/account", other.cookie, done)).toEqual([200, 0]);
  expect(await shownTo("/alerts", cookie, done)).toEqual([200, 0]);
  for (const wrong of ["ids_done=", "ids_done=AAAA", `${done.slice(0, -2)}AA`, `ids_done=${"é%00".repeat(20)}`])
    expect(await shownTo("/account", cookie, encodeURI(wrong))).toEqual([200, 0]);
  bed.app.setTime(new Date(testTime.getTime() + 60_000));
  expect(await shownTo("/account", cookie, done)).toEqual([200, 0]);
  bed.app.setTime(testTime);
});

test("under TLS, the result of a form is in a cookie that no other host can set", async () => {
  const secure = () => ({
    ...{ ...own(), "X-Forwarded-Proto": "https" },
    Origin: bed.app.url.replace("http:", "https:"),
  });
  const headersOf = (cookie: string) => ({ ...secure(), Accept: "text/html", Cookie: cookie });
  const { cookie } = await signIn("api_starter", secure());
  const shown = async (cookies: string) =>
    load(await (await bed.app.get("/account", { key: null, headers: headersOf(cookies) })).text());
  const token = (await shown(cookie))("[name=token]").attr("value") ?? "";
  const fields = { action: "create-key", name: "sheet", token };
  const response = await post("/account/change", { fields, headers: headersOf(cookie) });
  expect(response.headers.get("Set-Cookie")).toMatch(
    /^__Host-ids_done=[\w-]+; Path=\/; Max-Age=60; HttpOnly; SameSite=Strict; Secure$/,
  );
  const done = cookieOf(response);
  expect((await shown(`${cookie}; ${done}`))(".secret")).toHaveLength(1);
  expect((await shown(`${cookie}; ${done.replace("__Host-", "")}`))(".secret")).toHaveLength(0);
});

test("a session ends with its key, with a sign-out, with the next sign-in and after twelve hours", async () => {
  const isIn = async (cookie: string) => (await (await account(cookie)).text()).includes("Signed in as");
  const one = await signIn();
  expect(await isIn(one.cookie)).toBe(true);
  const { key } = await bed.app
    .get("/api/account/v1/get-caller", { key: one.key })
    .then((response) => response.json() as Promise<{ key: { id: string } }>);
  await bed.app.get("/api/account/v1/revoke-api-key", {
    key: one.key,
    method: "POST",
    body: JSON.stringify({ keyId: key.id }),
    headers: { "Content-Type": "application/json" },
  });
  await bed.app.settled();
  expect(await isIn(one.cookie)).toBe(false);

  const two = await signIn();
  const out = await post("/account/sign-out", {
    fields: { token: await tokenOn(two.cookie) },
    headers: { ...own(), Cookie: two.cookie },
  });
  expect(out.headers.get("Set-Cookie")).toContain("Max-Age=0");
  expect(out.headers.get("Clear-Site-Data")).toBe('"cache"');
  await bed.app.settled();
  expect(await isIn(two.cookie)).toBe(false);

  const earlier = await signIn();
  const renewed = await signIn("api_starter", { Cookie: earlier.cookie });
  await bed.app.settled();
  expect([await isIn(earlier.cookie), await isIn(renewed.cookie)]).toEqual([false, true]);

  const three = await signIn();
  bed.app.setTime(new Date(testTime.getTime() + 12 * 3_600_000));
  expect(await isIn(three.cookie)).toBe(false);
  bed.app.setTime(testTime);
});

test("the API accepts a session only for the stream of changes, and only from this host's own pages", async () => {
  const { cookie } = await signIn();
  const ofPage = { Cookie: cookie, "Sec-Fetch-Site": "same-origin" };
  const watch = (headers: Readonly<Record<string, string>>) =>
    fetch(`${bed.app.url}/api/changes/v1/watch-changes`, { method: "HEAD", headers });
  expect((await watch(ofPage)).status).toBe(200);
  expect((await watch({ ...ofPage, "Sec-Fetch-Site": "same-site" })).status).toBe(401);
  expect((await watch({ Cookie: cookie })).status).toBe(401);
  for (const path of [
    "/api/intelligence/v1/get-risk-scores",
    "/api/v2/shipping/webhooks",
    "/api/account/v1/list-api-keys",
    "/metrics",
  ])
    expect((await bed.app.get(path, { key: null, headers: ofPage })).status, path).toBe(401);
});

test("accounts and sources are the operator's to see and to change", async () => {
  expect((await page("/operator", "")).status).toBe(401);
  expect((await page("/operator", (await signIn()).cookie)).status).toBe(403);
  const { cookie } = await signIn("operator");
  const token = await tokenOn(cookie);
  const change = (fields: Readonly<Record<string, string>>, of = cookie, by = token) =>
    post("/operator/change", { fields: { ...fields, token: by }, headers: { ...own(), Cookie: of } });
  expect((await change({ action: "create-account", id: "acme", plan: "free" })).status).toBe(303);
  expect((await change({ action: "set-plan", account: "acme", plan: "enterprise" })).status).toBe(303);
  const made = await reportedAfter(await change({ action: "create-key", account: "acme", name: "first" }), cookie);
  const caller = await bed.app.get("/api/account/v1/get-caller", { key: made(".secret").text() });
  expect(await caller.json()).toMatchObject({ account: { id: "acme", plan: "enterprise" } });
  const other = await signIn();
  const rejected = await change({ action: "create-account", id: "mine" }, other.cookie, await tokenOn(other.cookie));
  expect(rejected.status).toBe(403);
  expect(
    load(await (await page("/operator", cookie)).text())("#sources")
      .parent()
      .find("tbody tr").length,
  ).toBeGreaterThan(30);
});

test("who is signed in sees pages by the own plan, which no shared cache keeps; an embed shows what the public sees", async () => {
  await using closed = await startApp(bed.database, { environment: { IDS_PUBLIC_PAGES: "none" } });
  const key = await closed.key("enterprise");
  const entered = await fetch(`${closed.url}/account/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: closed.url, "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams({ key }),
  });
  const headers = { Accept: "text/html", Cookie: cookieOf(entered) };
  const seen = async (path: string) => {
    const response = await closed.get(path, { key: null, headers });
    return { caching: response.headers.get("Cache-Control") ?? "", text: await response.text() };
  };
  expect((await seen("/export/get-risk-scores?region=UA&format=json")).caching).toBe("private, no-store");
  const page = await seen("/series");
  expect(page.caching).toBe("private, no-cache");
  expect(page.text).not.toContain("Sign-in needed");
  expect((await seen("/series?embed=1")).text).toContain("Sign-in needed");
});
