import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";

const events = "/api/conflict/v1/list-conflict-events";

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

const get = (query: string, headers: Record<string, string> = {}, method = "GET") =>
  app.get(`${events}${query}`, { key: null, headers, method });
/** The tag of a compressed body has a suffix, and which of several requests is the first to be worth it is a matter of time. */
const uncompressed = { "Accept-Encoding": "identity" };
type Row = Readonly<Record<string, unknown>>;
const typeOf = (response: Response) => response.headers.get("content-type")?.split(";")[0];

test("the Accept header chooses the format with the highest weight, and JSON if all are equal", async () => {
  const types = await Promise.all(
    [
      "text/csv",
      "text/csv;q=0.5, application/geo+json",
      "application/json, text/csv",
      "text/csv, application/json",
      "text/html, application/xhtml+xml, */*;q=0.8",
      "image/png",
      "text/csv;q=0",
      "APPLICATION/X-NDJSON",
    ].map(async (accept) => typeOf(await get("", { Accept: accept }))),
  );
  expect(types).toEqual([
    "text/csv",
    "application/geo+json",
    "application/json",
    "text/csv",
    "application/json",
    "application/json",
    "application/json",
    "application/x-ndjson",
  ]);
});

test("the parameter wins over the header, and both give the same bytes", async () => {
  const [named, accepted, other] = await Promise.all([
    get("?format=csv", { ...uncompressed, Accept: "application/geo+json" }),
    get("", { ...uncompressed, Accept: "text/csv" }),
    get("", uncompressed),
  ]);
  expect(await named.text()).toBe(await accepted.text());
  expect(named.headers.get("etag")).toBe(accepted.headers.get("etag"));
  expect(named.headers.get("etag")).not.toBe(other.headers.get("etag"));
  expect(other.headers.get("vary")).toContain("Accept-Encoding, Accept");
});

test("a format that the read does not have is a 406 by header and a 400 by parameter", async () => {
  const gas = "/api/economic/v1/get-eu-gas-storage";
  const key = await app.key("enterprise");
  const byHeader = await app.get(gas, { key, headers: { Accept: "application/geo+json" } });
  expect([byHeader.status, await byHeader.json()]).toEqual([
    406,
    {
      message:
        "Not available in the accepted format; available: json, ndjson, csv, xlsx, parquet, csvw, atom, jsonfeed, ics",
    },
  ]);
  const byParameter = await app.get(`${gas}?format=geojson`, { key });
  expect([byParameter.status, await byParameter.json()]).toEqual([
    400,
    {
      violations: [
        {
          field: "format",
          description: "value must be one of json, ndjson, csv, xlsx, parquet, csvw, atom, jsonfeed, ics",
        },
      ],
    },
  ]);
});

test("what does not go together is a 400 that names each parameter", async () => {
  const responses = await Promise.all(
    [
      "?format=csv&jmespath=events",
      "?rows=clusters",
      "?format=csv&rows=clusters",
      "?raw=true",
      "?format=csv&raw=2",
    ].map(async (query) => {
      const response = await get(query);
      return [response.status, ((await response.json()) as { violations: unknown }).violations];
    }),
  );
  const rejected = (field: string, description: string) => [400, [{ field, description }]];
  expect(responses).toEqual([
    rejected("jmespath", "value must be absent for format csv"),
    rejected("rows", "value must be absent for JSON, which has all rows"),
    rejected("rows", "value must be one of events, events.reports"),
    rejected("raw", "value must be absent unless format is csv"),
    rejected("raw", "value must be true or false"),
  ]);
});

test("the defaults that generated clients send change nothing", async () => {
  const plain = await get("?country=UA");
  const withDefaults = await get("?country=UA&format=json&rows=events&raw=false&all=false");
  expect([withDefaults.status, await withDefaults.json()]).toEqual([200, await plain.json()]);
});

test("a file is kept, revalidated and compressed as JSON is", async () => {
  const first = await get("?format=csv");
  const tag = first.headers.get("etag") ?? "";
  expect(first.headers.get("cache-control")).toBe((await get("")).headers.get("cache-control"));
  for (const encoding of ["gzip", "br", "identity"]) {
    const response = await get("?format=csv", { "Accept-Encoding": encoding });
    expect((await response.text()).split("\r\n").length).toBeGreaterThan(100);
  }
  const held = await get("?format=csv", { "If-None-Match": tag });
  expect([held.status, await held.text(), held.headers.get("content-disposition")]).toEqual([
    304,
    "",
    first.headers.get("content-disposition"),
  ]);
  const head = await get("?format=csv", {}, "HEAD");
  expect([head.status, typeOf(head), await head.text()]).toEqual([200, "text/csv", ""]);
});

