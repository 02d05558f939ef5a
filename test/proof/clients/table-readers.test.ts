import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { downloadFormats } from "../../../src/contract/file-format.ts";
import type { Table } from "../../../src/contract/tables.ts";
import { startApp } from "../../support/app.ts";
import { hostileFiles } from "../../support/hostile-cells.ts";
import { openLoaded } from "../../support/loaded.ts";
import { root } from "../../support/servers/go.ts";
import { readTables, tableFile } from "../../support/table-files.ts";

const run = promisify(execFile);
const scripts = join(root, "test/support/readers");

/** A program that reads the files, and the check for its presence. */
interface Reader {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly probe: readonly [string, ...string[]];
  /** Tables that it reads, of all. */
  readonly reads?: "maps";
}

const python = (script: string) => ["python3", "-B", join(scripts, `with_${script}.py`)] as const;
const module = (name: string) => ["python3", "-c", `import ${name}`] as const;

const readers: readonly Reader[] = [
  { name: "Python's csv", command: python("csv_module"), probe: module("csv") },
  { name: "pandas", command: python("pandas"), probe: module("pandas, pyarrow") },
  { name: "openpyxl", command: python("openpyxl"), probe: module("openpyxl") },
  { name: "polars", command: python("polars"), probe: module("polars") },
  { name: "pyarrow", command: python("pyarrow"), probe: module("pyarrow") },
  { name: "DuckDB", command: python("duckdb"), probe: module("duckdb, pytz") },
  { name: "csvw", command: python("csvw"), probe: module("csvw") },
  { name: "frictionless", command: python("frictionless"), probe: module("frictionless") },
  { name: "GDAL", command: python("gdal"), probe: ["ogrinfo", "--version"], reads: "maps" },
  { name: "LibreOffice Calc", command: python("calc"), probe: ["soffice", "--version"] },
  { name: "Go's encoding/csv", command: ["go", "run", join(scripts, "with_go.go")], probe: ["go", "version"] },
  { name: "R", command: python("r"), probe: ["Rscript", "--version"] },
];

function isHere({ name, probe: [program, ...parameters] }: Reader): boolean {
  const { status } = spawnSync(program, parameters, { stdio: "ignore", timeout: 120_000 });
  if (status !== 0) console.warn(`${name} is not on this machine: WHAT IT WOULD PROVE IS SKIPPED`);
  return status === 0;
}

interface Report {
  readonly tables: number;
  readonly rows: number;
  readonly differences: readonly string[];
  readonly guessedOtherwise: Readonly<Record<string, unknown>>;
}

const folder = mkdtempSync(join(tmpdir(), "ids-tables-"));
let written: { readonly tables: number; readonly maps: number };

beforeAll(async () => {
  await using stack = new AsyncDisposableStack();
  const database = stack.adopt(await openLoaded(), ({ close }) => close());
  const app = stack.use(await startApp(database));
  const key = await app.key("enterprise");
  const entries = [];
  const write = (file: string, format: string, bytes: Buffer) =>
    writeFileSync(join(folder, `${file}.${format}`), bytes);
  for (const [index, requested] of readTables.entries()) {
    const file = String(index).padStart(3, "0");
    for (const format of downloadFormats([requested.table]))
      write(file, format, await tableFile(app, key, requested, format));
    write(file, "sheet.csv", await tableFile(app, key, requested, "csv", {}));
    entries.push(entryOf(requested.name, file, requested.table));
  }
  const { table, files } = await hostileFiles();
  for (const [format, bytes] of Object.entries(files)) write("hostile", format, bytes);
  entries.push(entryOf("Hostile cells", "hostile", table));
  writeFileSync(join(folder, "tables.json"), JSON.stringify(entries));
  written = { tables: entries.length, maps: entries.filter(({ place }) => place.length > 0).length };
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true }));

function entryOf(name: string, file: string, { columns, longitude, latitude }: Table) {
  return {
    ...{ name, file, place: longitude && latitude ? [longitude.name, latitude.name] : [] },
    columns: columns.map(({ name, type, time }) => ({ name, type, isTime: time === TimeEncoding.EPOCH_MS })),
  };
}

for (const reader of readers) {
  const { name, command, reads } = reader;
  test.skipIf(!isHere(reader))(`${name} reads every table as the JSON has it`, async () => {
    const [program, ...parameters] = command;
    const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/local/go/bin` };
    const { stdout, stderr } = await run(program, [...parameters, folder], {
      ...{ env: environment, maxBuffer: 64 * 1024 * 1024 },
    });
    const report: Report = JSON.parse(stdout);
    console.log(`${name}: ${report.tables} tables, ${report.rows} rows`);
    for (const [what, guess] of Object.entries(report.guessedOtherwise)) console.log(`  guesses ${what}: ${guess}`);
    expect(report.differences, stderr).toEqual([]);
    expect(report.tables).toBe(reads === "maps" ? written.maps : written.tables);
    expect(report.rows).toBeGreaterThan(report.tables);
  });
}
