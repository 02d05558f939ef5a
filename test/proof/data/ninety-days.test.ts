import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { datasets } from "../../../src/domains/index.ts";
import { createLog } from "../../../src/log/log.ts";
import { dayMs } from "../../../src/reference/duration.ts";
import { archiveJob, archiveParts } from "../../../src/runtime/work/archive.ts";
import { retentionJob } from "../../../src/runtime/work/retention.ts";
import { writeBackup } from "../../../src/store/backup/backup.ts";
import { verifiedHeader } from "../../../src/store/backup/backup-file.ts";
import { restoreStore } from "../../../src/store/backup/restore.ts";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { startApp, testTime } from "../../support/app.ts";

const days = Number(process.env.IDS_TEST_DAYS ?? 90);
const dumpDay = Math.round(days / 3);
/** Reads whose responses must be the same later, as of the day on which they were read. */
const reads = [
  "/api/intelligence/v1/get-risk-scores",
  "/api/resilience/v1/get-resilience-ranking",
  "/api/economic/v1/get-eu-gas-storage",
];
const readEvery = 15;
/** Growth of the last third of the days, compared with the second third, in which history already grows. */
const maxGrowthRatio = 1.5;
/** A checkpoint is written each minute, in which this test simulates several days. */
const maxLogBytes = 1e9;

const folder = mkdtempSync(join(tmpdir(), "ids-ninety-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = { id: "proof", attempt: 1, signal: new AbortController().signal };
/** Bytes of the tables and of the write-ahead log. */
interface Size {
  readonly data: number;
  readonly log: number;
}
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const dayText = (day: number) => new Date(testTime.getTime() + day * dayMs).toISOString().slice(0, 10);

/** Refreshes, retains, and archives from one day to another. Returns the responses of some days and the sizes. */
async function live(database: Database, { from, to, dump }: { from: number; to: number; dump?: string }) {
  let now = testTime;
  const clock = () => now;
  const log = createLog("silent", process.stderr, (text) => text);
  const config = readConfig({ IDS_DATA: "sample", IDS_ARCHIVE: `file:${join(folder, `archive-${from}`)}` });
  const retain = retentionJob({ database: database.kysely, retain: config.retain, clock, log });
  const archive = archiveJob(archiveParts(config, { database: database.kysely, clock }), log);
  const responses = new Map<string, string>();
  const sizes = new Map<number, Size>();
  await using app = await startApp(database);
  const key = await app.key("enterprise");
  const bodyOf = async (path: string) => {
    const response = await app.get(path, { key });
    expect(response.status, path).toBe(200);
    const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>;
    return JSON.stringify(body);
  };
  for (let day = from; day <= to; day += 1) {
    now = new Date(testTime.getTime() + day * dayMs);
    app.setTime(now);
    for (const { name } of datasets) await app.refresh(name);
    await retain.work({}, run);
    await archive.work({}, run);
    await database.query("vacuum");
    const { rows } = await database.query(
      "select pg_database_size(current_database())::float8 as data, sum(size)::float8 as log from pg_ls_waldir()",
    );
    const size = rows[0] as Size;
    sizes.set(day, size);
    // A run takes most of an hour. Its curve is printed as it grows, so that a run that is ended has one too.
    if (day % 10 === 0) console.log(`day ${day}: ${megabytes(size.data)} of data, ${megabytes(size.log)} of log`);
    if (day === dumpDay && dump)
      await writeBackup(database, dump, { program: "1.0.0", at: now.toISOString(), secret: { keys: [] } });
    if (day > from && day % readEvery === 1)
      for (const path of reads) {
        const asOf = `${path}?as_of=${dayText(day - 1)}`;
        responses.set(asOf, await bodyOf(asOf));
      }
  }
  const changed: string[] = [];
  for (const [path, body] of responses) if ((await bodyOf(path)) !== body) changed.push(path);
  const counts = await Promise.all(
    datasets.map(async ({ name }) => {
      const { rows } = await database.query(`select rows from dataset where name = '${name}'`);
      return [name, Number((rows[0] as { rows: number } | undefined)?.rows ?? 0)] as const;
    }),
  );
  return { sizes, responses, changed, empty: counts.filter(([, rows]) => rows === 0).map(([name]) => name) };
}

const timeout = 3 * 3_600_000;

test("ninety days of refreshes, retention, and archive keep the disk bounded and lose nothing", {
  timeout,
}, async () => {
  const data = join(folder, "store");
  const dump = join(folder, "day-30.backup");
  const open = (directory: string) => openDatabase({ directory, name: "ninety days" });
  const database = await open(data);
  await migrate(database, () => testTime);
  const first = await live(database, { from: 0, to: days, dump });
  await database.close();
  expect(first.changed).toEqual([]);
  expect(first.responses.size).toBeGreaterThan(days / 10);
  expect(first.empty).toEqual([]);
  const sizeAt = (day: number) => first.sizes.get(day)?.data ?? 0;
  const growth = [sizeAt(2 * dumpDay) - sizeAt(dumpDay), sizeAt(3 * dumpDay) - sizeAt(2 * dumpDay)] as const;
  console.log(`growth in the second and last third: ${growth.map(megabytes).join(" and ")}`);
  expect(growth[1]).toBeLessThan(Math.max(growth[0], 1e6 * dumpDay) * maxGrowthRatio);
  expect(Math.max(...[...first.sizes.values()].map(({ log }) => log))).toBeLessThan(maxLogBytes);

  const restored = join(folder, "restored");
  const upgraded = await open(restored);
  await restoreStore(upgraded, {
    file: dump,
    header: await verifiedHeader(dump),
    replace: true,
    clock: () => testTime,
    beforeCommit: async () => undefined,
  });
  const second = await live(upgraded, { from: dumpDay + 1, to: dumpDay + 5 });
  await upgraded.close();
  expect([second.changed, second.empty]).toEqual([[], []]);
});
