import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TimeEncoding } from "../../gen/es/ids/options/v1/options_pb.ts";
import { offeredFormats } from "../../src/contract/file-format.ts";
import { startApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";
import { root } from "../support/servers/go.ts";
import { readTables, tableFile } from "../support/table-files.ts";

const folder = mkdtempSync(join(tmpdir(), "ids-tables-"));

beforeAll(async () => {
  await using stack = new AsyncDisposableStack();
  const database = stack.adopt(await openLoaded(), ({ close }) => close());
  const app = stack.use(await startApp(database));
  const key = await app.key("enterprise");
  const entries = [];
  for (const [index, asked] of readTables.entries()) {
    const { columns, longitude, latitude } = asked.table;
    const file = String(index).padStart(3, "0");
    for (const format of offeredFormats([asked.table]))
      writeFileSync(join(folder, `${file}.${format}`), await tableFile(app, key, asked, format));
    writeFileSync(join(folder, `${file}.sheet.csv`), await tableFile(app, key, asked, "csv", {}));
    entries.push({
      name: asked.name,
      file,
      place: longitude && latitude ? [longitude.name, latitude.name] : [],
      columns: columns.map(({ name, type, time }) => ({ name, type, isMoment: time === TimeEncoding.EPOCH_MS })),
    });
  }
  writeFileSync(join(folder, "tables.json"), JSON.stringify(entries));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("x", () => {
  if (process.env.KEEP) spawnSync("cp", ["-r", folder, "/tmp/ids/rd/files"]);
});
