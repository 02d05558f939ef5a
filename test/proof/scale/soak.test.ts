import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { boundedTables } from "../../../src/runtime/bounded-tables.ts";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { median } from "../../support/median.ts";
import { type ServeProcess, startServeProcess } from "../../support/processes/serve-process.ts";
import { hasPostgres, startPostgres } from "../../support/servers/postgres-server.ts";
import { startReceiver } from "../../support/servers/webhook-receiver.ts";

const minutes = Number(process.env.IDS_SOAK_MINUTES ?? 30);
const program = fileURLToPath(new URL("../../../bin/ids", import.meta.url));
const operator = `ids_${"5".repeat(40)}`;
const account = "/api/account/v1";
const streams = 50;
const reads = [
  "/api/infrastructure/v1/list-internet-outages",
  "/api/intelligence/v1/get-risk-scores",
  "/api/economic/v1/list-global-tenders?query=road",
  "/api/country/v1/get-country-brief?country=UA",
  "/api/market/v1/get-physical-premiums?format=csv",
];
/** 600 a minute are allowed. */
const events = "/api/conflict/v1/list-conflict-events?country=UA";
const exports = ["csv", "ndjson", "parquet"].map(
  (format) => `/api/economic/v1/list-global-tenders?all=true&format=${format}`,
);

/** What must not grow while the same is done again and again. */
interface Sample {
  readonly residentMb: number;
  /** Without the connections of callers, who keep as many as they like. */
  readonly descriptors: number;
  readonly callers: number;
  readonly connections: number;
  readonly timers: number;
  readonly requests: number;
  readonly failed: number;
}

describe.skipIf(!hasPostgres)(`${minutes} minutes at half of what one process can do`, () => {
  test("memory, descriptors, connections, timers, and tables stand still", {
    timeout: (minutes + 10) * 60_000,
  }, async () => {
    await using server = await startPostgres();
    await using folder = await mkdtempDisposable(join(tmpdir(), "ids-soak-"));
    const environment = {
      ...{ DATABASE_URL: server.url, IDS_DATA_DIR: folder.path, IDS_OPERATOR_KEY: operator },
      IDS_ALLOW_LOOPBACK_WEBHOOKS: "on",
    };
    await using service = await startServeProcess(environment);
    await service.firstSuccess("/readyz");
    const database = await openDatabase({ url: server.url, directory: "/nowhere", name: "soak", log: () => undefined });
    await using receiver = await startReceiver();
    const ending = new AbortController();
    const counts = { requests: 0, failed: 0 };
    const rejected = new Map<string, number>();
    const sendRequest = async (path: string, init: RequestInit = {}) => {
      const headers = { "X-Service-Key": operator, ...init.headers };
      const response = await fetch(service.url + path, { ...init, headers });
      counts.requests += 1;
      if (!response.ok) {
        counts.failed += 1;
        const answer = `${response.status} ${new URL(response.url).pathname}`;
        rejected.set(answer, (rejected.get(answer) ?? 0) + 1);
      }
      return response;
    };
    const post = async (path: string, body: object, key = operator) =>
      (
        await sendRequest(path, { method: "POST", body: JSON.stringify(body), headers: { "X-Service-Key": key } })
      ).json();

    await post(`${account}/create-account`, { id: "soak", plan: "enterprise" });
    const own = Object(await post(`${account}/create-api-key`, { name: "first", account: "soak" })).secret;

    const capacity = await fastest(sendRequest);
    const rounds = [
      every(1_000 / (capacity / 2), (turn) => drained(sendRequest(reads[turn % reads.length] ?? ""))),
      every(200, () => drained(sendRequest(events))),
      every(5_000, (turn) => drained(sendRequest(exports[turn % exports.length] ?? ""))),
      every(10_000, () => rotated((path, body) => post(path, body, own))),
      every(7_000, deliveries(post, receiver.url)),
      every(60_000, () => refreshed(environment)),
      ...Array.from({ length: streams }, (_, place) => every(0, () => watched(service, 60_000 + place * 1_000))),
    ];
    const running = Promise.all(rounds.map((round) => round(ending.signal)));
    running.catch(() => undefined);
    const samples: Sample[] = [];
    const rows: ReadonlyMap<string, number>[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      await delay(60_000);
      samples.push(await sampleOf(service, database, counts));
      rows.push(await tableRows(database));
    }
    ending.abort();
    report(capacity, samples, receiver.received.length);
    for (const [answer, times] of rejected) console.log(`${answer}: ${times} times`);
    const complaints = service.logged().split("\n");
    for (const line of complaints.filter((each) => /"level":[45]0/.test(each)).slice(0, 20))
      console.log(line.slice(0, 300));
    await database.close();
    await running;

    const [early, late] = [samples.slice(minutes / 3, minutes / 2), samples.slice(-minutes / 6)];
    const of = (some: readonly Sample[], name: keyof Sample) => median(some.map((sample) => sample[name]));
    expect(of(late, "residentMb")).toBeLessThan(1.1 * of(early, "residentMb") + 10);
    expect(of(late, "descriptors")).toBeLessThanOrEqual(of(early, "descriptors") + 10);
    expect(of(late, "connections")).toBeLessThanOrEqual(of(early, "connections") + 3);
    expect(of(late, "timers")).toBeLessThanOrEqual(of(early, "timers") + streams);
    // A shorter run has too few samples for a slope.
    if (minutes >= 120) expect(memorySlope(samples.slice(minutes / 3))).toBeLessThanOrEqual(1);
    expect(counts.failed).toBe(0);
    const [middle, end] = [rows[Math.floor(minutes / 2)], rows.at(-1)];
    const grown = [...(end ?? [])].filter(
      ([table, count]) => table in boundedTables && count > 1.05 * (middle?.get(table) ?? 0) + 20,
    );
    expect(grown).toEqual([]);
  });
});

