import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { archivable, archivedDays, brokenFiles, readManifest } from "../../../src/archive/archive.ts";
import { type DayTable, dayTables } from "../../../src/archive/day-tables.ts";
import { folderOf, lastTimeOf } from "../../../src/archive/days.ts";
import { filesOf, type Manifest } from "../../../src/archive/manifest.ts";
import { folderStore } from "../../../src/archive/open-archive.ts";
import type { Place } from "../../../src/contract/columns.ts";
import { type DatasetName, datasets } from "../../../src/domains/index.ts";
import { csvwFile } from "../../../src/http/rest/formats/csvw.ts";
import type { FileMetadata } from "../../../src/http/rest/formats/file-metadata.ts";
import { ndjsonStream } from "../../../src/http/rest/formats/ndjson.ts";
import { parquetStream } from "../../../src/http/rest/formats/parquet.ts";
import { wholeFile } from "../../../src/http/rest/formats/row-stream.ts";
import type { ScheduledDataset } from "../../../src/ingest/schedule/scheduled.ts";
import { dayMs } from "../../../src/reference/duration.ts";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { inPast } from "../../../src/store/history/past.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { startApp, testTime } from "../../support/app.ts";
import { describeOnce } from "../../support/databases.ts";
import { root } from "../../support/servers/go.ts";

const days = 30;
const kills = 20;
const run = promisify(execFile);
const hasDuckdb = spawnSync("python3", ["-c", "import duckdb, pytz"]).status === 0;
if (!hasDuckdb) console.warn("DuckDB is not on this machine: its rows are read by hyparquet instead");

const metadata: FileMetadata = {
  ...{ name: "rows", title: "", csvUrl: "", documentation: "", attribution: [], origin: "sample", isStale: false },
  ...{ missing: [], withheld: [] },
};

/** Refreshes some of the datasets on each day, the first day all. */
async function fillDays(database: Database, random: () => number): Promise<void> {
  await using app = await startApp(database);
  const names: readonly DatasetName[] = datasets.map(({ name }) => name);
  for (let day = 0; day < days; day++) {
    app.setTime(new Date(testTime.getTime() + day * dayMs));
    for (const name of names) if (day === 0 || random() < 0.4) await app.refresh(name);
  }
}

