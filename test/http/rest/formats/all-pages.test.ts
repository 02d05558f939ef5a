import { once } from "node:events";
import { connect as connectHttp2, constants } from "node:http2";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import { raiseGeneration } from "../../../../src/store/served/generations.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase, openOnce } from "../../../support/databases.ts";
import { readWorkbook } from "../../../support/workbook.ts";

const list = "/api/conflict/v1/list-conflict-events";
const tenders = "/api/economic/v1/list-global-tenders";
const dayMs = 86_400_000;
const sixtyDays = `start=${testTime.getTime() - 66 * dayMs}`;

interface Event {
  readonly id: string;
}

interface Limits {
  readonly limits: readonly { readonly name: string; readonly remaining: number }[];
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

describeEachDatabase("All pages as one file", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let ids: readonly string[];
  const sendRequest = async (query: string, key?: string) =>
    app.get(`${list}?${sixtyDays}&all=true&${query}`, key ? { key } : {});
  /** A response after a cursor does not report the number of rows. */
  const secondPage = async () => {
    const { nextAfter } = await app.json<{ nextAfter: string }>(`${list}?${sixtyDays}&limit=1`);
    return encodeURIComponent(nextAfter);
  };
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
    await app.refresh("conflict-events");
    await app.refresh("global-tenders");
    ids = (await app.json<{ events: Event[] }>(`${list}?${sixtyDays}`)).events.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1_500);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("hold every row once, in the order of the list, in each format", async () => {
    const ndjson = await sendRequest("format=ndjson");
    expect([ndjson.status, ndjson.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(ndjson.headers.get("content-disposition")).toContain(".sample.ndjson");
    expect(ndjson.headers.get("x-data-origin")).toBe("sample");
    expect(linesOf(await ndjson.text()).map(({ id }) => id)).toEqual(ids);
    const csv: Event[] = parse(await (await sendRequest("format=csv")).text(), { columns: true });
    expect(csv.map(({ id }) => id)).toEqual(ids);
    const { features } = JSON.parse(await (await sendRequest("format=geojson")).text()) as { features: Event[] };
    expect(features.map(({ id }) => id)).toEqual(ids);
    const file = await (await sendRequest("format=parquet")).arrayBuffer();
    const rows = (await parquetReadObjects({ file })) as unknown as Event[];
    expect(rows.map(({ id }) => id)).toEqual(ids);
    const workbook = await readWorkbook(await (await sendRequest("format=xlsx")).bytes());
    expect(workbook.rows.map(({ id }) => id)).toEqual(ids);
  });

  test("hold the same bytes as the whole answer where that has one page", async () => {
    for (const format of ["csv", "xlsx", "ndjson", "geojson", "parquet"]) {
      const whole = await (await app.get(`${list}?${sixtyDays}&country=SD&format=${format}`)).bytes();
      expect(await (await sendRequest(`country=SD&format=${format}`)).bytes()).toEqual(whole);
    }
  });

  test("continue from a file at the cursor in its header, until there is none", async () => {
    const cursorOf = async (path: string) => (await app.get(path)).headers.get("x-next-cursor");
    for (const format of ["csv", "ndjson", "parquet"]) {
      const page = `${tenders}?page_size=5&format=${format}`;
      const { nextCursor } = await app.json<{ nextCursor: string }>(`${tenders}?page_size=5`);
      // Made from the answer that is kept, and kept itself.
      for (let time = 0; time < 3; time += 1) expect(await cursorOf(page)).toBe(nextCursor);
      expect(await cursorOf(`${page}&rows=sourceStatuses`)).toBeNull();
    }
    const paged: string[] = [];
    for (let after: string | null = ""; after !== null; ) {
      const page = await app.get(`${list}?${sixtyDays}&limit=700&format=ndjson&after=${after}`);
      paged.push(...linesOf(await page.text()).map(({ id }) => String(id)));
      after = page.headers.get("x-next-cursor");
    }
    expect(paged).toEqual(ids);
    expect((await sendRequest("format=csv")).headers.get("x-next-cursor")).toBeNull();
  });

  test("come compressed page by page if the client accepts gzip, except Parquet and XLSX, which are compressed internally", async () => {
    const get = async (format: string, encoding: string) => {
      const url = `${app.url}${list}?${sixtyDays}&all=true&format=${format}`;
      const headers = { "X-Service-Key": await app.key("enterprise"), "Accept-Encoding": encoding };
      const response = await fetch(url, { headers });
      return { coded: response.headers.get("content-encoding"), text: await response.text() };
    };
    for (const format of ["csv", "ndjson", "geojson"]) {
      const [plain, small] = [await get(format, "identity"), await get(format, "br, gzip")];
      expect([plain.coded, small.coded]).toEqual([null, "gzip"]);
      expect(small.text).toBe(plain.text);
    }
    for (const format of ["parquet", "xlsx"]) expect((await get(format, "gzip")).coded).toBeNull();
  });

  test("continue from a cursor, and in another order", async () => {
    const { nextAfter } = await app.json<{ nextAfter: string }>(`${list}?${sixtyDays}&limit=700`);
    expect(linesOf(await (await sendRequest(`format=ndjson&after=${nextAfter}`)).text()).map(({ id }) => id)).toEqual(
      ids.slice(700),
    );
    const oldest = linesOf(await (await sendRequest("format=ndjson&sort=oldest")).text());
    expect(oldest.length).toBe(ids.length);
  });

  test("of tenders hold those that its pages hold", async () => {
    const paged: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await app.json<{ tenders: Event[]; nextCursor: string }>(
        `${tenders}?page_size=100&cursor=${cursor}`,
      );
      paged.push(...page.tenders.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === "") break;
    }
    const all = linesOf(await (await app.get(`${tenders}?all=true&format=ndjson`)).text());
    expect(all.map(({ id }) => id)).toEqual(paged);
  });

  test("are named for what they hold, whatever size of a page is asked for", async () => {
    const response = await sendRequest("format=csv&limit=1&country=SD");
    expect(parse(await response.text(), { columns: true }).length).toBeGreaterThan(1);
    const name = `list-conflict-events_start-${testTime.getTime() - 66 * dayMs}_country-SD.sample.csv`;
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
    expect(response.headers.get("link")).not.toContain("limit=");
  });

  test("are charged once if the client disconnects and tries again, and HEAD is not charged", async () => {
    const key = await app.key("pro_monthly");
    const path = `${list}?${sixtyDays}&all=true&format=ndjson`;
    const exported = async () => {
      const { limits } = (await (await app.get("/api/account/v1/get-limits", { key })).json()) as Limits;
      return Number(limits.find(({ name }) => name === "exported_rows")?.remaining);
    };
    const before = await exported();
    expect((await app.get(path, { key, method: "HEAD" })).status).toBe(200);
    expect(await exported()).toBe(before);
    // The client takes no byte of the body.
    const session = connectHttp2(app.url, { settings: { initialWindowSize: 0 } });
    const stream = session.request({ ":path": path, "x-service-key": key });
    await once(stream, "response");
    stream.close(constants.NGHTTP2_NO_ERROR);
    session.close();
    await (await app.get(path, { key })).text();
    expect(before - (await exported())).toBe(ids.length);
  });

  test("are charged by rows and calls, and a plan that has no more rows refuses the next", async () => {
    const key = await app.key("pro_monthly");
    const limitsOf = async () => {
      const response = await app.get("/api/account/v1/get-limits", { key });
      const { limits } = (await response.json()) as Limits;
      return new Map(limits.map(({ name, remaining }) => [name, remaining]));
    };
    const before = await limitsOf();
    await (await sendRequest("format=ndjson", key)).text();
    const after = await limitsOf();
    expect(Number(before.get("exported_rows")) - Number(after.get("exported_rows"))).toBe(ids.length);
    // Each page is charged separately. The address pays for the call of the walk, because the list is public.
    const pages = Math.ceil(ids.length / 500);
    const charged = Number(before.get("daily")) - Number(after.get("daily"));
    expect(charged).toBeGreaterThanOrEqual(Math.ceil(ids.length / 100) - 1);
    expect(charged).toBeLessThanOrEqual(Math.ceil(ids.length / 100) + pages);
  });

  test("that are more than the plan has left are refused before the first byte, with what is left, and cost nothing", async () => {
    const key = await app.key("free");
    const limitOf = async (name: string) => {
      const { limits } = (await (await app.get("/api/account/v1/get-limits", { key })).json()) as Limits;
      return limits.find((limit) => limit.name === name)?.remaining;
    };
    const rejected = async (query: string, rows: number, left: number) => {
      const response = await sendRequest(query, key);
      expect([response.status, response.headers.get("x-ratelimit-remaining")]).toEqual([429, String(left)]);
      expect(response.headers.get("ratelimit")).toContain(`r=${left};`);
      expect(await response.json()).toMatchObject({
        error: `Daily limit of exported rows: this response has ${rows} rows, ${left} are left today`,
        limit_type: "exported_rows",
      });
      expect(await limitOf("exported_rows")).toBe(left);
    };
    await rejected("format=ndjson", ids.length, 1_000);
    const country = `${list}?start=1&country=SD`;
    const { pagination } = await app.json<{ pagination: { totalCount: number } }>(country);
    const file = await app.get(`${country}&all=true&format=csv`, { key });
    expect(parse(await file.text(), { columns: true })).toHaveLength(pagination.totalCount);
    await rejected("format=csv", ids.length, 1_000 - pagination.totalCount);
  });

  test("are rejected before the first byte if the plan has fewer rows left and the total is unknown", async () => {
    const key = await app.key("free");
    const response = await sendRequest(`format=ndjson&after=${await secondPage()}`, key);
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ limit_type: "exported_rows" });
  });

  test("are rejected if a page cannot be read, and are whole at the next request", async ({ skip }) => {
    skip(database.settings.kind === "embedded", "It does one transaction at a time");
    const path = `${tenders}?all=true&format=ndjson&page_size=7`;
    await sql`alter table tender rename to hidden`.execute(database.kysely);
    const failed = await app.get(path);
    await sql`alter table hidden rename to tender`.execute(database.kysely);
    expect([failed.status >= 500, failed.headers.get("repr-digest")]).toEqual([true, null]);
    expect((await app.get(path)).status).toBe(200);
  });

  test("are rejected if the data is refreshed while they are written", async () => {
    const done = new AbortController();
    const refresh = async () => {
      while (!done.signal.aborted)
        await database.kysely.transaction().execute((transaction) => raiseGeneration(transaction, "conflict-events"));
    };
    const refreshes = refresh();
    const response = await app.get(`${list}?start=2&all=true&format=geojson`);
    done.abort();
    await refreshes;
    await app.settled();
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining("was refreshed") });
  });
});

