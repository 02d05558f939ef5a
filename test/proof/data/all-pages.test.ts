import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { fillTenders, many, refreshSome } from "../../support/domains/many-tenders.ts";
import { type ServeProcess, startServeProcess } from "../../support/processes/serve-process.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../../support/servers/postgres-server.ts";

const path = "/api/economic/v1/list-global-tenders";
/** Computed for each caller. */
const light = "/api/catalog/v1/get-dataset?name=global-tenders";
const lightLoad = fileURLToPath(new URL("../../support/processes/light-load.ts", import.meta.url));
const hour = 3_600_000;

describe.skipIf(!hasPostgres)("all pages of 1,000,000 tenders on Postgres", { timeout: hour }, () => {
  const key = newKey(randomBytes);
  const folder = mkdtempSync(join(tmpdir(), "ids-pages-"));
  let server: PostgresServer;
  let database: Database;
  let service: ServeProcess;
  /** The same without walks. */
  let neighbor: ServeProcess;
  const start = () =>
    startServeProcess(
      {
        ...{ IDS_DATA: "live", DATABASE_URL: server.url, IDS_DATA_DIR: folder, IDS_OPERATOR_KEY: key },
        IDS_TRUSTED_PROXIES: "127.0.0.1/32",
      },
      ["--no-work"],
    );
  beforeAll(async () => {
    server = await startPostgres("shared_buffers=1GB", "max_wal_size=4GB");
    database = await openDatabase({ url: server.url, directory: "/nowhere", name: "test", log: () => undefined });
    const now = new Date();
    await migrate(database, () => now);
    await fillTenders(database, server.url, now);
    [service, neighbor] = await Promise.all([start(), start()]);
    await Promise.all([service, neighbor].map((each) => each.firstSuccess("/readyz")));
  }, hour);
  afterAll(async () => {
    await Promise.all([service, neighbor].map((each) => each.stop()));
    await database.close();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** curl, and what it has written. */
  const curl = (address: string, ...flags: readonly string[]) =>
    spawn("curl", ["-sS", "-H", `X-Service-Key: ${key}`, ...flags, service.url + address], {
      stdio: ["ignore", "pipe", "ignore"],
    });

  /** The 99th percentile of what a light request of the service and one of its neighbor take while something is done, in milliseconds. */
  const othersP99 = async (during: () => Promise<unknown>) => {
    const callers = [service, neighbor].map(({ url }) =>
      spawn(process.execPath, [lightLoad, url + light], { stdio: ["pipe", "pipe", "inherit"] }),
    );
    await during();
    for (const { stdin } of callers) stdin.end("\n");
    const printed = await Promise.all(callers.map(({ stdout }) => text(stdout)));
    return printed.map((line) => {
      const times = (JSON.parse(line) as number[]).sort((a, b) => a - b);
      expect(times.length).toBeGreaterThan(500);
      return times[Math.floor(times.length * 0.99)] ?? 0;
    });
  };

  /** The most memory that the service holds while something is done, in MB. */
  const peakMb = async (during: Promise<unknown>) => {
    let [peak, isOver] = [0, false];
    const ended = during.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      peak = Math.max(peak, await service.residentMb());
      await wait(100);
    }
    await ended;
    return peak;
  };

  /** Rows of a file, and the number of distinct ids if that is easy to count. */
  const rowsOf = async (format: string, file: string) => {
    if (format === "parquet")
      return { rows: Number((await parquetMetadataAsync(await asyncBufferFromFile(file))).num_rows) };
    const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
    const ids = new Set<string>();
    let rows = 0;
    for await (const line of lines) {
      rows += 1;
      if (format === "ndjson") ids.add((JSON.parse(line) as { id: string }).id);
    }
    return format === "ndjson" ? { rows, ids: ids.size } : { rows };
  };

  const transactions = async () => {
    const { rows } = await database.query(
      "select count(*)::int as open from pg_stat_activity where state like 'idle in transaction%' or (state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend')",
    );
    return (rows[0] as { open: number }).open;
  };

  test.each(["csv", "ndjson", "parquet"])("%s has every row once, in bounded memory", async (format) => {
    const file = join(folder, format);
    const [idle = 0] = await othersP99(() => wait(15_000));
    const before = await service.residentMb();
    const started = performance.now();
    let [seconds, peak] = [0, 0];
    const [adjacent = 0, elsewhere = 0] = await othersP99(async () => {
      const child = curl(`${path}?format=${format}&all=true`, "-H", "Accept-Encoding: gzip", "-o", file);
      const ended = once(child, "exit");
      peak = await peakMb(ended);
      seconds = (performance.now() - started) / 1_000;
      expect((await ended)[0]).toBe(0);
    });
    console.log(
      `${format}: ${seconds.toFixed(0)} s, ${Math.round(many / seconds)} rows/s, ${Math.round(statSync(file).size / 1e6)} MB sent; memory +${Math.round(peak - before)} MB; others' p99 ${idle.toFixed(1)} ms idle, ${adjacent.toFixed(1)} ms in the same process, ${elsewhere.toFixed(1)} ms at the same time in another process`,
    );
    const held = await rowsOf(format, file);
    rmSync(file);
    // A cell of CSV may hold line breaks.
    if (format === "csv") expect(held.rows).toBeGreaterThanOrEqual(many + 1);
    else expect(held).toEqual(format === "ndjson" ? { rows: many, ids: many } : { rows: many });
    expect(peak - before).toBeLessThanOrEqual(150);
    // Every process is slowed down by the walk's use of the store and the machine.
    expect(adjacent).toBeLessThanOrEqual(2 * Math.max(idle, elsewhere));
  });

  test("readers that take nothing hold less than a megabyte each and no transaction", async () => {
    // A walk in advance, because the first rows allocate memory that no reader holds.
    await once(curl(`${path}?format=ndjson&all=true`, "-o", "/dev/null", "-m", "5"), "exit");
    const before = await service.residentMb();
    const { hostname, port } = new URL(service.url);
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${path}?format=ndjson&all=true HTTP/1.1\r\nHost: ${hostname}\r\nX-Service-Key: ${key}\r\n\r\n`);
      socket.pause();
      return socket;
    });
    await wait(8_000);
    const held = (await service.residentMb()) - before;
    const open = await transactions();
    console.log(`20 readers that take nothing: memory +${held.toFixed(0)} MB, ${open} transactions`);
    expect(open).toBe(0);
    expect(held).toBeLessThanOrEqual(20 + 30);
    for (const socket of sockets) socket.destroy();
  });

  test("a walk whose reader has disconnected sends no statements to the store after a second", async () => {
    /** The maximum number of waiting statements about tenders within two seconds, while the table is locked. */
    const requestedMeanwhile = () =>
      database.kysely.transaction().execute(async (transaction) => {
        await sql`lock table tender`.execute(transaction);
        let max = 0;
        for (let round = 0; round < 20; round += 1) {
          const { rows } = await database.query(
            "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and query like '%from tender%'",
          );
          max = Math.max(max, (rows[0] as { waiting: number }).waiting);
          await wait(100);
        }
        return max;
      });
    const child = curl(`${path}?format=ndjson&all=true`, "-o", "/dev/null");
    const ended = once(child, "exit");
    await wait(3_000);
    const read = await requestedMeanwhile();
    child.kill("SIGKILL");
    await ended;
    await wait(1_000);
    expect([read, await requestedMeanwhile()]).toEqual([1, 0]);
  });

  test("walks that are cut at any point never look whole to curl", async () => {
    const [statuses, responses]: [unknown[], string[]] = [[], []];
    for (let round = 0; round < 20; round += 1) {
      const format = ["csv", "ndjson", "parquet"][round % 3];
      // A response without a file is a failure too.
      const child = curl(`${path}?format=${format}&all=true`, "--fail", "-o", "/dev/null", "-w", "%{http_code}");
      const ended = once(child, "exit");
      const responded = text(child.stdout);
      await wait(300 + ((round * 379) % 2_500));
      if (round % 2 === 0) await refreshSome(database, new Date(), 2 * many + round * 10, 10);
      else {
        service.process.kill("SIGKILL");
        await once(service.process, "exit");
      }
      statuses.push((await ended)[0]);
      responses.push(await responded);
      if (round % 2 === 1) {
        service = await start();
        await service.firstSuccess("/readyz");
      }
    }
    console.log(`curl ended with ${statuses.join(", ")} after ${responses.join(", ")}`);
    expect(statuses.every((status) => status !== 0)).toBe(true);
  });
});