/** The same numbers in each run. */
function seeded(): () => number {
  let state = 20_261_118;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** A table as the store has it, and where the archive has it. */
interface Compared {
  readonly table: DayTable["table"];
  readonly rows: readonly Place[];
  readonly file: string;
}

async function* comparedTables(database: Database, folder: string, manifest: Manifest): AsyncGenerator<Compared> {
  const all: readonly ScheduledDataset[] = datasets;
  const dataset = all.find(({ name }) => name === manifest.dataset);
  if (!dataset) throw new Error(`No dataset ${manifest.dataset}`);
  const view = { at: lastTimeOf(manifest.day), data: "sample", datasets: [dataset] } as const;
  const tables = await inPast(database.kysely, view, async (past) => {
    const read: { table: DayTable["table"]; rows: Place[] }[] = [];
    for (const { table, rows } of await dayTables(dataset, past)) {
      const places: Place[] = [];
      for await (const some of rows()) places.push(...some);
      read.push({ table, rows: places });
    }
    return read;
  });
  expect(tables.map(({ table, rows }) => [table.name, rows.length])).toEqual(
    manifest.tables.map(({ table, rows }) => [table, rows]),
  );
  for (const [index, { path }] of manifest.tables.entries()) {
    const [own] = tables.slice(index);
    if (own) yield { ...own, file: join(folder, folderOf(manifest.dataset, manifest.day, "sample"), path) };
  }
}

describeOnce("the archive of a month", (_openFresh, freshPlace) => {
  test("is whole however often its writer was killed, its rows are the store's, and a last run writes nothing", async () => {
    const options = await freshPlace();
    const folder = mkdtempSync(join(tmpdir(), "ids-archive-proof-"));
    const now = new Date(testTime.getTime() + days * dayMs).toISOString();
    const random = seeded();
    const filled = await openDatabase(options);
    await migrate(filled, () => new Date());
    await fillDays(filled, random);
    await filled.close();

    const writer = fileURLToPath(new URL("../../support/processes/archive-writer.ts", import.meta.url));
    const command = [writer, JSON.stringify([options, folder, now])];
    for (let kill = 0; kill < kills; kill++) {
      const child = spawn(process.execPath, command);
      // The first output means that it has begun to write.
      await once(child.stdout, "data");
      setTimeout(() => child.kill("SIGKILL"), random() * 700);
      await once(child, "exit");
    }
    const [began, { stdout }] = [performance.now(), await run(process.execPath, command)];
    const seconds = (performance.now() - began) / 1000;
    expect((await run(process.execPath, command)).stdout).toBe("");

    const store = folderStore(folder);
    const database = await openDatabase(options);
    const compared = mkdtempSync(join(tmpdir(), "ids-archive-rows-"));
    const entries: object[] = [];
    const bytes = new Map<string, { files: number; days: number }>();
    let [count, rowsRead] = [0, 0];
    for (const { name } of archivable(datasets)) {
      const own = await archivedDays(store, name, "sample");
      for (const day of own) {
        const manifest = await readManifest(store, { dataset: name, day, data: "sample" });
        expect(await brokenFiles(store, manifest, "sample")).toEqual([]);
        const size = bytes.get(name) ?? { files: 0, days: 0 };
        for (const file of filesOf(manifest)) size.files += file.bytes;
        bytes.set(name, { ...size, days: size.days + 1 });
        for await (const { table, rows, file } of comparedTables(database, folder, manifest)) {
          count += 1;
          rowsRead += rows.length;
          if (hasDuckdb) entries.push(writeCompared(compared, `${name} ${day} ${table.name}`, { table, rows, file }));
          else
            expect(await objectsOf(readFileSync(file))).toEqual(
              await objectsOf(wholeFile(parquetStream(table, metadata, false), rows)),
            );
        }
      }
    }
    await database.close();
    if (hasDuckdb) {
      writeFileSync(join(compared, "tables.json"), JSON.stringify(entries));
      const script = join(root, "test/support/readers/archive_with_duckdb.py");
      const { stdout: report } = await run("python3", ["-B", script, compared], { maxBuffer: 64 * 1024 * 1024 });
      expect(JSON.parse(report)).toMatchObject({ differences: [], tables: count, rows: rowsRead });
    }
    const perDay = [...bytes].map(([name, { files, days: own }]) => [name, Math.round(files / own), own] as const);
    console.log(
      `${kills} kills; ${count} tables of ${rowsRead} rows compared; the last run wrote ${stdout.split("\n").length - 1} days in ${seconds.toFixed(1)} s`,
    );
    for (const [name, size, own] of perDay) console.log(`  ${name}: ${size} bytes a day, of ${own} days`);
    console.log(`  all datasets: ${perDay.reduce((sum, [, size]) => sum + size, 0)} bytes a day`);
    expect(perDay.length).toBeGreaterThan(20);
    for (const each of [folder, compared]) rmSync(each, { recursive: true });
  }, 1_800_000);
});

async function objectsOf(file: Buffer): Promise<Record<string, unknown>[]> {
  const { buffer, byteOffset, length } = file;
  return parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer });
}

/** Writes a file and the corresponding content of the store. */
function writeCompared(folder: string, name: string, { table, rows, file }: Compared): object {
  const stem = name.replaceAll(/[^\w.-]/g, "_");
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, join(folder, `${stem}.parquet`));
  writeFileSync(join(folder, `${stem}.ndjson`), wholeFile(ndjsonStream(table, metadata, false), rows));
  writeFileSync(join(folder, `${stem}.csvw`), csvwFile(table, metadata));
  const columns = table.columns.map(({ name: column, type, time }) => ({
    ...{ name: column, type, isTime: time === TimeEncoding.EPOCH_MS },
  }));
  return { name, file: stem, place: [], columns };
}
