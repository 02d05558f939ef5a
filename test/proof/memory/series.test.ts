import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { datasets } from "../../../src/domains/index.ts";
import { countries } from "../../../src/reference/countries/countries.ts";
import { dayMs } from "../../../src/reference/duration.ts";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { type ServeProcess, startServeProcess } from "../../support/processes/serve-process.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../../support/servers/postgres-server.ts";

const minute = 60_000;
const [keys, days, rounds, warming] = [200, 400, 600, 200];
const series = datasets.flatMap((dataset) => (dataset.series?.series ?? []).map(({ id }) => id)).slice(0, 30);
const codes = [...countries.keys()].slice(0, keys);

describe.skipIf(!hasPostgres)(
  `${series.length} series of ${keys} keys over ${days} days on Postgres`,
  { timeout: 10 * minute },
  () => {
    const key = newKey(randomBytes);
    const folder = mkdtempSync(join(tmpdir(), "ids-series-"));
    let server: PostgresServer;
    let database: Database;
    let service: ServeProcess;
    beforeAll(async () => {
      server = await startPostgres("shared_buffers=512MB", "max_wal_size=4GB");
      database = await openDatabase({ url: server.url, directory: "/nowhere", name: "test", log: () => undefined });
      await migrate(database, () => new Date());
      await fill(database);
      const environment = { IDS_DATA: "live", DATABASE_URL: server.url, IDS_DATA_DIR: folder, IDS_OPERATOR_KEY: key };
      service = await startServeProcess(environment, ["--no-work"]);
      await service.firstSuccess("/livez");
    }, 10 * minute);
    afterAll(async () => {
      await service.stop();
      await database.close();
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    });

    /** Milliseconds of reads of `count` keys over a year, with other keys in each round, and the points of one. */
    const yearOf = async (count: number) => {
      const times: number[] = [];
      // What its reader makes of it is not of the read.
      let body = Buffer.alloc(0);
      const from = new Date(Date.now() - 365 * dayMs).toISOString().slice(0, 10);
      for (let round = 0; round < rounds; round++) {
        const own = Array.from({ length: count }, (_, index) => codes[(round * 7 + index) % codes.length]);
        const query = `series=${series[round % series.length]}&keys=${own.join(",")}&from=${from}&interval=day`;
        const started = performance.now();
        const { statusCode, body: sent } = await request(`${service.url}/api/history/v1/get-series?${query}`, {
          headers: { "X-Service-Key": key, "Accept-Encoding": "gzip" },
        });
        body = Buffer.from(await sent.arrayBuffer());
        times.push(performance.now() - started);
        expect(statusCode).toBe(200);
      }
      // The first ones load modules, plans, pages of the store, and code that is not compiled yet.
      const sorted = times.slice(warming).sort((a, b) => a - b);
      const share = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
      const { points } = JSON.parse(gunzipSync(body).toString()) as { readonly points: readonly unknown[] };
      return { p50: share(0.5), p99: share(0.99), points: points.length };
    };

    test("a year of one key, and of 20, is read in milliseconds", async () => {
      const [one, twenty] = [await yearOf(1), await yearOf(20)];
      for (const [count, requested, { p50, p99, points }] of [
        [1, 10, one],
        [20, 40, twenty],
      ] as const)
        console.log(
          `a year of ${count} keys (${points} points): p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms (${requested} asked)`,
        );
      expect(one.points).toBeGreaterThan(300);
      expect(one.p99).toBeLessThan(100);
      expect(twenty.p99).toBeLessThan(400);
    });
  },
);

async function fill({ kysely }: Database): Promise<void> {
  await sql`insert into series_basis (methodology, sources) values ('', 'invented')`.execute(kysely);
  await sql`
    insert into series_key (series, origin, key, sampled)
    select series, 'live', key, true from unnest(${series}::text[]) as series, unnest(${codes}::text[]) as key`.execute(
    kysely,
  );
  await sql`
    insert into series_point (key_id, at, recorded_at, value, basis)
    select id, at, at, (id * 7 + extract(epoch from at)::int8 / 86400) % 100, 1
    from series_key, generate_series(now() - ${`${days} days`}::interval, now(), interval '1 day') as at`.execute(
    kysely,
  );
  // A server vacuums automatically within minutes. Index-only scans are then possible.
  await sql`vacuum analyze`.execute(kysely);
}
