import { setImmediate as turned } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { catalog } from "../../../../src/contract/catalog.ts";
import { filePlanner } from "../../../../src/http/rest/formats/file-response.ts";
import { parquetWalk } from "../../../../src/http/rest/formats/parquet.ts";
import { encodeInThread } from "../../../../src/http/rest/formats/parquet-thread.ts";
import { rowPlanner } from "../../../../src/http/rest/formats/row-plan.ts";
import type { WalkStream } from "../../../../src/http/rest/formats/row-stream.ts";
import { startApp } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";
import { nothingSaid, placesOf, tableOf } from "../../../support/hostile-cells.ts";

const manyColumns = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`column${index}`, "text"] as const));
const table = tableOf(manyColumns);
const [pages, rowsInPage] = [40, 100];
const pageOf = (page: number) =>
  placesOf(
    Array.from({ length: rowsInPage }, (_, row) => table.columns.map(({ name }) => `${name} ${page} ${row}`.repeat(5))),
  );

/** All bytes of a walk, and how often the event loop turned while one of its pieces was waited for. */
async function written(walk: WalkStream) {
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  const turnsWhile = async (piece: ReturnType<WalkStream["begin"]>) => {
    const before = turns;
    pieces.push(Buffer.from(await piece));
    return turns - before;
  };
  const pieces: Buffer[] = [];
  await turnsWhile(walk.begin());
  turn();
  const turned: number[] = [];
  for (let page = 0; page < pages; page += 1) turned.push(await turnsWhile(walk.rows(pageOf(page))));
  turned.push(await turnsWhile(walk.end()));
  clearImmediate(next!);
  return { bytes: Buffer.concat(pieces), max: turned.toSorted((a, b) => b - a) };
}

test("while the row groups of a Parquet file of many rows are encoded, and its end is, the event loop turns for others", async () => {
  const operation = catalog.find(({ name }) => name === "ListGlobalTenders")!;
  const plan = filePlanner(
    rowPlanner(
      operation,
      () => [],
      () => ({ sources: [], parts: [] }),
    ),
  );
  const file = { format: "parquet", table, raw: false, all: true, columns: "path" } as const;
  const { stream } = plan(file, create(operation.method.input), { lasting: [], readAt: undefined });
  using walk = stream();
  const { bytes, max } = await written(walk);
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
  expect([rows.length, rows[123]]).toEqual([
    pages * rowsInPage,
    Object.fromEntries(table.columns.map(({ name }) => [name, `${name} 1 23`.repeat(5)])),
  ]);
  // Four groups and the end: encoded at once, the loop would turn in none of them, however busy the machine is.
  expect(max.slice(0, 5).every((turns) => turns >= 1)).toBe(true);
});

test("a Parquet file of one large page is also encoded outside the request thread, and equals a walk's file", async () => {
  const operation = catalog.find(({ name }) => name === "ListGlobalTenders")!;
  const plan = filePlanner(
    rowPlanner(
      operation,
      () => [],
      () => ({ sources: [], parts: [] }),
    ),
  );
  const file = { format: "parquet", table, raw: false, all: false, columns: "path" } as const;
  const { stream, whole } = plan(file, create(operation.method.input), { lasting: [], readAt: undefined });
  const rows = Array.from({ length: pages }, (_, page) => pageOf(page)).flat();
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  turn();
  const bytes = await whole(rows);
  clearImmediate(next!);
  // Each group of 1,000 rows takes far longer than a turn; encoded at once there would be none.
  expect(turns).toBeGreaterThanOrEqual((pages * rowsInPage) / 1_000);
  using walk = stream();
  expect(bytes.equals((await written(walk)).bytes)).toBe(true);
});

test("a row that cannot be encoded fails only its own file", async () => {
  const figures = tableOf({ figure: "bigint" });
  using good = parquetWalk(figures, nothingSaid, false);
  using bad = parquetWalk(figures, nothingSaid, false);
  const pieces = [await good.begin(), await good.rows(placesOf([["1"], [null]]))];
  await bad.begin();
  await bad.rows(placesOf([[String(2n ** 64n)]]));
  await expect(async () => bad.end()).rejects.toThrow(/out of range/);
  const bytes = Buffer.concat([...pieces, await good.end()].map((piece) => Buffer.from(piece)));
  expect(await parquetReadObjects({ file: new Uint8Array(bytes).buffer })).toEqual([{ figure: 1n }, { figure: null }]);
});

test("files under way fail where the thread ends, later steps too, and the next file has another thread", async () => {
  const plan = { columns: [{ name: "word", type: "text", item: "text" }], metadata: [] } as const;
  using underWay = encodeInThread(plan);
  await underWay.begin();
  using fatal = encodeInThread({ ...plan, columns: null as never });
  const lost = { name: "Unavailable", cause: expect.any(TypeError) };
  await expect(fatal.begin()).rejects.toMatchObject(lost);
  await expect(underWay.rows([["lost"]])).rejects.toMatchObject(lost);
  using next = encodeInThread(plan);
  expect((await next.begin()).toString()).toBe("PAR1");
});

test("over HTTP a file whose thread ends is a 503 that says so, and the next is whole", async () => {
  const database = await openOnce();
  await using app = await startApp(database);
  await app.refresh("conflict-events");
  const key = await app.key("enterprise");
  const rows = 200;
  const sendRequest = () => app.get(`/api/conflict/v1/list-conflict-events?format=parquet&limit=${rows}`, { key });
  const requested = sendRequest();
  const isResponded = requested.then(() => true);
  while (!(await Promise.race([isResponded, turned(false)]))) {
    using fatal = encodeInThread({ columns: null as never, metadata: [] });
    await fatal.begin().catch(() => undefined);
  }
  const rejected = await requested;
  expect([rejected.status, rejected.headers.get("Retry-After")]).toEqual([503, "1"]);
  expect(await rejected.json()).toMatchObject({ message: "The file could not be written: try again" });
  const next = await sendRequest();
  expect((await parquetReadObjects({ file: await next.arrayBuffer() })).length).toBe(rows);
  await database.close();
});
