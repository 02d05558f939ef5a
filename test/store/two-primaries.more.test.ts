import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Unavailable } from "../../src/errors.ts";
import { attachDatabase, type Database } from "../../src/store/database.ts";
import { leaderOf } from "../../src/store/host-status.ts";
import { type Listener, listen } from "../../src/store/listener.ts";
import { eventually } from "../support/app.ts";
import { freePort } from "../support/processes/serve-process.ts";
import { hasPostgres, type PostgresServer, startPostgres, startStandby } from "../support/servers/postgres-server.ts";

const size = 3;

test.each([
  ["alone", [1], undefined],
  ["on one timeline", [2, 2], undefined],
  ["without timelines", [undefined, undefined], undefined],
  ["of which one has no timeline", [undefined, 2], undefined],
  ["of which one was left behind", [9, 10, undefined, 10], 1],
])("among primaries %s no other than the first on the highest timeline leads", (_, timelines, place) => {
  const standby = { at: { host: "standby", port: 1 }, isStandby: true };
  const primaries = timelines.map((timeline, port) => ({ at: { host: "primary", port }, isStandby: false, timeline }));
  expect(leaderOf([standby, ...primaries])?.at.port).toBe(place);
});

describe.skipIf(!hasPostgres)("a primary that stood still and the standby that was promoted in the meantime", () => {
  let ports: readonly [number, number];
  let first: PostgresServer;
  let second: PostgresServer;
  let pool: Database;
  let listener: Listener;
  const heard: string[] = [];
  /** The log's lines. */
  const said: string[] = [];
  const log = (message: string) => void said.push(message);
  const ofSecondPrimary = () => said.filter((line) => line.includes("second primary"));
  const openPool = () =>
    attachDatabase(
      {
        kind: "postgres",
        address: `postgres://ids@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/postgres?target_session_attrs=read-write`,
      },
      { name: "test", log },
    );
  const on = async <R>(port: number, statement: string): Promise<R[]> => {
    const client = new Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` });
    await client.connect();
    const { rows } = await client.query(statement).finally(() => client.end());
    return rows as R[];
  };
  const wordsOn = async (port: number) =>
    (await on<{ word: string }>(port, "select word from ids.written order by word")).map(({ word }) => word);
  const write = (word: string) => sql`insert into written values (${word})`.execute(pool.kysely);
  /** Of as many connections at once, which server each leads to and as which process of it. */
  const sessionsOf = (database: Database) =>
    Promise.all(
      Array.from({ length: size }, async () => {
        const statement = "select inet_server_port() as port, pg_backend_pid() as pid";
        const { rows } = await database.query(statement).catch(() => ({ rows: [] }));
        return rows[0] as { port: number; pid: number } | undefined;
      }),
    );
  const pidsOf = async (database: Database) => (await sessionsOf(database)).map((session) => session?.pid).sort();

  beforeAll(async () => {
    ports = [await freePort(), await freePort()];
    first = await startPostgres("listen_addresses=127.0.0.1", `port=${ports[0]}`);
    await on(ports[0], "create role ids login; create schema authorization ids; create table ids.written (word text)");
    await on(ports[0], "grant all on ids.written to ids");
    second = await startStandby(ports[0], "listen_addresses=127.0.0.1", `port=${ports[1]}`);
    pool = openPool();
    listener = listen(pool.settings, {
      ...{ channel: "news", log, onConnect: () => undefined },
      onNotification: (payload) => heard.push(payload),
    });
  });
  afterAll(async () => {
    await listener.close();
    await pool.close();
    await second[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
  });

  test("nothing is given up while the one answers as a standby", async () => {
    const pids = await pidsOf(pool);
    await eventually(
      () =>
        on(ports[1], "select 1 from pg_stat_activity where application_name = 'ids primary watch' and state = 'idle'"),
      (looks) => looks.length === 1,
    );
    expect([await pidsOf(pool), said]).toEqual([pids, []]);
  });

  test("a pool writes only to the promoted one, even on its earlier connections, and a listener hears it", async () => {
    const begun = Promise.withResolvers<void>();
    const moved = Promise.withResolvers<void>();
    const open = pool.kysely.transaction().execute(async (transaction) => {
      await sql`insert into written values ('open')`.execute(transaction);
      begun.resolve();
      await moved.promise;
    });
    const outcome = open.catch((error: unknown) => error);
    await begun.promise;
    first.pause();
    await second.promote();
    first.resume();

    await eventually(
      () => sessionsOf(pool),
      (sessions) => sessions.every((session) => session?.port === ports[1]),
    ).finally(moved.resolve);
    expect(await outcome).toBeInstanceOf(Unavailable);
    const words = Array.from({ length: 9 }, (_, number) => `after-${number}`);
    await Promise.all(words.map(write));
    expect([await wordsOn(ports[0]), await wordsOn(ports[1])]).toEqual([[], words]);
    await eventually(
      async () => {
        await on(ports[1], "notify news, 'of the promoted one'");
        return heard;
      },
      (payloads) => payloads.includes("of the promoted one"),
    );
    expect(ofSecondPrimary()).toEqual([
      `A second primary answers at 127.0.0.1:${ports[0]}, on timeline 1, while 127.0.0.1:${ports[1]} is on timeline 2: ` +
        "it is no longer used. Fence it: data that is written to it is lost.",
    ]);
  });

  test("new connections lead to the promoted one, and continue to do so", async () => {
    const next = openPool();
    const sessions = await sessionsOf(next);
    expect(sessions.map((session) => session?.port)).toEqual(Array(size).fill(ports[1]));
    await next.close();
    expect(ofSecondPrimary()).toHaveLength(1);
  });
});