test("strict handling knows the parameters of formats, and a posted query may have them", async () => {
  const strict = await get("?format=csv&raw=true&rows=events", { Prefer: "handling=strict" });
  expect([strict.status, strict.headers.get("x-ignored-parameters")]).toEqual([200, null]);
  const posted = await app.get(events, { key: null, method: "POST", body: '{"format":"ndjson","country":"SD"}' });
  expect([posted.status, typeOf(posted)]).toEqual([200, "application/x-ndjson"]);
});

test("a file's name contains the operation and the parameters, and says that the values are invented", async () => {
  const response = await get("?format=csv&country=sd");
  expect(response.headers.get("content-disposition")).toBe(
    'attachment; filename="list-conflict-events_country-SD.sample.csv"',
  );
  const other = await app.get("/api/catalog/v1/get-dataset?name=conflict-events&format=csv&rows=coverage.sources");
  expect(other.headers.get("content-disposition")).toContain("_name-conflict-events_rows-coverage.sources.sample.csv");
  const link = response.headers.get("link") ?? "";
  const described = /<([^>]+)>; rel="describedby"/.exec(link)?.[1] ?? "";
  const metadata = (await (await app.get(described)).json()) as { url: string };
  expect(await (await app.get(metadata.url)).text()).toBe(await (await get("?format=csv&country=SD")).text());
});

test("a file's name comes before its length, after which Node would encode it again for each response", async () => {
  const requested = request(`${app.url}${events}?format=csv`).end();
  const [response] = (await once(requested, "response")) as [IncomingMessage];
  response.resume();
  const names = response.rawHeaders.filter((_, index) => index % 2 === 0);
  expect(names.filter((name) => /^Content-(Disposition|Length)$/.test(name))).toEqual([
    "Content-Disposition",
    "Content-Length",
  ]);
});

test("every form of an answer leads to its documentation, its datasets, what it is and the terms of its sources, a 304 too", async () => {
  for (const query of [
    "",
    "?format=csv",
    "?format=ndjson",
    "?format=geojson",
    "?format=parquet",
    "?format=xlsx",
    "?format=atom",
  ]) {
    const response = await get(query);
    const link = response.headers.get("link") ?? "";
    expect(link).toContain('</docs/list-conflict-events>; rel="help"');
    const [page = "", anchor] = (/<([^>]+)>; rel="license"/.exec(link)?.[1] ?? "").split("#");
    expect(await (await app.get(page, { key: null })).text()).toContain(`<h2 id="${anchor}">`);
    const linked = (rel: string) => new RegExp(`<([^>]+)>; rel="${rel}"`).exec(link)?.[1] ?? "";
    for (const rel of ["about", "service-desc"])
      expect((await app.get(linked(rel), { key: null })).status, `${query} ${rel}`).toBe(200);
    expect(linked("about")).toBe("/data/conflict-events");
    if (query !== "") expect(await app.json(linked("describedby"))).toHaveProperty("tableSchema");
    const again = await get(query, { "If-None-Match": response.headers.get("etag") ?? "" });
    expect([again.status, again.headers.get("link")]).toEqual([304, link]);
  }
  expect((await app.get("/api/health", { key: null })).headers.get("link")).toBeNull();
});

test("a time is ISO 8601 in every text format, and unknown where JSON has an empty text", async () => {
  const ndjson = (await (await get("?format=ndjson&limit=3")).text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { features } = (await (await get("?format=geojson&limit=3")).json()) as { features: { properties: Row }[] };
  const csv: Row[] = parse(await (await get("?format=csv&limit=3")).text(), { columns: true });
  const times = ndjson.map(({ occurredAt }) => new Date(Number(occurredAt)).toISOString());
  expect(times).toHaveLength(3);
  for (const rows of [ndjson, features.map(({ properties }) => properties), csv])
    expect(rows.map((row) => row["occurredAt.iso"])).toEqual(times);
  const counts = "/api/conflict/v1/count-conflict-events?group_by=country";
  const [count] = (await app.json<{ counts: Row[] }>(counts)).counts;
  const [line = ""] = (await (await app.get(`${counts}&format=ndjson`, { key: null })).text()).split("\n");
  expect([count?.day, JSON.parse(line).day]).toEqual(["", null]);
});

test("without data that may be served there is a 503, not a file without rows", async () => {
  const unread = await openOnce();
  await using empty = await startApp(unread);
  for (const format of ["csv", "xlsx", "ndjson", "geojson", "parquet", "atom", "jsonfeed"])
    expect((await empty.get(`${events}?format=${format}`, { key: null })).status, format).toBe(503);
  await unread.close();
});
