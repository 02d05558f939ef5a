import { Writable } from "node:stream";
import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attachDatabase, type Database, openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { replicaLimits } from "../../src/store/pool.ts";
import { raiseGeneration } from "../../src/store/served/generations.ts";
import { eventually, startApp, type TestApp, testTime } from "../support/app.ts";
import { freePort } from "../support/processes/serve-process.ts";
import { hasPostgres, type PostgresServer, startPostgres, startStandby } from "../support/servers/postgres-server.ts";

const tenders = "/api/economic/v1/list-global-tenders?page_size=50";
const onReplica = { replica: 1, primary: 0, both: 0 };
const environment = { IDS_LOG_LEVEL: "warn" };

describe.skipIf(!hasPostgres)("a replica that is read from", { timeout: 120_000 }, () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let database: Database;
  let replica: Database;
  let app: TestApp;
  /** The log's lines. */
  const said: string[] = [];
  let onStandby: (statement: string) => Promise<void>;
  beforeAll(async () => {
    const ports = [await freePort(), await freePort()];
    const listening = (port: number | undefined) => ["listen_addresses=127.0.0.1", `port=${port}`];
    const urlOf = (port: number | undefined) => `postgres://postgres@127.0.0.1:${port}/postgres`;
    primary = await startPostgres(...listening(ports[0]));
    database = await openDatabase({ url: urlOf(ports[0]), directory: "/nowhere", name: "test", log: () => undefined });
    await migrate(database, () => new Date());
    standby = await startStandby(ports[0] ?? 0, ...listening(ports[1]));
    replica = attachDatabase({ kind: "postgres", address: urlOf(ports[1]) }, { name: "reads", limits: replicaLimits });
    onStandby = async (statement) => {
      const client = new Client({ connectionString: urlOf(ports[1]) });
      await client.connect();
      await client.query(statement);
      await client.end();
    };
    const log = new Writable({
      write(line, _encoding, done) {
        said.push(JSON.parse(String(line)).msg);
        done();
      },
    });
    app = await startApp(database, { replica, maxLagMs: 2_000, environment, log });
    await app.refresh("global-tenders");
    await readsFrom("replica");
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await replica.close();
    await database.close();
    await standby[Symbol.asyncDispose]();
    await primary[Symbol.asyncDispose]();
  });

  const ready = async () => (await (await app.get("/readyz")).json()) as { status: string; reads: string };
  const readsFrom = (server: string) => eventually(ready, ({ reads }) => reads === server);
  let requested = 0;
  /** A read without a cached response. */
  const read = async () => {
    requested += 1;
    return app.get(`${tenders}&min_value=-${requested}`);
  };
  /** The number of reads per server during this work. */
  const counted = async (work: () => Promise<void>) => {
    const counts = async () => {
      const text = await (await app.get("/metrics")).text();
      return (from: string) =>
        Number(new RegExp(`^ids_replica_reads_total{from="${from}"} (\\d+)$`, "m").exec(text)?.[1]);
    };
    const before = await counts();
    await work();
    const after = await counts();
    return Object.fromEntries(["replica", "primary", "both"].map((from) => [from, after(from) - before(from)]));
  };
  /** The fault of a response, or undefined if it is whole. */
  const faultOf = async (response: Response) => {
    const body = await response.text();
    const isWhole = response.status === 200 && JSON.parse(body).tenders.length > 0;
    return isWhole ? undefined : `${response.status} ${body}`;
  };
  /** Two at a time until it ends; what was not whole. */
  const readAllTheWhile = () => {
    let isOver = false;
    const failed: string[] = [];
    const one = async () => {
      while (!isOver) {
        const fault = await faultOf(await read());
        if (fault !== undefined) failed.push(fault);
      }
    };
    const all = Promise.all([one(), one()]);
    return {
      async end() {
        isOver = true;
        await all;
        return failed;
      },
    };
  };
  const readWell = async () => expect(await faultOf(await read())).toBeUndefined();

  test("takes the reads of data, those of the past among them, and finds there what the primary has", async () => {
    await app.refresh("conflict-events");
    const only = await startApp(database);
    for (const path of [
      tenders,
      "/api/changes/v1/list-changes",
      "/api/history/v1/list-series",
      `/api/conflict/v1/list-conflict-events?as_of=${testTime.toISOString()}`,
    ]) {
      // The writes of a start must arrive first.
      await readsFrom("replica");
      const bodies: string[] = [];
      expect(await counted(async () => void bodies.push(await (await app.get(path)).text()))).toEqual(onReplica);
      expect(await (await only.get(path)).text()).toBe(bodies[0]);
    }
    await only[Symbol.asyncDispose]();
  });

  test("is read from however long nothing is written", async () => {
    const until = performance.now() + 5_000;
    while (performance.now() < until) expect(await ready()).toMatchObject({ status: "ready", reads: "replica" });
  });

  /** Gives every tender a title of its generation. */
  const publish = async (number: number) => {
    await database.kysely.transaction().execute(async (transaction) => {
      await sql`update tender_detail set title = ${`generation ${number}`}`.execute(transaction);
      await raiseGeneration(transaction, "global-tenders");
    });
    await app.settled();
  };
  /** The generation of a page. Fails if it mixes two. */
  const generationRead = async () => {
    const { tenders: rows } = (await (await read()).json()) as { tenders: { title: string }[] };
    const [title, ...others] = new Set(rows.map((row) => row.title));
    expect(others).toEqual([]);
    return Number(title?.replace("generation ", ""));
  };

  test("is not read from while it lacks what is served here, and again once it has it", async () => {
    await publish(1);
    await onStandby("select pg_wal_replay_pause()");
    await publish(2);
    expect(await counted(async () => expect(await generationRead()).toBe(2))).toEqual({
      replica: 0,
      primary: 1,
      both: 0,
    });
    await onStandby("select pg_wal_replay_resume()");
    await eventually(
      () => counted(async () => expect(await generationRead()).toBe(2)),
      ({ replica: count }) => count === 1,
    );
  });

  test("never shows a page of two generations, nor one older than was served before", async () => {
    let published = 2;
    let pages = 0;
    const readOn = async () => {
      while (published < 42) {
        const before = published;
        expect(await generationRead()).toBeGreaterThanOrEqual(before);
        pages += 1;
      }
    };
    const reading = Promise.all([readOn(), readOn()]);
    const shared = await counted(async () => {
      for (let next = 3; next <= 42; next += 1) {
        await publish(next);
        published = next;
      }
      await reading;
    });
    expect(pages).toBeGreaterThan(40);
    for (const server of ["replica", "primary"]) expect(shared[server]).toBeGreaterThan(0);
  });

  test("is not read from while it is too far behind, which is said once", async () => {
    said.length = 0;
    await onStandby("select pg_wal_replay_pause()");
    const key = await app.key("operator");
    await readsFrom("primary");
    expect(await counted(readWell)).toEqual({ replica: 0, primary: 1, both: 0 });
    // The key that was just written is readable.
    expect((await app.get("/api/account/v1/get-caller", { key })).status).toBe(200);
    await onStandby("select pg_wal_replay_resume()");
    await readsFrom("replica");
    expect(said).toEqual([
      expect.stringMatching(/^Reads go to the primary: the replica is behind, by [23] s$/),
      "Reads go to the replica again",
    ]);
  });

  test("may be killed and come back: no read fails", async () => {
    said.length = 0;
    const reading = readAllTheWhile();
    await standby.stop();
    await readsFrom("primary");
    await standby.start();
    await readsFrom("replica");
    expect(await reading.end()).toEqual([]);
    // Until it has caught up it is behind.
    expect(said.filter((line) => !line.includes("is behind"))).toEqual([
      "Reads go to the primary: the replica is unreachable",
      "Reads go to the replica again",
    ]);
  });

  test("may stand still: what was asked of it is asked of the primary", async () => {
    const reading = readAllTheWhile();
    standby.pause();
    await readsFrom("primary");
    const began = performance.now();
    await readWell();
    expect(performance.now() - began).toBeLessThan(1_000);
    standby.resume();
    await readsFrom("replica");
    expect(await reading.end()).toEqual([]);
  });

  test("is still read from while the primary is unreachable", async () => {
    await primary.stop();
    expect(await counted(async () => void (await readWell()))).toMatchObject({ replica: 1 });
    // A balancer still sends reads here.
    app.setTime(new Date(testTime.getTime() + 30_000));
    expect(await ready()).toMatchObject({ status: "ready", reads: "replica" });
    app.setTime(testTime);
    await primary.start();
    await eventually(ready, ({ status }) => status === "ready");
  });

  test("is not read from after its promotion", async () => {
    await standby.promote();
    await readsFrom("primary");
    await readWell();
  });
});
