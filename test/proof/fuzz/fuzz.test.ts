import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { csvStream } from "../../../src/http/rest/formats/csv.ts";
import { parquetFile } from "../../../src/http/rest/formats/parquet-file.ts";
import { costlyExpressions } from "../../projection/costly-expressions.ts";
import { costOf, realisticResponse, shareOfBound } from "../../projection/measured-cost.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { sendBroken } from "../../support/broken-messages.ts";
import { describeOnce } from "../../support/databases.ts";
import { places, playedSource, whole } from "../../support/mutations/played-source.ts";
import { worse } from "../../support/mutations/verdict.ts";
import { placedQuery } from "../../support/needed-query.ts";
import { edited, edits, fuzz, timeout } from "./fuzzing.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("=1+1", '"', ";", "\r\n", ",", "'", "\u2028", "\ufeff", "NaN", "null", "1e999"),
);

describeOnce("Random inputs", (openFresh) => {
  let app: TestApp;
  let key = "";
  let requests = 0;
  beforeAll(async () => {
    app = await startApp(await openFresh(), {
      environment: { IDS_PLAN_LIMITS: "enterprise=-/-", IDS_TRUSTED_PROXIES: "127.0.0.0/8" },
    });
    for (const name of ["conflict-events", "global-tenders"] as const) await app.refresh(name);
    key = await app.key("enterprise");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** Requests a path. A fault of the service, or an error without a reason, fails. */
  const request = async (path: string, init: { method?: string; body?: string; key?: string | null } = {}) => {
    requests += 1;
    // Unknown paths and public operations are limited by address.
    const address = `2001:db8:${Math.floor(requests / 200).toString(16)}::1`;
    const headers = { "Content-Type": "application/json", "X-Forwarded-For": address };
    const response = await app.get(path, { key, headers, ...init });
    const body = await response.text();
    // 503 is what a read without its inputs returns; everything else from 500 on is a fault.
    expect(response.status === 503 || response.status < 500, `${response.status} ${body.slice(0, 200)}`).toBe(true);
    // Inputs that a limit rejects would not be checked.
    expect(response.status, path).not.toBe(429);
    if (response.status >= 400) expect(body, path).not.toBe("");
    return { status: response.status, body };
  };

  test("expressions cost no more than their bound", { timeout }, async () => {
    const { given, beginnings } = realisticResponse(200);
    await fuzz({
      name: "expressions",
      arbitrary: fc.tuple(costlyExpressions(beginnings), fc.option(edits, { nil: [] })),
      share: 0.15,
      check: ([expression, changes]) => {
        const cost = costOf(edited(expression, changes), given, { attempts: 3, suspicious: 0.9 });
        expect(shareOfBound(cost)).toBeLessThanOrEqual(1);
        expect(cost.fuel).toBeGreaterThanOrEqual(0);
      },
    });
  });

  test("parameters of OGC API - Features never lead to a fault", { timeout }, async () => {
    const { body } = await request("/ogc/collections?f=json");
    const { collections } = JSON.parse(body) as { collections: { id: string }[] };
    const names = ["bbox", "bbox-crs", "crs", "datetime", "limit", "f", "cursor", "filter", "country", "offset"];
    const valid = [
      "-180,-90,180,90",
      "2026-01-01/..",
      "10",
      "json",
      "http://www.opengis.net/def/crs/EPSG/0/4326",
      "SD",
    ];
    await fuzz({
      name: "ogc",
      arbitrary: fc.record({
        id: fc.oneof(fc.constantFrom(...collections.map((each) => each.id)), text),
        item: fc.option(text, { nil: undefined }),
        query: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), text), fc.oneof(fc.constantFrom(...valid), text))),
        changes: fc.option(edits, { nil: [] }),
      }),
      share: 0.15,
      check: ({ id, item, query, changes }) => {
        const path = `/ogc/collections/${encodeURIComponent(id.toWellFormed())}/items`;
        const place = item === undefined ? path : `${path}/${encodeURIComponent(item.toWellFormed())}`;
        return request(
          `${place}?${edited(new URLSearchParams(query).toString(), changes).replaceAll(/[^\x21-\x7e]/g, "%")}`,
        );
      },
    });
  });

  test("changed cursors are rejected", { timeout }, async () => {
    const path = "/api/economic/v1/list-global-tenders?page_size=1";
    const { nextCursor } = JSON.parse((await request(path)).body) as { nextCursor: string };
    expect(nextCursor).not.toBe("");
    await fuzz({
      name: "cursors",
      arbitrary: edits,
      share: 0.1,
      check: async (changes) => {
        const cursor = edited(nextCursor, changes).toWellFormed();
        const { status } = await request(`${path}&cursor=${encodeURIComponent(cursor)}`);
        const isSame = cursor === nextCursor || cursor === "";
        expect(status).toBe(isSame ? 200 : 400);
      },
    });
  });

  test("a changed response of any source publishes nothing worse than the last good one", { timeout }, async () => {
    const database = (await openFresh()).kysely;
    const players = new Map(
      places.map(({ dataset, source }) => [`${dataset.name} ${source.name}`, playedSource(dataset, source, database)]),
    );
    const good = new Map<string, Awaited<ReturnType<ReturnType<typeof playedSource>>>>();
    await fuzz({
      name: "sources",
      arbitrary: fc.record({ place: fc.constantFrom(...players.keys()), response: fc.nat(5), changes: edits }),
      share: 0.3,
      check: async ({ place, response, changes }) => {
        const play = players.get(place);
        if (!play) return;
        const last = good.get(place) ?? (await play(() => undefined, { retain: true }));
        good.set(place, last);
        const played = await play(({ text }, { count }) =>
          count - 1 === response % last.requested.length ? whole(edited(text, changes)) : undefined,
        );
        expect(worse(played, last)).toBeUndefined();
      },
    });
  });

  test("programs read from CSV what was written", { timeout }, async () => {
    await fuzz({
      name: "csv",
      arbitrary: fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 20 }),
      share: 0.05,
      check: (rows) => {
        const columns = ["a", "b", "c"].map((name, index) => ({
          name,
          type: "string",
          read: (row: string[]) => row[index],
        }));
        const stream = csvStream({ columns } as never, {} as never, true);
        const written = `${stream.begin()}${stream.rows(rows as never)}${stream.end()}`;
        const [, ...read] = parse(written, { bom: false, record_delimiter: "\r\n", relax_column_count: true });
        expect(read).toEqual(rows);
      },
    });
  });

  test("programs read from Parquet what was written", { timeout }, async () => {
    const cell = { string: fc.option(text), number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })) };
    await fuzz({
      name: "parquet",
      arbitrary: fc.array(fc.tuple(cell.string, cell.number, fc.option(fc.boolean())), {
        minLength: 1,
        maxLength: 1_500,
      }),
      share: 0.05,
      check: async (rows) => {
        const types = ["text", "number", "boolean"] as const;
        const file = parquetFile({
          columns: types.map((type) => ({ name: type, type, item: type })),
          metadata: [],
        });
        const cells = types.map((_, index) => rows.map((row) => row[index] ?? null));
        const bytes = Buffer.concat([file.begin(), file.rows(cells), file.end()]);
        const read = await parquetReadObjects({
          file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
        });
        const plain = ([words, number, boolean]: (typeof rows)[number]) => ({
          // This reader drops a byte order mark at the start of a text.
          text: words?.toWellFormed().replace(/^\ufeff/, "") ?? null,
          number: number ?? null,
          boolean: boolean ?? null,
        });
        expect(read.map((row) => ({ text: null, number: null, boolean: null, ...row }))).toEqual(rows.map(plain));
      },
    });
  });

  test("broken messages of RPC protocols never lead to a fault", { timeout }, async () => {
    await fuzz({
      name: "messages",
      arbitrary: fc.nat(),
      share: 0.1,
      check: async (seed) => {
        const outcomes = await sendBroken(app.url, key, 10, seed);
        const isFault = ({ status, code, sent }: (typeof outcomes)[number]) =>
          (status >= 500 && status !== 503) ||
          ["internal", "unknown", "2"].includes(code) ||
          (code === "13" && sent.includes("grpc-encoding"));
        expect(outcomes.filter(isFault)).toEqual([]);
      },
    });
  });

  test("queries and JSON bodies of any operation never lead to a fault", { timeout }, async () => {
    // Other operations have a limit of their own, which would reject most requests.
    const operations = catalog.filter(({ access, quotaPerMinute }) => !access.operator && !quotaPerMinute);
    await fuzz({
      name: "requests",
      arbitrary: fc.record({
        operation: fc.constantFrom(...operations.map(({ name }) => name)),
        changes: fc.option(edits, { nil: [] }),
        query: fc.array(fc.tuple(text, text), { maxLength: 3 }),
        body: fc.oneof(
          fc.jsonValue().map((value) => JSON.stringify(value)),
          fc.string(),
        ),
      }),
      share: 0.1,
      check: ({ operation: name, changes, query, body }) => {
        const operation = operations.find((each) => each.name === name);
        if (!operation) return;
        // Public operations limit an account, and without a key an address.
        const own = operation.access.anonymous ? { key: null } : {};
        if (operation.verb !== "GET") return request(operation.path, { method: "POST", body, ...own });
        const [path = "", given = ""] = placedQuery(operation).split("?");
        const added = new URLSearchParams(
          query.map(([one, other]): [string, string] => [one.toWellFormed(), other.toWellFormed()]),
        );
        return request(`${path}?${edited(given, changes).replaceAll(/[^\x21-\x7e]/g, "%")}&${added}`, own);
      },
    });
  });
});
