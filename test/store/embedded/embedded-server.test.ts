import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openEngine } from "../../../src/store/embedded/embedded-engine.ts";
import { checkpoint, vacuum } from "../../../src/store/embedded/embedded-maintenance.ts";
import { serveEmbedded } from "../../../src/store/embedded/embedded-server.ts";
import { clientConfig } from "../../../src/store/pool.ts";

const directory = mkdtempSync(join(tmpdir(), "ids-socket-"));
const log: string[] = [];
const open: Client[] = [];
let engine: PGlite;
let server: Server;

beforeAll(async () => {
  engine = await openEngine(directory);
  server = await serveEmbedded(engine, {
    path: join(directory, ".s.PGSQL.5432"),
    idleInTransactionMs: 300,
    log: (line) => log.push(line),
  });
}, 60_000);
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.end()));
});
afterAll(async () => {
  server.close();
  await engine.close();
  rmSync(directory, { recursive: true });
});

async function connect(): Promise<Client> {
  const client = new Client(clientConfig({ kind: "embedded", address: directory }, "test"));
  client.on("error", () => {});
  await client.connect();
  open.push(client);
  return client;
}

/** Cuts the connection as the death of its process would. */
function cut(client: Client): void {
  open.splice(open.indexOf(client), 1);
  if ("connection" in client && client.connection instanceof Object && "stream" in client.connection) {
    const { stream } = client.connection;
    if (stream instanceof Object && "destroy" in stream && typeof stream.destroy === "function") stream.destroy();
  }
}

test("a transaction delays the others, and they continue when it ends", async () => {
  const [one, two] = [await connect(), await connect()];
  const order: string[] = [];
  await one.query("begin");
  const waiting = two.query("select 1").then(() => order.push("two"));
  await one.query("create table held (id int)").then(() => order.push("one"));
  await one.query("drop table held");
  await one.query("commit").then(() => order.push("one"));
  await waiting;
  expect(order).toEqual(["one", "one", "two"]);
});

test("statements go before a transaction that has yet to begin, 32 of them at most", async () => {
  const [one, two] = [await connect(), await connect()];
  const readers: Client[] = [];
  for (let reader = 0; reader < 40; reader += 1) readers.push(await connect());
  await one.query("begin");
  const order: string[] = [];
  const noted = (client: Client, text: string) => client.query(text).then(() => order.push(text));
  const begun = noted(two, "begin");
  const read = readers.map((reader) => noted(reader, "select"));
  await one.query("commit");
  await begun;
  await two.query("commit");
  await Promise.all(read);
  expect(order.indexOf("begin")).toBe(32);
});

test("a statement that a transaction repeats is planned once, and forgotten with it", async () => {
  const [one, two] = [await connect(), await connect()];
  const planned = async (client: Client) =>
    (await client.query("select count(*)::int as planned from pg_prepared_statements")).rows[0].planned;
  const report = (client: Client, text: string) =>
    client.query("select $1::text as reported, $2::int as time", [text, 7]);
  await one.query("begin");
  for (let time = 0; time < 5; time += 1)
    expect((await report(one, `ü ${time}`)).rows).toEqual([{ reported: `ü ${time}`, time: 7 }]);
  expect(await planned(one)).toBe(1);
  await one.query("commit");
  expect(await planned(two)).toBe(0);
  for (let time = 0; time < 5; time += 1) expect((await report(two, "x")).rows).toEqual([{ reported: "x", time: 7 }]);
  expect(await planned(two)).toBe(0);
});

test("a statement that fails when it is repeated fails as ever, and the transaction can begin again", async () => {
  const [one, two] = [await connect(), await connect()];
  const ratio = (client: Client, by: number) => client.query("select 6 / $1::int as ratio", [by]);
  for (const round of [1, 2]) {
    await one.query("begin");
    for (let time = 0; time < 4; time += 1) expect((await ratio(one, 2)).rows, `${round}`).toEqual([{ ratio: 3 }]);
    await expect(ratio(one, 0)).rejects.toThrow("division by zero");
    await expect(ratio(one, 2)).rejects.toThrow("current transaction is aborted");
    await one.query("rollback");
  }
  await one.query("begin");
  for (let time = 0; time < 4; time += 1)
    await expect(one.query("select $1::int from nowhere", [time])).rejects.toThrow(/nowhere|aborted/);
  cut(one);
  expect((await ratio(two, 3)).rows).toEqual([{ ratio: 2 }]);
});

