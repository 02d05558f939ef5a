import { expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { type DatasetName, datasets } from "../../../src/domains/index.ts";
import { versionedTables } from "../../../src/ingest/dataset.ts";
import { createLog } from "../../../src/log/log.ts";
import { dayMs, hourMs } from "../../../src/reference/duration.ts";
import { retentionJob } from "../../../src/runtime/work/retention.ts";
import type { Database } from "../../../src/store/database.ts";
import { versionTable } from "../../../src/store/history/versions.ts";
import { startApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

const days = 28;
const rereadDays = 2;
const refreshesADay = 4;
const daysInYear = 365;
/** Days of which every version is stored, and not only the last. */
const wholeDays = 7;

const versions = versionedTables(datasets).map(versionTable);
const tables = [...versions, "series_point", "series_key", "change"];

/** The size of the tables with their indexes, without the space of deleted rows. */
async function sizes(database: Database): Promise<Readonly<Record<string, number>>> {
  for (const table of tables) await database.query(`vacuum full ${table}`);
  const { rows } = await database.query(
    `select name, pg_total_relation_size(name::regclass)::int8::text as bytes from unnest(array['${tables.join("','")}']) as name`,
  );
  return Object.fromEntries(
    (rows as { name: string; bytes: string }[]).map(({ name, bytes }) => [name, Number(bytes)]),
  );
}

function sum(bytes: Readonly<Record<string, number>>, of: readonly string[]): number {
  return of.reduce((total, table) => total + (bytes[table] ?? 0), 0);
}

test("history, series and the log of changes grow by so much a day, and pruning bounds them", async () => {
  const database = await openOnce();
  {
    await using app = await startApp(database);
    const names: readonly DatasetName[] = datasets.map(({ name }) => name);
    const refreshAll = async (at: number) => {
      app.setTime(new Date(at));
      for (const name of names) await app.refresh(name);
    };
    const start = testTime.getTime();
    await refreshAll(start);
    const first = await sizes(database);
    for (let day = 1; day <= days; day++) await refreshAll(start + day * dayMs);
    const daily = await sizes(database);
    for (let day = 1; day <= rereadDays; day++)
      for (let run = 0; run < refreshesADay; run++)
        await refreshAll(start + (days + day) * dayMs + (run * 5 - 11) * hourMs);
    const often = await sizes(database);
    const mega = (bytes: number) => (bytes / 1e6).toFixed(2);
    const row = (what: string, of: readonly string[]) => {
      const [begun, aDay] = [sum(first, of), (sum(daily, of) - sum(first, of)) / days];
      const more = (sum(often, of) - sum(daily, of)) / rereadDays;
      const year = begun + wholeDays * Math.max(more, aDay) + (daysInYear - wholeDays) * aDay;
      console.log(
        `${what}: ${mega(begun)} MB after the first load, ${mega(aDay)} MB a day of one refresh, ${mega(more)} MB of ${refreshesADay}; ${(year / 1e6).toFixed(0)} MB in a year`,
      );
    };
    row("versions", versions);
    for (const table of versions) row(`  ${table}`, [table]);
    row("series", ["series_point", "series_key"]);
    const ofChanges = (sum(daily, ["change"]) - sum(first, ["change"])) / days;
    console.log(`changes: ${mega(ofChanges)} MB a day of one refresh, of which ${wholeDays} days are kept`);

    const now = new Date(start + (days + rereadDays + 1) * dayMs);
    const { retain } = readConfig({ IDS_DATA: "sample", IDS_KEEP_HISTORY_DAYS: "10" });
    const log = createLog("silent", process.stderr, (text) => text);
    const job = retentionJob({ database: database.kysely, retain, clock: () => now, log });
    await job.work({}, { id: "proof", attempt: 1, signal: new AbortController().signal });
    const pruned = await sizes(database);
    console.log(`pruned to 10 days: ${mega(sum(often, tables))} MB become ${mega(sum(pruned, tables))} MB`);
    const before = `'${new Date(now.getTime() - 10 * dayMs).toISOString()}'`;
    for (const table of versions) {
      const { rows } = await database.query(`select from ${table} where valid_to < ${before}`);
      expect(rows, table).toHaveLength(0);
    }
    expect(sum(pruned, tables)).toBeLessThan(0.7 * sum(often, tables));
  }
  await database.close();
}, 1_800_000);
