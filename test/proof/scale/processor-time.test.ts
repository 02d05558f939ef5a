import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { Agent, request } from "undici";
import { beforeAll, describe, expect, test } from "vitest";
import { processorMs } from "../../../bench/processor-time.ts";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { storeKey } from "../../../src/access/keys/keys.ts";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { median } from "../../support/median.ts";
import { type ServeProcess, startServeProcess } from "../../support/processes/serve-process.ts";
import { hasPostgres, startPostgres } from "../../support/servers/postgres-server.ts";
import { hasWrk } from "../../support/wrk.ts";

const max = 6;
/** Sets of this number of replicas that share a store. There are as many such sets as make `most`. */
const fewer = [1, 2, 3];
const rounds = 8;
/** The rate of each replica. */
const perSecond = 15;
const prepared = "/api/intelligence/v1/get-risk-scores?region=UA";
/** Requests a minute that no load here comes to, and those of a large customer. */
const [unreached, large] = [100_000_000, 100_000];
const run = promisify(execFile);
if (!hasWrk) console.warn("No wrk on this machine: THE RATE OF KEYED READS IS NOT MEASURED");

describe.skipIf(!hasPostgres)("Requests of keys on one Postgres", () => {
  const [unlimited, limited] = [newKey(randomBytes), newKey(randomBytes)];
  let database: Database;
  let replicas: readonly ServeProcess[];
  /** Where fewer share one: addresses of copies of the database. */
  let copies: ReadonlyMap<number, readonly string[]>;
  let environment: Readonly<Record<string, string>>;
  /** One with an embedded database, which counts in memory. */
  let only: { readonly service: ServeProcess; readonly key: string };

  beforeAll(async () => {
    await using stack = new AsyncDisposableStack();
    const server = stack.use(await startPostgres("max_connections=400"));
    const folder = () => {
      const directory = mkdtempSync(join(tmpdir(), "ids-processor-"));
      stack.defer(() => rmSync(directory, { recursive: true, force: true }));
      return directory;
    };
    const limits = { IDS_PLAN_LIMITS: `enterprise=${unreached}/-,pro_monthly=${large}/-` };
    environment = { ...limits, IDS_DATA_DIR: folder(), DATABASE_URL: server.url };
    const first = await startServeProcess(environment);
    await first.firstSuccess("/readyz");
    await first.stop();
    const place = { url: server.url, directory: "", name: "test" };
    const open = () => openDatabase(place);
    const keys = await open();
    const give = (key: string, account: string, plan: string) =>
      storeKey(keys.kysely, key, { account, plan, name: "test" }, new Date());
    await give(unlimited, "one", "enterprise");
    await give(limited, "two", "pro_monthly");
    await keys.close();
    copies = await copiesOf(server.url);
    database = stack.adopt(await open(), (opened) => opened.close());
    const started: ServeProcess[] = [];
    for (let index = 0; index < max; index++)
      started.push(stack.use(await startServeProcess(environment, ["--no-work"])));
    replicas = started;
    const directory = folder();
    const service = stack.use(await startServeProcess({ ...limits, IDS_DATA_DIR: directory }));
    for (const each of [...replicas, service]) await each.firstSuccess("/readyz");
    only = { service, key: JSON.parse(readFileSync(join(directory, "demo-keys.json"), "utf8")).enterprise };
    const running = stack.move();
    return () => running.disposeAsync();
  }, 180_000);

  // All are asked at the same time, so that the machine is as fast and as busy for each: only who shares a store differs.
  test(`take the same processor time if ${max} replicas share a store or one has its own`, {
    timeout: 900_000,
  }, async () => {
    const seconds = 20;
    await using stack = new AsyncDisposableStack();
    const sets = new Map([[max, replicas]]);
    for (const [count, urls] of copies) {
      const set: ServeProcess[] = [];
      for (const url of urls)
        for (let index = 0; index < count; index++)
          set.push(stack.use(await startServeProcess({ ...environment, DATABASE_URL: url }, ["--no-work"])));
      for (const each of set) await each.firstSuccess("/readyz");
      sets.set(count, set);
    }
    // Those of one set are not all asked first.
    const all = replicas.flatMap((_, place) => [...sets.values()].flatMap((set) => set[place] ?? []));
    using _awake = preventSleep();
    const sendRequest = () => offered(all, unlimited, { seconds, perSecond, pathOf: halfPrepared });
    await sendRequest();
    const taken: (readonly number[])[] = [];
    let requested = 0;
    for (let round = 0; round < rounds; round++)
      taken.push(
        await processorOf([...sets.values()], async () => {
          requested = (await sendRequest()) / sets.size;
        }),
      );
    // At the end, as who has just started has more to do.
    const idle = await processorOf([...sets.values()], () => delay(seconds * 1_000));
    /** Milliseconds of one request in each set, without the idle time of its replicas. */
    const times = taken.map((round) => round.map((ms, set) => (ms - idle[set]!) / requested));
    const counts = [...sets.keys()];
    const ofSet = (count: number) => times.map((each) => each[counts.indexOf(count)] ?? Number.NaN);
    const ratios = new Map(counts.map((count) => [count, median(ofSet(count).map((ms, at) => ms / ofSet(1)[at]!))]));
    const reported = counts
      .toSorted((a, b) => a - b)
      .map((count) => {
        const own = ofSet(count);
        return `${count} a store: ${median(own).toFixed(3)} ms (${Math.min(...own).toFixed(3)} to ${Math.max(...own).toFixed(3)}), ${ratios.get(count)?.toFixed(3)} of one`;
      });
    console.log(
      `${all.length} replicas, ${perSecond} requests/s of each, processors kept awake; ${reported.join("; ")}; idle ${idle.map((ms) => (ms / max / seconds).toFixed(1)).join(", ")} ms a second`,
    );
    for (const [count, ratio] of ratios) expect(ratio, `${count} replicas a store`).toBeLessThan(1.05);
  });

  test(`ask the store at most 5 times in 1,000, of ${large} a minute`, { timeout: 120_000 }, async () => {
    const seconds = 20;
    const some = replicas.slice(0, 2);
    const idling = () => transactions(database, () => delay(seconds * 1_000));
    const before = await idling();
    let done = 0;
    const requested = await transactions(database, async () => {
      done = await offered(some, limited, { seconds, perSecond: 500, pathOf: () => prepared });
    });
    const idle = Math.min(before, await idling());
    const inThousand = (1_000 * (requested - idle)) / done;
    console.log(
      `${requested} transactions, ${idle} without requests: ${inThousand.toFixed(2)} in 1,000 of ${done} requests`,
    );
    expect(inThousand).toBeLessThanOrEqual(5);
  });

  test.skipIf(!hasWrk)(
    "are answered at 0.9 of the rate of a process that counts in memory",
    { timeout: 300_000 },
    async () => {
      const [shared] = replicas;
      const ratios: number[] = [];
      const rates: string[] = [];
      for (let round = 0; round <= rounds; round++) {
        const [ours, memory] = [await rate(shared?.url, unlimited), await rate(only.service.url, only.key)];
        if (round === 0) continue;
        ratios.push(ours / memory);
        rates.push(`${ours.toFixed(0)} to ${memory.toFixed(0)}`);
      }
      console.log(`requests/s ${rates.join(", ")}: ${median(ratios).toFixed(2)} at the median`);
      expect(median(ratios)).toBeGreaterThanOrEqual(0.9);
    },
  );
});