test("a table that a transaction changes is read as it is then, however often it was read before", async () => {
  const one = await connect();
  await one.query("begin");
  await one.query("create table shape (id int)");
  await one.query("insert into shape values (1)");
  const read = async () => (await one.query("select * from shape where id = $1", [1])).rows;
  for (let time = 0; time < 4; time += 1) expect(await read()).toEqual([{ id: 1 }]);
  await one.query("alter table shape add column name text default 'new'");
  for (let time = 0; time < 4; time += 1) expect(await read()).toEqual([{ id: 1, name: "new" }]);
  await one.query("rollback");
});

test("a client that is cut off in a transaction is rolled back at once", async () => {
  const [one, two] = [await connect(), await connect()];
  await one.query("begin");
  await one.query("create table lost (id int)");
  cut(one);
  expect((await two.query("select to_regclass('lost') as lost")).rows).toEqual([{ lost: null }]);
});

test("a waiting client that is disconnected delays no other client", async () => {
  const [one, two, three] = [await connect(), await connect(), await connect()];
  await one.query("begin");
  two.query("begin").catch(() => {});
  const third = three.query("select 3 as three");
  cut(two);
  await one.query("commit");
  expect((await third).rows).toEqual([{ three: 3 }]);
});

test("a client that idles in a transaction loses it, and the log says so", async () => {
  const [one, two] = [await connect(), await connect()];
  await one.query("begin");
  expect((await two.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await expect(one.query("commit")).rejects.toThrow("not queryable");
  expect(log).toEqual(["A transaction was rolled back: its client did nothing for 300 ms"]);
});

test("a transaction that failed ends with its rollback, not before", async () => {
  const [one, two] = [await connect(), await connect()];
  await one.query("begin");
  await expect(one.query("select 1 / $1::int", [0])).rejects.toThrow("division by zero");
  const waiting = two.query("select 1 as one");
  await expect(one.query("select 1")).rejects.toThrow("current transaction is aborted");
  await one.query("rollback");
  expect((await waiting).rows).toEqual([{ one: 1 }]);
});

test("a notification reaches every listener when the transaction is committed", async () => {
  const [one, two] = [await connect(), await connect()];
  const heard: string[] = [];
  two.on("notification", ({ channel, payload }) => heard.push(`${channel} ${payload}`));
  await two.query("listen news");
  await one.query("begin");
  await one.query("select pg_notify('news', 'undone')");
  await one.query("rollback");
  await one.query("begin");
  await one.query("select pg_notify('news', 'done')");
  expect(heard).toEqual([]);
  await one.query("commit");
  await expect.poll(() => heard).toEqual(["news done"]);
});

test("large results and values arrive whole", async () => {
  const client = await connect();
  const text = "ü".repeat(3_000_000);
  const { rows } = await client.query("select $1::text as text, repeat('x', 3000000) as made", [text]);
  expect(rows[0].text === text && rows[0].made.length === 3_000_000).toBe(true);
});

test("dead rows are cleaned up, including those of large values, and a clean table is not touched", async () => {
  const client = await connect();
  await client.query("create table changing (id int primary key, large text)");
  await client.query("alter table changing alter large set storage external");
  await client.query("insert into changing values (1, '')");
  for (let round = 0; round < 10; round++)
    await client.query("update changing set large = repeat(md5(random()::text), 10000)");
  expect(await vacuum({ kind: "embedded", address: directory })).toContain("public.changing");
  expect(await vacuum({ kind: "embedded", address: directory })).not.toContain("public.changing");
});

test("a large write-ahead log ends in a checkpoint, after which its old files are removed or used again", async () => {
  const client = await connect();
  const settings = { kind: "embedded", address: directory } as const;
  const maxBytes = 16 * 1024 ** 2;
  const files = async () => (await client.query("select count(*)::int4 as count from pg_ls_waldir()")).rows[0].count;
  const write = () => client.query("select pg_logical_emit_message(false, 'test', repeat('x', 20000000))");
  for (let round = 0; round < 8; round++) {
    await write();
    expect([await checkpoint(settings, maxBytes), await checkpoint(settings, maxBytes)]).toEqual([true, false]);
  }
  // Without checkpoints, the log would have ten files of 16 MB.
  expect(await files()).toBeLessThan(7);
});
