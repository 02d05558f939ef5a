import { beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const account = "/api/account/v1/";
const outages = "/api/infrastructure/v1/list-internet-outages";
const events = "/api/conflict/v1/list-conflict-events";
const tenders = "/api/economic/v1/list-global-tenders";
const dayMs = 86_400_000;

interface Made {
  readonly url: string;
  readonly feed: {
    readonly id: string;
    readonly path: string;
    readonly expiresAt: number;
    readonly lastUsedAt?: number;
  };
}

describeEachDatabase("Feed URLs", (openFresh) => {
  let app: TestApp;
  beforeAll(async () => {
    const database = await openFresh();
    app = await startApp(database);
    for (const dataset of ["internet-outages", "conflict-events", "global-tenders"] as const)
      await app.refresh(dataset);
    return app[Symbol.asyncDispose];
  });

  const post = async <T>(operation: string, body: object, key?: string) => {
    const options = { ...(key ? { key } : {}), method: "POST", body: JSON.stringify(body) };
    const response = await app.get(account + operation, options);
    return { status: response.status, body: (await response.json()) as T };
  };
  const create = async (key: string, path: string, more: object = {}) => {
    const { status, body } = await post<Made>("create-feed-url", { name: "sheet", path, ...more }, key);
    expect(body).toMatchObject({ url: expect.stringMatching(/^\/feeds\/[\w-]{43}\.[a-z]+$/) });
    expect(status).toBe(201);
    return body;
  };
  /** As a spreadsheet asks: with nothing but the URL. */
  const sendRequest = (url: string, init: RequestInit = {}) => fetch(app.url + url, init);
  const limitsOf = async (key: string) => {
    const { limits } = (await (await app.get(`${account}get-limits`, { key })).json()) as {
      limits: { name: string; limit?: number; remaining?: number }[];
    };
    return new Map(limits.map((limit) => [limit.name, limit]));
  };
  const open = async (id: string, plan: string) => {
    await post("create-account", { id, plan });
    return (await post<{ secret: string }>("create-api-key", { name: "first", account: id })).body.secret;
  };

  test("answer their read in its format, and nothing else whatever is asked", async () => {
    const key = await app.key("enterprise");
    const path = `${outages}?country=SY&format=csv`;
    const { url, feed } = await create(key, path);
    expect(feed).toMatchObject({ path, expiresAt: testTime.getTime() + 365 * dayMs });
    const bound = await app.get(path, { key });
    const served = await bound.text();
    const answer = await sendRequest(url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(served);
    for (const name of ["etag", "content-type", "content-disposition", "x-data-origin", "link"])
      expect(answer.headers.get(name)).toBe(bound.headers.get(name));
    const described = /<([^>]+)>; rel="describedby"/.exec(answer.headers.get("link") ?? "")?.[1] ?? "";
    const metadata = await app.get(new URL(described, app.url + url).href.slice(app.url.length), { key });
    expect(metadata.headers.get("content-type")).toBe("application/csvm+json");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    expect(answer.headers.get("x-ratelimit-limit")).not.toBeNull();
    const other = { Accept: "application/json", Prefer: "handling=strict", "X-Service-Key": "ids_wrong" };
    expect(await (await sendRequest(`${url}?country=UA&format=json&jmespath=a`, { headers: other })).text()).toBe(
      served,
    );
    for (const end of ["", ".xlsx", "/"])
      expect(await (await sendRequest(url.replace(".csv", end))).text()).toBe(served);
    const known = { "If-None-Match": answer.headers.get("etag") ?? "" };
    const unchanged = await sendRequest(url, { headers: known });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
    const head = await sendRequest(url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      ...[200, String(Buffer.byteLength(served)), ""],
    ]);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const rejected = await sendRequest(url, { method });
      expect([rejected.status, rejected.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
    const json = await create(key, `${outages}?country=SY&jmespath=outages[0].country`);
    expect(json.feed.path).toContain("format=json");
    expect(await (await sendRequest(json.url, { headers: { Accept: "text/csv" } })).json()).toBe("SY");
  });

  test("of public reads are their account's requests too, and kept by no shared cache", async () => {
    const key = await app.key("pro_monthly");
    const { url } = await create(key, `${events}?country=SD&format=ndjson`);
    const before = (await limitsOf(key)).get("daily")?.remaining ?? 0;
    const answer = await sendRequest(url);
    expect(answer.headers.get("cache-control")).toMatch(/^private, max-age=\d+$/);
    expect(answer.headers.has("cdn-cache-control")).toBe(false);
    expect((await app.get(`${events}?country=SD&format=ndjson`)).headers.get("cache-control")).toContain("public");
    expect((await limitsOf(key)).get("daily")?.remaining).toBe(before - 1);
    await app.settled();
    const { usage } = (await (await app.get(`${account}get-usage`, { key })).json()) as { usage: object[] };
    expect(usage).toContainEqual(expect.objectContaining({ operation: "ListConflictEvents", calls: 1 }));
    const { feeds } = (await (await app.get(`${account}list-feed-urls`, { key })).json()) as { feeds: Made["feed"][] };
    expect(feeds).toEqual([expect.objectContaining({ lastUsedAt: testTime.getTime() })]);
    expect(JSON.stringify(feeds)).not.toContain(url.slice(7, 50));
  });

  test("of all pages are charged by their rows", async () => {
    const key = await app.key("api_starter");
    const { url } = await create(key, `${events}?format=ndjson&all=true`);
    const before = (await limitsOf(key)).get("exported_rows")?.remaining ?? 0;
    const lines = (await (await sendRequest(url)).text()).trimEnd().split("\n");
    const { events: rows } = await app.json<{ events: object[] }>(events);
    expect(lines.length).toBe(rows.length);
    expect((await limitsOf(key)).get("exported_rows")?.remaining).toBe(before - rows.length);
  });

  test("that are unknown, revoked or expired are the same 404", async () => {
    const key = await app.key("enterprise");
    const expiresAt = testTime.getTime() + 3_600_000;
    const [revoked, expiring] = [await create(key, outages), await create(key, outages, { expiresAt })];
    expect([(await sendRequest(revoked.url)).status, (await sendRequest(expiring.url)).status]).toEqual([200, 200]);
    expect((await post("revoke-feed-url", { feedId: revoked.feed.id }, key)).body).toMatchObject({
      feed: { id: revoked.feed.id, revokedAt: testTime.getTime() },
    });
    expect((await post("revoke-feed-url", { feedId: revoked.feed.id }, key)).status).toBe(404);
    await app.settled();
    app.setTime(new Date(expiresAt));
    try {
      const unknown = revoked.url.replace(/[\w-]{43}/, "A".repeat(43));
      for (const url of [revoked.url, expiring.url, unknown, "/feeds/short.csv", "/feeds/%20", `/feeds/${key}`]) {
        const answer = await sendRequest(url);
        expect([answer.status, await answer.json()]).toEqual([404, { message: "No such feed URL, or it has ended" }]);
        expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      }
    } finally {
      app.setTime(testTime);
    }
  });

  test("follow their account's plan: reads that it no longer covers are rejected, and the oldest URLs continue", async () => {
    const key = await open("sinking", "pro_monthly");
    app.setTime(new Date(testTime.getTime() - 1000));
    const first = await create(key, `${outages}?format=csv`);
    app.setTime(testTime);
    const second = await create(key, `${outages}?country=SY&format=csv`);
    const paid = await create(key, `${tenders}?format=csv`);
    const statuses = async () =>
      Promise.all([first, second, paid].map(async ({ url }) => (await sendRequest(url)).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    await post("set-subscription", { account: "sinking", plan: "free" });
    await app.settled();
    expect(await statuses()).toEqual([200, 403, 403]);
    expect(await (await sendRequest(second.url)).json()).toMatchObject({
      error: "The plan includes 1 active feed URL, and older ones come first",
    });
    expect(await (await sendRequest(paid.url)).json()).toMatchObject({ requiredTier: 1, currentTier: 0 });
    await post("set-subscription", { account: "sinking", plan: "pro_monthly", ended: true });
    await app.settled();
    expect(await statuses()).toEqual([403, 403, 403]);
    await post("set-subscription", { account: "sinking", plan: "pro_monthly" });
    await app.settled();
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  test("are limited by the plan, even if they are created concurrently, and get-limits reports the limit", async () => {
    const key = await app.key("free");
    expect((await limitsOf(key)).get("feed_urls")).toMatchObject({ limit: 1, remaining: 1, windowSeconds: 0 });
    const made = await Promise.all(
      Array.from({ length: 3 }, () => post<Made>("create-feed-url", { name: "x", path: outages }, key)),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(made.find(({ status }) => status === 409)?.body).toEqual({
      message: "The plan includes 1 active feed URL: revoke one first",
    });
    expect((await limitsOf(key)).get("feed_urls")).toMatchObject({ limit: 1, remaining: 0 });
    const feedId = made.find(({ status }) => status === 201)?.body.feed.id;
    expect((await post("revoke-feed-url", { feedId }, await app.key("enterprise"))).status).toBe(404);
    expect((await post("revoke-feed-url", { feedId })).status).toBe(200);
    await create(key, outages);
    const operator = await app.key("operator");
    expect((await limitsOf(operator)).get("feed_urls")).not.toHaveProperty("limit");
    await app.get(`${account}list-feed-urls?account=nobody`).then(({ status }) => expect(status).toBe(404));
  });

  test.each([
    ["/api/account/v1/list-api-keys", /read of data/],
    ["/api/account/v1/get-usage", /read of data/],
    ["/api/v2/shipping/webhooks", /read of data/],
    ["/api/company-monitoring/v1/list-monitored-companies", /read of data/],
    ["/api/batch/v1/run-batch", /read of data/],
    ["/api/conflict/v1/nothing", /read of data/],
    [`${outages}?land=SY`, /land: unknown parameter/],
    [`${outages}?country=Syria1`, /country: /],
    [`${outages}?format=xml`, /format: value must be one of json/],
    [`${outages}?format=csv&all=true`, /all: /],
    [`https://example.org${outages}`, /path below \/api\//],
  ])("are not bound to %s", async (path, words) => {
    const { status, body } = await post<{ violations: object[] }>("create-feed-url", { name: "x", path });
    expect({ status, ...body }).toEqual({
      status: 400,
      violations: [{ field: "path", description: expect.stringMatching(words) }],
    });
  });

  test("need the right to make keys, end with the key that made them, and cost what their read does", async () => {
    const key = await open("careful", "free");
    expect((await post("create-feed-url", { name: "x", path: tenders }, key)).body).toMatchObject({
      error: "Upgrade required",
      requiredTier: 1,
    });
    const day = (days: number) => testTime.getTime() + days * dayMs;
    const { secret: plain } = (await post<{ secret: string }>("create-api-key", { name: "p" }, key)).body;
    expect((await post("create-feed-url", { name: "x", path: outages }, plain)).status).toBe(403);
    const short = { name: "s", scopes: ["keys:write"], expiresAt: day(3) };
    const { secret } = (await post<{ secret: string }>("create-api-key", short, key)).body;
    for (const expiresAt of [day(4), day(-1)])
      expect((await post("create-feed-url", { name: "x", path: outages, expiresAt }, secret)).body).toMatchObject({
        violations: [{ field: "expiresAt" }],
      });
    expect((await post("create-feed-url", { name: "x", path: outages, expiresAt: day(367) }, key)).status).toBe(400);
    expect((await create(secret, outages)).feed.expiresAt).toBe(day(3));
  });

  test("appear in the audit log with their reads, and never without one", async () => {
    const key = await open("watched", "pro_monthly");
    const { url, feed } = await create(key, `${outages}?format=csv`);
    const log = await (await app.get(`${account}list-audit-events`, { key })).text();
    expect(log).toContain("CreateFeedUrl");
    expect(log).toContain(feed.id);
    expect(log).not.toContain(url.slice(7, 50));
  });
});
