import { createHash } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import { Response } from "undici";
import { expect, test } from "vitest";
import {
  InfrastructureService,
  ListInternetOutagesResponseSchema,
} from "../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { readConfig } from "../../src/config/config.ts";
import type { RefreshParts } from "../../src/ingest/refresh/fetch.ts";
import { sourceRetention } from "../../src/ingest/responses/source-reads.ts";
import { verifyDataset } from "../../src/ingest/responses/verify.ts";
import { release, rollBack } from "../../src/ingest/rollback.ts";
import { scheduled } from "../../src/ingest/schedule/scheduled.ts";
import { createUpstreams } from "../../src/ingest/upstreams.ts";
import { dayMs } from "../../src/reference/duration.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { type InventedDataset, inventedDataset, inventedRows, inventedSource } from "./invented-dataset.ts";
import { refreshBed, start } from "./refresh-bed.ts";

const key = "a-secret/of the operator";
const environment = { ANY_API_KEY: key };
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** A source that requests two pages of rows over HTTP and sends a key in the query and in a form. */
function pagedSource(metadata: Parameters<typeof inventedSource>[1] = {}) {
  return inventedSource("a", {
    variables: ["ANY_API_KEY"],
    async fetch(upstream) {
      const query = new URLSearchParams({ key: upstream.variable("ANY_API_KEY"), day: upstream.now.toISOString() });
      const first = await upstream.json({ url: `https://source.example/rows?${query}` });
      const second = await upstream.json({ url: "https://source.example/rows", form: { page: "2" }, tries: 1 });
      return [...(first as { rows: unknown[] }).rows, ...(second as { rows: unknown[] }).rows];
    },
    ...metadata,
  });
}