/** Copies of a server's database, for sets of replicas that share one. */
async function copiesOf(url: string): Promise<ReadonlyMap<number, readonly string[]>> {
  const addressOf = (name: string) => url.replace("/postgres?", `/${name}?`);
  const client = new pg.Client({ connectionString: addressOf("template1") });
  await client.connect();
  const copies = new Map<number, string[]>();
  for (const count of fewer)
    for (let index = 0; index < max / count; index++) {
      const name = `copy_${count}_${index}`;
      await client.query(`create database ${name} template postgres`);
      copies.set(count, [...(copies.get(count) ?? []), addressOf(name)]);
    }
  await client.end();
  return copies;
}

/** Keeps the processors from resting, below the priority of all else: where they rest between requests, one takes longer. */
function preventSleep(): Disposable {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn("chrt", ["--idle", "0", process.execPath, "-e", "for (;;);"], { stdio: "ignore" }),
  );
  return { [Symbol.dispose]: () => loops.forEach((loop) => void loop.kill("SIGKILL")) };
}

/** Milliseconds of processor time that each set of processes takes during some work. */
async function processorOf(
  sets: readonly (readonly ServeProcess[])[],
  work: () => Promise<unknown>,
): Promise<readonly number[]> {
  const sums = () => sets.map((set) => set.reduce((total, { process: { pid } }) => total + processorMs(pid ?? 0), 0));
  const before = sums();
  await work();
  return sums().map((sum, set) => sum - before[set]!);
}

let distinct = 1_000;

/** A prepared request and a new one, in turn. */
function halfPrepared(index: number): string {
  distinct += 1;
  return index % 2 === 0 ? prepared : `/api/economic/v1/list-global-tenders?page_size=20&min_value=${distinct}`;
}

/** Asks each so often a second. Returns how many were answered. */
async function offered(
  services: readonly ServeProcess[],
  key: string,
  load: { readonly seconds: number; readonly perSecond: number; readonly pathOf: (index: number) => string },
): Promise<number> {
  const dispatcher = new Agent({ connections: 20 });
  const headers = { "X-Service-Key": key };
  let done = 0;
  const read = async (url: string, path: string) => {
    const { statusCode, body } = await request(url + path, { dispatcher, headers });
    await body.dump();
    if (statusCode === 200) done += 1;
  };
  const begun = performance.now();
  const requested: Promise<void>[] = [];
  for (let index = 0; index < load.seconds * load.perSecond; index++) {
    await delay(Math.max(0, begun + (index * 1_000) / load.perSecond - performance.now()));
    for (const { url } of services) requested.push(read(url, load.pathOf(index)));
  }
  await Promise.all(requested);
  await dispatcher.close();
  expect(done, "answered with 200").toBe(requested.length);
  return done;
}

/** Transactions of a database during some work. Its sessions report theirs a while later. */
async function transactions(database: Database, work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    await delay(2_000);
    const { rows } = await database.query(
      "select sum(xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()",
    );
    return Number(Object(rows[0]).count);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

async function rate(url: string | undefined, key: string): Promise<number> {
  const { stdout } = await run("wrk", ["-t1", "-c16", "-d3s", "-H", `X-Service-Key: ${key}`, `${url}${prepared}`]);
  if (stdout.includes("Non-2xx")) throw new Error(stdout);
  return Number(/Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]);
}