/** Requests a second, eight at a time. */
async function fastest(sendRequest: (path: string) => Promise<Response>): Promise<number> {
  const forMs = 10_000;
  const until = performance.now() + forMs;
  let done = 0;
  const lane = async () => {
    for (; performance.now() < until; done++) await drained(sendRequest(reads[done % reads.length] ?? ""));
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return (done / forMs) * 1_000;
}

/** On a machine that is busy with something else the requests come late, and not over sockets without number. */
const maxPending = 32;

/**
 * Repeats a task every `milliseconds`, several at a time if it takes longer, until it is aborted. Then it throws any
 * failure.
 */
function every(milliseconds: number, work: (turn: number) => Promise<unknown>) {
  return async (signal: AbortSignal) => {
    const underWay = new Set<Promise<unknown>>();
    const failures: unknown[] = [];
    const begun = performance.now();
    for (let turn = 0; !signal.aborted; turn++) {
      const one = work(turn)
        .catch((error: unknown) => {
          if (signal.aborted) return;
          const at = ((performance.now() - begun) / 60_000).toFixed(1);
          failures.push(
            new Error(`turn ${turn} of every ${milliseconds.toFixed(1)} ms, minute ${at}`, { cause: error }),
          );
        })
        .finally(() => underWay.delete(one));
      underWay.add(one);
      if (underWay.size >= maxPending || milliseconds === 0) await Promise.race(underWay);
      const early = begun + (turn + 1) * milliseconds - performance.now();
      await delay(Math.max(0, early), undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(underWay);
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} failed`);
  };
}

async function drained(response: Promise<Response>): Promise<void> {
  await (await response).arrayBuffer();
}

type Post = (path: string, body: object, key?: string) => Promise<unknown>;

/** A key is made, rotated, used and revoked. */
async function rotated(post: Post): Promise<void> {
  const made = Object(await post(`${account}/create-api-key`, { name: "soak" }));
  const next = Object(await post(`${account}/rotate-api-key`, { keyId: made.key.id, overlapSeconds: 0 }));
  await post(`${account}/revoke-api-key`, { keyId: next.key.id });
}

function deliveries(post: Post, callbackUrl: string) {
  let registered: Promise<string> | undefined;
  const path = "/api/v2/shipping/webhooks";
  return async () => {
    registered ??= post(path, { callbackUrl }).then((response) => String(Object(response).subscriberId));
    await post(`${path}/${await registered}/test`, {});
  };
}

/** A refresh by another process, which this one hears of. */
async function refreshed(environment: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(program, ["ingest", "internet-outages", "conflict-events"], {
    env: { PATH: process.env.PATH, IDS_DATA: "sample", IDS_SECRET_KEY: "5e".repeat(32), ...environment },
    stdio: "ignore",
  });
  await once(child, "exit");
}

/** A stream of changes that its reader ends after a while. */
async function watched({ url }: ServeProcess, milliseconds: number): Promise<void> {
  const response = await fetch(`${url}/api/changes/v1/watch-changes`, {
    headers: { "X-Service-Key": operator, Accept: "text/event-stream" },
    signal: AbortSignal.timeout(milliseconds),
  });
  try {
    for await (const _ of response.body ?? []);
  } catch {
    // Its time is over.
  }
}

async function sampleOf(
  service: ServeProcess,
  { query }: Database,
  { requests, failed }: { readonly requests: number; readonly failed: number },
): Promise<Sample> {
  const { rows } = await query("select count(*)::int as n from pg_stat_activity where application_name like 'ids%'");
  const callers = await openCallers(service);
  return {
    residentMb: Math.round(await service.residentMb()),
    descriptors: (await readdir(`/proc/${service.process.pid}/fd`)).length - callers,
    callers,
    connections: Number(Object(rows[0]).n),
    timers: await openTimers(service),
    requests,
    failed,
  };
}

/** Connections to the service that neither side has closed. */
async function openCallers({ url }: ServeProcess): Promise<number> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  const lines = (await readFile("/proc/net/tcp", "utf8")).split("\n");
  return lines.filter((line) => new RegExp(`^\\s*\\d+: [0-9A-F]{8}:${port} \\S+ 01 `).test(line)).length;
}

async function openTimers({ url }: ServeProcess): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`, { headers: { "X-Service-Key": operator } })).text();
  return Number(/^nodejs_active_resources\{type="Timeout"\} (\d+)$/m.exec(metrics)?.[1]);
}

/** Growth of memory in percent an hour: the median over all pairs of minutes, which single samples do not change. */
function memorySlope(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((late, minute) =>
    samples.slice(0, minute).map((early, before) => (late.residentMb - early.residentMb) / (minute - before)),
  );
  return (6_000 * median(slopes)) / median(samples.map((sample) => sample.residentMb));
}

async function tableRows({ query }: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await query(
    "select relname as name, n_live_tup::int as n from pg_stat_user_tables where schemaname = 'public'",
  );
  return new Map(rows.map((row) => [String(Object(row).name), Number(Object(row).n)]));
}

function report(capacity: number, samples: readonly Sample[], received: number): void {
  const last = samples.at(-1);
  console.log(
    `${Math.round(capacity)} reads/s at most; at half of it ${last?.requests} requests, ${last?.failed} failed, ${received} deliveries, ${streams} streams, memory ${memorySlope(samples.slice(samples.length / 3)).toFixed(2)} % an hour`,
  );
  const step = Math.max(1, Math.floor(samples.length / 10));
  for (const [minute, sample] of samples.entries())
    if (minute % step === 0 || minute === samples.length - 1)
      console.log(
        `minute ${minute + 1}: ${sample.residentMb} MB, ${sample.descriptors} descriptors in addition to ${sample.callers} of callers, ${sample.connections} connections, ${sample.timers} timers`,
      );
}