describe("All pages", () => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openOnce();
    app = await startApp(database);
    await app.refresh("conflict-events");
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  });

  test.each([
    [`${list}?all=true`, "all"],
    [`${list}?all=true&format=json`, "all"],
    [`${list}?all=true&format=csvw`, "all"],
    [`${list}?all=perhaps&format=csv`, "all"],
    ["/api/infrastructure/v1/list-internet-outages?all=true&format=csv", "all"],
    [`${tenders}?all=true&format=csv&rows=sourceStatuses`, "all"],
  ])("%s is refused by the name of the parameter", async (path, field) => {
    expect(await app.rejected(path)).toEqual([field]);
  });

  test("are refused where nothing is known, so that no file looks like nothing there", async () => {
    const response = await app.get(`${tenders}?all=true&format=ndjson`);
    expect([response.status, response.headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/no confirmed data/) });
  });

  test("of an account's own rows, which belong to no dataset, end properly", async () => {
    const response = await app.get("/api/account/v1/list-audit-events?all=true&format=ndjson", {
      key: await app.key("enterprise"),
    });
    expect([response.status, linesOf(await response.text())]).toEqual([200, expect.any(Array)]);
  });

  test("need a key, even of a public list", async () => {
    expect((await app.get(`${list}?all=true&format=csv`, { key: null })).status).toBe(401);
  });

  test("have no place in a batch", async () => {
    const body = JSON.stringify({ requests: [{ path: `${list}?all=true&format=csv` }] });
    const response = await fetch(`${app.url}/api/batch/v1/run-batch`, { method: "POST", body });
    const { responses } = (await response.json()) as { responses: { status: number }[] };
    expect(responses[0]?.status).toBe(400);
  });

  test("are read by as many at a time as the plan allows", async () => {
    const key = await app.key("pro_monthly");
    const slow = await app.get(`${list}?start=1&all=true&format=csv`, { key });
    const second = await app.get(`${list}?start=1&all=true&format=csv`, { key });
    await Promise.all([slow.text(), second.text().catch(() => "")]);
    // The first may have been through before the second came: then both are whole.
    expect([200, 429]).toContain(second.status);
    expect((await app.get(`${list}?start=1&all=true&format=csv`, { key })).status).toBe(200);
  });
});
