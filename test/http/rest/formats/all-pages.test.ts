import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect as connectHttp2, constants } from "node:http2";
import { connect } from "node:net";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import { raiseGeneration } from "../../../../src/store/served/generations.ts";
import { eventually, startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase, openOnce } from "../../../support/databases.ts";

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
  });

  test("hold the same bytes as the whole answer where that has one page", async () => {
    for (const format of ["csv", "ndjson", "geojson", "parquet"]) {
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

  test("come compressed page by page if the client accepts gzip, except Parquet, which is compressed internally", async () => {
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
    expect((await get("parquet", "gzip")).coded).toBeNull();
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

  test("that are not sent are not charged", async () => {
    const key = await app.key("pro_monthly");
    const path = `${list}?${sixtyDays}&all=true&format=ndjson`;
    const exported = async () => {
      const { limits } = (await (await app.get("/api/account/v1/get-limits", { key })).json()) as Limits;
      return limits.find(({ name }) => name === "exported_rows")?.remaining;
    };
    const before = await exported();
    expect((await app.get(path, { key, method: "HEAD" })).status).toBe(200);
    expect(await exported()).toBe(before);
    // It takes no byte of a body, and goes away.
    const session = connectHttp2(app.url, { settings: { initialWindowSize: 0 } });
    const stream = session.request({ ":path": path, "x-service-key": key });
    await once(stream, "response");
    expect(await exported()).not.toBe(before);
    stream.close(constants.NGHTTP2_NO_ERROR);
    session.close();
    expect(await eventually(exported, (left) => left === before)).toBe(before);
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

  test("break off at the plan's row limit if the total is unknown, so no file looks whole, and the next request is a 429", async () => {
    const key = await app.key("free");
    const response = await sendRequest(`format=ndjson&after=${await secondPage()}`, key);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect((await sendRequest("format=csv", key)).status).toBe(429);
  });

  test("that break off look broken over every version of HTTP, to curl too", async () => {
    const { hostname, port } = new URL(app.url);
    const path = `${list}?${sixtyDays}&all=true&format=csv&after=${await secondPage()}`;
    const reset = (version: string, key: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(port), hostname);
        socket.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code ?? "")).on("end", () => resolve("end"));
        socket.resume().write(`GET ${path} HTTP/${version}\r\nHost: x\r\nX-Service-Key: ${key}\r\n\r\n`);
      });
    expect(await reset("1.0", await app.key("free"))).toBe("ECONNRESET");
    expect(await reset("1.1", await app.key("free"))).toBe("ECONNRESET");
    const session = connectHttp2(app.url);
    const stream = session.request({ ":path": path, "x-service-key": await app.key("free") });
    const failure = await new Promise((resolve) => stream.on("error", resolve).on("end", resolve).resume());
    session.close();
    expect([failure, stream.rstCode]).toEqual([expect.any(Error), constants.NGHTTP2_INTERNAL_ERROR]);
    for (const version of ["--http1.0", "--http1.1", "--http2-prior-knowledge"]) {
      const options = [version, "-s", "-o", "/dev/null", "-H", `X-Service-Key: ${await app.key("free")}`];
      const code = await new Promise((resolve) =>
        execFile("curl", [...options, `${app.url}${path}`], (error) => resolve(error?.code ?? 0)),
      );
      // Where there is no curl.
      if (code !== "ENOENT") expect([18, 56, 92]).toContain(code);
    }
  });

  test("break off if a page cannot be read, so that it does not look like the last page", async ({ skip }) => {
    skip(database.settings.kind === "embedded", "It does one transaction at a time");
    // It takes nothing of the body, so that the walk waits after its first page.
    const session = connectHttp2(app.url, { settings: { initialWindowSize: 0 } });
    const key = await app.key("enterprise");
    const stream = session.request({ ":path": `${tenders}?all=true&format=ndjson`, "x-service-key": key });
    await once(stream, "response");
    const ended = new Promise((resolve) => stream.on("error", resolve).on("end", resolve).resume());
    const failure = await database.kysely.transaction().execute(async (transaction) => {
      await sql`lock table tender`.execute(transaction);
      session.settings({ initialWindowSize: 1_000_000 });
      const giveUp = sql`select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(
        () => giveUp.execute(database.kysely),
        ({ rows }) => rows.length > 0,
      );
      return await ended;
    });
    session.close();
    expect([failure, stream.rstCode]).toEqual([expect.any(Error), constants.NGHTTP2_INTERNAL_ERROR]);
  });

  test("break off if the data is refreshed in the meantime", async () => {
    const { hostname, port } = new URL(app.url);
    const key = await app.key("enterprise");
    const socket = connect(Number(port), hostname);
    const received: Buffer[] = [];
    // Nothing is read before the data has moved: the walk waits for its reader.
    socket.pause();
    socket.write(`GET ${list}?start=1&all=true&format=geojson HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${key}\r\n\r\n`);
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    await expect.poll(() => socket.bytesRead, { timeout: 10_000 }).toBeGreaterThanOrEqual(0);
    await database.kysely.transaction().execute((transaction) => raiseGeneration(transaction, "conflict-events"));
    await app.settled();
    socket.on("data", (bytes) => received.push(bytes));
    socket.on("error", () => undefined);
    socket.resume();
    await closed;
    const text = Buffer.concat(received).toString();
    expect(text.endsWith("0\r\n\r\n")).toBe(false);
    await sql`update dataset set generation = generation + 1 where name = 'conflict-events'`.execute(database.kysely);
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