describeEachDatabase("The responses of sources", (openFresh) => {
  const bed = refreshBed(openFresh);
  const pages = { first: "", second: "" };
  const pageOf = (name: string, count: number, more: object = {}) =>
    JSON.stringify({ rows: inventedRows(name, count).map((row) => ({ ...row, detectedAt: undefined })), ...more });
  const setPages = () => Object.assign(pages, { first: pageOf("x", 3), second: pageOf("y", 2) });
  const partsOf = (settings: Readonly<Record<string, string>> = {}): RefreshParts => ({
    database: bed.database,
    upstreams: createUpstreams(
      readConfig({ ...environment, ...settings, IDS_DATA_DIR: "/nowhere" }),
      () => bed.now,
      () => 0,
      {
        wait: async () => undefined,
        transport: async (_url, { method }) =>
          new Response(method === "POST" ? pages.second : pages.first, {
            headers: { "content-type": "application/json", etag: '"1"', "set-cookie": "session=1" },
          }),
      },
    ),
  });
  const run = (dataset = inventedDataset([pagedSource()]), parts = partsOf()) => {
    bed.now = new Date(bed.now.getTime() + 60_000);
    return bed.run(dataset, parts);
  };
  const fresh = async () => {
    await bed.query("truncate source_body, source_read, source_response, dataset_version, snapshot_version, change");
    setPages();
  };
  const rowsOf = async (sql: string) => (await bed.query(sql)).rows as Record<string, unknown>[];

  test("are stored compressed by their SHA-256, with address, status, and headers but without secrets", async () => {
    await fresh();
    pages.first = pageOf("x", 3, { echo: `${key} ${encodeURIComponent(key)}`, access_token: "granted-for-one-hour" });
    await run();
    const responses = await rowsOf("select * from source_response order by position");
    const at = bed.now.toISOString();
    expect(responses).toMatchObject([
      {
        url: `https://source.example/rows?key=sample-any_api_key&day=${encodeURIComponent(at)}`,
        ...{ posted: null, status: 200, redacted: true },
        headers: { "content-type": "application/json", etag: '"1"' },
      },
      { url: "https://source.example/rows", posted: "page=2", redacted: false, sha256: sha256(pages.second) },
    ]);
    const bodies = await rowsOf(
      "select sha256, body, size from source_body where sha256 <> all (select content_hash from source_read)",
    );
    const texts = bodies.map(({ sha256: digest, body, size }) => {
      const bytes = zstdDecompressSync(body as Buffer);
      expect([sha256(bytes.toString()), bytes.length]).toEqual([digest, size]);
      return bytes.toString();
    });
    expect(texts).toContain(pages.second);
    const everything = JSON.stringify([responses, texts]);
    for (const secret of [key, encodeURIComponent(key), "granted-for-one-hour", "session=1"])
      expect(everything).not.toContain(secret);
    expect(await verifyDataset(inventedDataset([pagedSource()]), partsOf())).toMatchObject({
      sources: [{ state: "equal", rows: 5, responses: 2 }],
      published: { changes: [], rows: [] },
    });
  });

  test("have one stored body for equal bytes, however often they arrive", async () => {
    await fresh();
    for (let count = 0; count < 3; count++) await run();
    expect(await rowsOf("select generation::int from source_read order by 1")).toHaveLength(3);
    expect(await rowsOf("select from source_response")).toHaveLength(6);
    expect(await rowsOf("select from source_body")).toHaveLength(3);
  });

  test("show a single changed byte with the response and the row", async () => {
    await fresh();
    const dataset = inventedDataset([pagedSource()]);
    await run(dataset);
    const digest = sha256(pages.second);
    const changed = pages.second.replace("y-2", "y-3");
    await bed.database
      .updateTable("source_body")
      .set({ body: Buffer.from(changed) })
      .where("sha256", "=", digest)
      .execute();
    expect(await verifyDataset(dataset, partsOf())).toMatchObject({
      sources: [
        {
          state: "different",
          faults: [
            `Response 1 (https://source.example/rows) has the SHA-256 ${sha256(changed)} instead of ${digest}`,
            "Row y-3 of a differs from the accepted row",
          ],
        },
      ],
    });
  });

  test("show a changed published row by its key, also if the change log does not follow it", async () => {
    await fresh();
    const dataset = { ...inventedDataset([pagedSource()]), serves: [InfrastructureService.method.listInternetOutages] };
    await run(dataset);
    await bed.query(`update snapshot set body = replace(body::text, '"x-2"', '"x-9"')::jsonb`);
    const snapshot = { table: "snapshot", key: [ListInternetOutagesResponseSchema.typeName, ""] };
    const verified = await verifyDataset(dataset, partsOf());
    expect(verified?.sources[0]?.state).toBe("equal");
    expect(verified?.published).toMatchObject({
      changes: [
        { kind: "appeared", subject: "x-2" },
        { kind: "vanished", subject: "x-9" },
      ],
      rows: [snapshot],
    });
    expect((await verifyDataset(inventedDataset([pagedSource()]), partsOf()))?.published).toMatchObject({
      changes: [],
      rows: [snapshot],
    });
    // Nothing of the comparison is stored.
    expect(await bed.visible()).toContain("x-9");
  });

  test("give the rows of an earlier generation", async () => {
    await fresh();
    const dataset = inventedDataset([pagedSource()]);
    await run(dataset);
    pages.first = pageOf("z", 4);
    await run(dataset);
    const verified = await verifyDataset(dataset, { ...partsOf(), generation: 1 });
    expect(verified).toMatchObject({ generation: 1, sources: [{ state: "equal", rows: 5, generation: 1 }] });
    expect(verified?.published).toBeUndefined();
  });

  const rollBackTo = (dataset: InventedDataset, to: number) =>
    bed.database
      .transaction()
      .execute((transaction) =>
        rollBack(transaction, scheduled(dataset), { to, at: bed.now, datasets: [], force: true }),
      );
  const releaseDataset = ({ name }: InventedDataset) =>
    bed.database.transaction().execute((transaction) => release(transaction, name));

  test("are those of the restored generation while the dataset is rolled back and after its release", async () => {
    await fresh();
    const dataset = inventedDataset([pagedSource()]);
    await run(dataset);
    pages.first = pageOf("z", 4);
    await run(dataset);
    await rollBackTo(dataset, 1);
    const equal = {
      ...{ generation: 3, restoredFrom: 1 },
      sources: [{ state: "equal", rows: 5, generation: 1 }],
      published: { changes: [], rows: [] },
    };
    expect(await verifyDataset(dataset, partsOf())).toMatchObject(equal);
    await releaseDataset(dataset);
    for (const generation of [undefined, 3])
      expect(await verifyDataset(dataset, { ...partsOf(), generation })).toMatchObject(equal);
    // A rollback to a restored generation restores the rows of the same refresh.
    await run(dataset);
    await rollBackTo(dataset, 3);
    expect(await verifyDataset(dataset, partsOf())).toMatchObject({ ...equal, generation: 5 });
    await bed.query(`update snapshot set body = replace(body::text, '"x-2"', '"x-9"')::jsonb`);
    expect((await verifyDataset(dataset, partsOf()))?.published?.rows).toHaveLength(1);
    await releaseDataset(dataset);
    await run(dataset);
    expect(await verifyDataset(dataset, partsOf())).toMatchObject({
      ...{ generation: 6, sources: [{ rows: 6, generation: 6 }], published: { changes: [], rows: [] } },
    });
  });

  test("are not compared with a restored generation if they do not contain all of its rows", async () => {
    await fresh();
    const dataset = inventedDataset([pagedSource()]);
    await run(dataset);
    await run(dataset);
    await rollBackTo(dataset, 1);
    await bed.query("delete from source_response where generation = 1");
    await bed.query("delete from source_read where generation = 1");
    expect(await verifyDataset(dataset, partsOf())).toMatchObject({
      sources: [{ state: "none" }],
      notCompared: "no bytes of its sources are stored",
    });
    await releaseDataset(dataset);
    // The second source sends no request, so no bytes of it are stored.
    const sources = [pagedSource(), inventedSource("b", { fetch: async () => inventedRows("b", 2) })];
    const two = inventedDataset(sources);
    await run(two);
    pages.first = pageOf("z", 4);
    await run(two);
    await rollBackTo(two, 4);
    expect(await verifyDataset(two, partsOf())).toMatchObject({
      sources: [{ state: "equal", generation: 4 }, { state: "none" }],
      notCompared: "not all rows of generation 4 are in the bytes of b",
    });
  });

  test("are not compared if an input was rolled back after the computation", async () => {
    await fresh();
    const input = inventedDataset([pagedSource()]);
    await run(input);
    await run(input);
    const computed = { ...inventedDataset([pagedSource()], { name: "computed" }), reads: [input] };
    await run(computed);
    expect(await verifyDataset(computed, partsOf())).toMatchObject({ published: { changes: [], rows: [] } });
    bed.now = new Date(bed.now.getTime() + 60_000);
    await rollBackTo(input, 1);
    expect(await verifyDataset(computed, partsOf())).toMatchObject({
      notCompared: "its inputs changed since: invented",
    });
  });

  test("are not compared with a generation for which no response is stored", async () => {
    await fresh();
    const dataset = inventedDataset([pagedSource()]);
    await run(dataset);
    const { upstreams, ...parts } = partsOf();
    await run(dataset, { ...parts, upstreams: { ...upstreams, retained: undefined } });
    const verified = await verifyDataset(dataset, partsOf());
    expect(verified).toMatchObject({ generation: 2, notCompared: "a: not read for generation 2" });
    expect(verified?.published).toBeUndefined();
  });

  test("are replayed in their order if a source changes its bytes between two equal requests", async () => {
    await fresh();
    const texts = [pageOf("x", 1), pageOf("x", 2)];
    const twice = pagedSource({
      async fetch(upstream) {
        const read = async () => (await upstream.json({ url: "https://source.example/rows" })) as { rows: unknown[] };
        const all = [];
        for (const text of texts) {
          pages.first = text;
          all.push(...(await read()).rows);
        }
        return all;
      },
    });
    await run(inventedDataset([twice]));
    expect(await verifyDataset(inventedDataset([twice]), partsOf())).toMatchObject({
      sources: [{ state: "equal", responses: 2, rows: 2 }],
    });
  });

  test("keep only digests if the source forbids storage, or if the maximum is 0", async () => {
    await fresh();
    const dataset = inventedDataset([
      pagedSource({
        license: { kind: "restricted", publisher: "invented", terms: "invented" },
        permission: "ANY_API_KEY",
      }),
    ]);
    const allowed = { ANY_API_KEY: "on" };
    await run(dataset, partsOf(allowed));
    expect(await rowsOf("select from source_body where body is not null")).toHaveLength(1);
    expect(await verifyDataset(dataset, partsOf(allowed))).toMatchObject({ sources: [{ state: "digest only" }] });
    await fresh();
    const limited = partsOf({ IDS_SOURCE_MAX_MB: "0" });
    await run(undefined, limited);
    expect(await rowsOf("select from source_body where body is not null")).toEqual([]);
    expect(await verifyDataset(inventedDataset([pagedSource()]), limited)).toMatchObject({
      sources: [{ state: "deleted" }],
    });
  });

  test("end after their days, except the last read of a source", async () => {
    await fresh();
    await run();
    await run();
    bed.now = new Date(start.getTime() + 30 * dayMs);
    const before = new Date(bed.now.getTime() - 7 * dayMs);
    for (const { forget } of sourceRetention)
      while ((await forget(bed.database, before, { max: 100, now: bed.now })) > 0);
    expect(await rowsOf("select generation::int from source_read")).toEqual([{ generation: 2 }]);
    expect(await rowsOf("select from source_response")).toHaveLength(2);
    expect(await rowsOf("select from source_body")).toHaveLength(3);
  });

  test("remain with the last good rows if the next response has more bytes than accepted", async () => {
    await fresh();
    const dataset = inventedDataset([pagedSource()]);
    await run(dataset);
    const visible = await bed.visible();
    const parts = partsOf();
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(8 * 1024 * 1024)) });
    const { upstreams } = parts;
    const large = createUpstreams(
      readConfig({ ...environment, IDS_DATA_DIR: "/nowhere" }),
      () => bed.now,
      () => 0,
      {
        wait: async () => undefined,
        transport: async () => new Response(endless),
      },
    );
    const outcome = await run(dataset, { ...parts, upstreams: large });
    expect(outcome.sources[0]).toMatchObject({
      state: "failed",
      detail: "source.example sent more than 67108864 bytes",
    });
    expect(await bed.visible()).toEqual(visible);
    expect(await verifyDataset(dataset, { database: bed.database, upstreams })).toMatchObject({
      sources: [{ state: "equal", rows: 5 }],
    });
  });

  test("count earlier rows that a partial response retains", async () => {
    await fresh();
    const partial = pagedSource({
      partOf: ({ id = "" }) => id.slice(0, 1),
      parse: (response) => {
        const rows = response as { id: string }[];
        const isLacking = !rows.some(({ id }) => id.startsWith("y"));
        return { rows, rejected: [], ...(isLacking && { missing: [{ part: "y", reason: "none" }] }) };
      },
    });
    const dataset = inventedDataset([partial]);
    await run(dataset);
    pages.second = pageOf("x", 0);
    await run(dataset);
    expect(await verifyDataset(dataset, partsOf())).toMatchObject({
      sources: [{ state: "equal", rows: 3, earlierRows: 2 }],
      published: { changes: [], rows: [] },
    });
  });
});
