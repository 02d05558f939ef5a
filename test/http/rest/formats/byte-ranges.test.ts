import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, constants } from "node:http2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";

const list = "/api/conflict/v1/list-conflict-events";
const page = `${list}?country=SD&format=csv`;
const allPages = `${list}?start=1&format=csv&all=true`;

const digestOf = (bytes: Uint8Array) => `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`;

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

async function read(path: string, headers: Record<string, string> = {}, method = "GET") {
  const response = await fetch(app.url + path, {
    method,
    headers: { "X-Service-Key": await app.key("enterprise"), "Accept-Encoding": "identity", ...headers },
  });
  return { response, bytes: await response.bytes(), header: (name: string) => response.headers.get(name) };
}

describe.each([
  ["A page in memory", page],
  ["A stored file of all pages", allPages],
])("%s", (_name, path) => {
  let whole: Uint8Array;
  let tag: string;
  let length: number;
  beforeAll(async () => {
    const { bytes, header } = await read(path);
    whole = bytes;
    length = bytes.length;
    tag = header("etag") ?? "";
  });

  test("offers ranges, and states its length and digest", async () => {
    const { header } = await read(path);
    expect(header("accept-ranges")).toBe("bytes");
    expect(header("content-length")).toBe(String(length));
    expect(header("repr-digest")).toBe(digestOf(whole));
  });

  test.each([
    ["bytes=0-0", 0, 1],
    ["bytes=0-99", 0, 100],
    ["bytes=5-5", 5, 6],
    ["bytes=100-", 100, undefined],
    ["bytes=-1", -1, undefined],
    ["bytes=-100", -100, undefined],
    ["bytes=-999999999", 0, undefined],
    ["bytes=0-999999999", 0, undefined],
    ["BYTES=0-9", 0, 10],
    ["bytes= 0-9", 0, 10],
    ["bytes=0-9,", 0, 10],
    ["bytes=0-9,10-19", 0, 20],
    ["bytes=0-9,5-19", 0, 20],
    ["bytes=10-19,0-9", 0, 20],
    ["bytes=0-9,999999999-", 0, 10],
  ])("returns the part %s with its position and the digest of the whole", async (range, start, end) => {
    const { response, bytes, header } = await read(path, { Range: range });
    const part = whole.slice(start, end);
    expect(response.status).toBe(206);
    expect(bytes).toEqual(part);
    const first = start < 0 ? length + start : start;
    expect(header("content-range")).toBe(`bytes ${first}-${first + part.length - 1}/${length}`);
    expect(header("content-length")).toBe(String(part.length));
    expect(header("repr-digest")).toBe(digestOf(whole));
    expect(header("etag")).toBe(tag);
  });

  test.each(["bytes=999999999-", "bytes=-0", "bytes=999999999-999999999,888888888-"])(
    "rejects %s, which has no byte, with its length",
    async (range) => {
      const { response, header } = await read(path, { Range: range });
      expect([response.status, header("content-range")]).toEqual([416, `bytes */${length}`]);
    },
  );

  test.each([
    "bytes=",
    "bytes",
    "bytes=-",
    "bytes=a-b",
    "bytes=9-0",
    "bytes=1-2-3",
    "bytes=0x1-2",
    "bytes=+1-2",
    "rows=0-9",
    "bytes=0-9,100-109",
  ])("ignores %s, and returns everything", async (range) => {
    const { response, bytes } = await read(path, { Range: range });
    expect([response.status, bytes.length]).toEqual([200, length]);
  });

  test("returns a part only if If-Range names the current version", async () => {
    const statusOf = async (version: string) =>
      (await read(path, { Range: "bytes=0-9", "If-Range": version })).response.status;
    expect(await statusOf(tag)).toBe(206);
    expect(await statusOf('"other"')).toBe(200);
    expect(await statusOf(`W/${tag}`)).toBe(200);
    expect(await statusOf("Sat, 28 Nov 2026 00:00:00 GMT")).toBe(200);
  });

  test("evaluates If-Match and If-None-Match before the range", async () => {
    const statusOf = async (headers: Record<string, string>) =>
      (await read(path, { Range: "bytes=0-9", ...headers })).response.status;
    expect(await statusOf({ "If-Match": tag })).toBe(206);
    expect(await statusOf({ "If-Match": "*" })).toBe(206);
    expect(await statusOf({ "If-Match": `"other", ${tag}` })).toBe(206);
    expect(await statusOf({ "If-Match": '"other"' })).toBe(412);
    expect(await statusOf({ "If-None-Match": tag })).toBe(304);
    expect(await statusOf({ "If-None-Match": '"other"' })).toBe(206);
    expect(await statusOf({ "If-Match": '"other"', "If-None-Match": tag })).toBe(412);
  });

  test("ignores a range of HEAD, which states the length of the whole", async () => {
    const { response, header } = await read(path, { Range: "bytes=0-9" }, "HEAD");
    expect([response.status, header("content-length"), header("accept-ranges")]).toEqual([
      200,
      String(length),
      "bytes",
    ]);
  });

  test("returns uncompressed bytes for a range, and a digest of the compressed bytes otherwise", async () => {
    const part = await read(path, { Range: "bytes=0-9", "Accept-Encoding": "gzip" });
    expect([part.response.status, part.header("content-encoding")]).toEqual([206, null]);
    expect(part.bytes).toEqual(whole.slice(0, 10));
    const zipped = await read(path, { "Accept-Encoding": "gzip" });
    expect(zipped.header("content-encoding")).toBe("gzip");
    expect(zipped.header("etag")).toBe(tag.replace(/"$/, '-gz"'));
    expect(zipped.header("repr-digest")).not.toBe(digestOf(whole));
    expect(zipped.bytes).toEqual(whole);
  });
});

describe("A stored file of all pages", () => {
  const remaining = async (key: string) => {
    const { limits } = (await (await app.get("/api/account/v1/get-limits", { key })).json()) as {
      limits: { name: string; remaining: number }[];
    };
    return limits.find(({ name }) => name === "exported_rows")?.remaining;
  };
  const readPart = async (key: string, range: string) => {
    const response = await fetch(app.url + allPages, { headers: { "X-Service-Key": key, Range: range } });
    await response.arrayBuffer();
    return response.status;
  };

  test("counts once per account and hour, whatever the number of its ranges", async () => {
    const key = await app.key("pro_monthly");
    const before = Number(await remaining(key));
    expect(await readPart(key, "bytes=0-9")).toBe(206);
    const rows = before - Number(await remaining(key));
    expect(rows).toBeGreaterThan(1_000);
    const parts = await Promise.all(["bytes=10-19", "bytes=20-29", "bytes=-9"].map((range) => readPart(key, range)));
    expect(parts).toEqual([206, 206, 206]);
    expect(before - Number(await remaining(key))).toBe(rows);
    app.setTime(new Date(testTime.getTime() + 3_600_000));
    expect(await readPart(key, "bytes=0-9")).toBe(206);
    expect(before - Number(await remaining(key))).toBe(2 * rows);
  });

  test("counts once if its first ranges are parallel, and they are one export", async () => {
    const key = await app.key("pro_monthly");
    const before = Number(await remaining(key));
    const fresh = allPages.replace("start=1", "start=3");
    const parts = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const headers = { "X-Service-Key": key, Range: `bytes=${index}-${index}` };
        const response = await fetch(app.url + fresh, { headers });
        await response.arrayBuffer();
        return response.status;
      }),
    );
    expect(parts).toEqual(parts.map(() => 206));
    const rows = before - Number(await remaining(key));
    const { pagination } = await app.json<{ pagination: { totalCount: number } }>(`${list}?start=3`);
    expect(rows).toBe(pagination.totalCount);
  });

  /** Starts a request over HTTP/2 whose client takes at most a number of bytes. */
  const takeAtMost = async (key: string, path: string, initialWindowSize: number) => {
    const session = connect(app.url, { settings: { initialWindowSize } });
    const stream = session.request({ ":path": path, "x-service-key": key });
    await once(stream, "response");
    return { stream, session };
  };

  test("is charged if the client takes some bytes of it and disconnects", async () => {
    const key = await app.key("pro_monthly");
    const before = Number(await remaining(key));
    const { stream, session } = await takeAtMost(key, allPages.replace("start=1", "start=4"), 1_000);
    await once(stream, "data");
    stream.close(constants.NGHTTP2_CANCEL);
    session.destroy();
    await app.get(list);
    expect(before - Number(await remaining(key))).toBeGreaterThan(1_000);
  });

  test("is charged if another request reads it while the first takes nothing and disconnects", async () => {
    const key = await app.key("pro_monthly");
    const before = Number(await remaining(key));
    const path = allPages.replace("start=1", "start=5");
    const { stream, session } = await takeAtMost(key, path, 0);
    expect((await (await app.get(path, { key })).bytes()).length).toBeGreaterThan(100_000);
    const closed = once(session, "close");
    stream.close(constants.NGHTTP2_CANCEL);
    session.close();
    await closed;
    await app.get(list);
    expect(before - Number(await remaining(key))).toBeGreaterThan(1_000);
  });

  test("is not charged for a part without a byte, for an unchanged version, and for HEAD", async () => {
    const key = await app.key("pro_monthly");
    const before = await remaining(key);
    const tag = (await read(allPages, {}, "HEAD")).header("etag") ?? "";
    expect(await readPart(key, "bytes=999999999-")).toBe(416);
    const unchanged = await fetch(app.url + allPages, { headers: { "X-Service-Key": key, "If-None-Match": tag } });
    expect(unchanged.status).toBe(304);
    await fetch(app.url + allPages, { method: "HEAD", headers: { "X-Service-Key": key } });
    expect(await remaining(key)).toBe(before);
  });

  test("has the same parts for every account that may read it", async () => {
    const [one, two] = await Promise.all(
      [await app.key("enterprise"), await app.key("api_starter")].map(async (key) => {
        const response = await fetch(app.url + allPages, { headers: { "X-Service-Key": key, Range: "bytes=100-299" } });
        return response.text();
      }),
    );
    expect(one).toBe(two);
  });
});

test("A file that changes with each request has one version for a caller who reads it in parts", async () => {
  const path = "/api/account/v1/get-limits?format=csv";
  const own = { "X-Service-Key": await app.key("enterprise") };
  const { header } = await read(path, own, "HEAD");
  const first = await read(path, { ...own, Range: "bytes=0-9" });
  const last = await read(path, { ...own, Range: "bytes=10-" });
  expect([first.header("etag"), last.header("etag")]).toEqual([header("etag"), header("etag")]);
  expect(digestOf(Buffer.concat([first.bytes, last.bytes]))).toBe(header("repr-digest"));
  // A whole file is always current.
  expect((await read(path, own)).header("etag")).not.toBe(header("etag"));
});
