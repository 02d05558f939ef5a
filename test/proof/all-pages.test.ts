import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "../../src/access/keys/api-key.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { eventually } from "../support/app.ts";
import { fillTenders, many, refreshSome } from "../support/domains/many-tenders.ts";
import { type ServeProcess, startServeProcess } from "../support/processes/serve-process.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../support/servers/postgres-server.ts";

const path = "/api/economic/v1/list-global-tenders";
const light = "/api/conflict/v1/count-conflict-events";
const hour = 3_600_000;

describe.skipIf(!hasPostgres)("all pages of 1,000,000 tenders on Postgres", { timeout: hour }, () => {
  const key = newKey(randomBytes);
  const folder = mkdtempSync(join(tmpdir(), "ids-pages-"));
  let server: PostgresServer;
  let database: Database;
  let service: ServeProcess;
  const start = () =>
    startServeProcess({ IDS_DATA: "live", DATABASE_URL: server.url, IDS_DATA_DIR: folder, IDS_OPERATOR_KEY: key }, [
      "--no-work",
    ]);
  beforeAll(async () => {
    server = await startPostgres("shared_buffers=1GB", "max_wal_size=4GB");
    database = await openDatabase({ url: server.url, directory: "/nowhere", name: "test", log: () => undefined });
    const now = new Date();
    await migrate(database, () => now);
    await fillTenders(database, server.url, now);
    service = await start();
    await service.firstSuccess("/readyz");
  }, hour);
  afterAll(async () => {
    await service.stop();
    await database.close();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const ask = (address: string) => fetch(service.url + address, { headers: { "X-Service-Key": key } });

  /** curl, and what it has written. */
  const curl = (address: string, ...flags: readonly string[]) =>
    spawn("curl", ["-sS", "-H", `X-Service-Key: ${key}`, ...flags, service.url + address], {
      stdio: ["ignore", "pipe", "ignore"],
    });

  /** The 99th percentile of a light request, in milliseconds, until the signal. */
  const othersP99 = async (signal: AbortSignal) => {
    const times: number[] = [];
    while (!signal.aborted) {
      const started = performance.now();
      await (await ask(light)).arrayBuffer();
      times.push(performance.now() - started);
      await wait(20);
    }
    times.sort((a, b) => a - b);
    return times[Math.floor(times.length * 0.99)] ?? 0;
  };

  const transactions = async () => {
    const { rows } = await database.query(
      "select count(*)::int as open from pg_stat_activity where state like 'idle in transaction%' or (state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend')",
    );
    return (rows[0] as { open: number }).open;
  };

  test.each(["csv", "ndjson", "parquet"])("%s has every row once, in bounded memory", async (format) => {
    const idle = await othersP99(AbortSignal.timeout(10_000));
    const before = await service.residentMb();
    let peak = before;
    const over = new AbortController();
    const watched = (async () => {
      while (!over.signal.aborted) {
        peak = Math.max(peak, await service.residentMb());
        await wait(100);
      }
    })();
    const others = othersP99(over.signal);
    const started = performance.now();
    const child = curl(`${path}?format=${format}&all=true`, "--compressed");
    const ids = new Set<string>();
    let rows = 0;
    let bytes = 0;
    const ended = once(child, "exit");
    if (format === "ndjson")
      for await (const line of createInterface({ input: child.stdout })) {
        rows += 1;
        bytes += line.length;
        ids.add((JSON.parse(line) as { id: string }).id);
      }
    else
      for await (const chunk of child.stdout) {
        bytes += (chunk as Buffer).length;
        if (format === "csv") for (const byte of chunk as Buffer) if (byte === 10) rows += 1;
      }
    expect((await ended)[0]).toBe(0);
    const seconds = (performance.now() - started) / 1_000;
    over.abort();
    await watched;
    const p99 = await others;
    console.log(
      `${format}: ${seconds.toFixed(0)} s, ${Math.round(many / seconds)} rows/s, ${Math.round(bytes / 1e6)} MB; memory +${Math.round(peak - before)} MB; others' p99 ${idle.toFixed(1)} ms idle, ${p99.toFixed(1)} ms beside it`,
    );
    if (format === "ndjson") expect([rows, ids.size]).toEqual([many, many]);
    if (format === "csv") expect(rows).toBeGreaterThanOrEqual(many + 1);
    expect(peak - before).toBeLessThanOrEqual(150);
  });

  test("readers that take nothing hold less than a megabyte each and no transaction", async () => {
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

  test("a walk that nobody reads any more asks the store nothing after a second", async () => {
    /** When the newest page was asked for, in milliseconds since 1970. */
    const lastRead = async () => {
      const { rows } = await database.query(
        `select (extract(epoch from max(query_start)) * 1000)::float8 as at from pg_stat_activity where query like '%from tender%' and pid <> pg_backend_pid()`,
      );
      return (rows[0] as { at: number | null }).at ?? 0;
    };
    const child = curl(`${path}?format=ndjson&all=true`, "-o", "/dev/null");
    await wait(3_000);
    // A connection tells its latest statement alone, which need not be one of the walk.
    await eventually(
      async () => Date.now() - (await lastRead()),
      (age) => age < 1_000,
    );
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    const broken = Date.now();
    let last = 0;
    for (let round = 0; round < 40; round += 1) {
      last = Math.max(last, await lastRead());
      await wait(100);
    }
    console.log(`last statement of the walk: ${Math.round(last - broken)} ms after its reader was gone`);
    expect(last - broken).toBeLessThan(1_000);
  });

  test("walks that are cut at any point never look whole to curl", async () => {
    const statuses: unknown[] = [];
    for (let round = 0; round < 20; round += 1) {
      const format = ["csv", "ndjson", "parquet"][round % 3];
      const child = curl(`${path}?format=${format}&all=true`, "-o", "/dev/null");
      const ended = once(child, "exit");
      await wait(300 + ((round * 379) % 2_500));
      if (round % 2 === 0) await refreshSome(database, new Date(), 2 * many + round * 10, 10);
      else {
        service.process.kill("SIGKILL");
        await once(service.process, "exit");
      }
      statuses.push((await ended)[0]);
      if (round % 2 === 1) {
        service = await start();
        await service.firstSuccess("/readyz");
      }
    }
    console.log(`curl ended with ${statuses.join(", ")}`);
    expect(statuses.every((status) => status !== 0)).toBe(true);
  });
});
