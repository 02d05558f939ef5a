import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";

let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "ids-damaged-"));
  const database = await openDatabase({ directory: join(home, "whole"), name: "test" });
  await migrate(database, () => new Date());
  await database.kysely.insertInto("generation").values({ name: "kept", value: 1 }).execute();
  await database.close();
}, 60_000);
afterAll(() => rmSync(home, { recursive: true }));

/** Every file by name and content. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, createHash("sha256").update(readFileSync(path)).digest("hex")];
    }),
  );
}

const log = (folder: string) =>
  readdirSync(join(folder, "pg_wal"))
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .map((name) => join(folder, "pg_wal", name));
const eachLog = (folder: string, damage: (file: string) => void) => {
  for (const file of log(folder)) damage(file);
};
const control = (folder: string) => join(folder, "global", "pg_control");

const damages: readonly (readonly [string, RegExp, (folder: string) => void])[] = [
  ["its version is gone", /PG_VERSION is missing/, (folder) => rmSync(join(folder, "PG_VERSION"))],
  [
    "everything in it is gone",
    /the folder is empty/,
    (folder) => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    },
  ],
  ["its log was deleted", /pg_wal\/\w+ is missing/, (folder) => eachLog(folder, rmSync)],
  [
    "its log was cut",
    /pg_wal\/\w+ is missing or cut off/,
    (folder) => eachLog(folder, (file) => truncateSync(file, 1000)),
  ],
  [
    "its log was emptied",
    /pg_wal\/\w+ was emptied/,
    (folder) => eachLog(folder, (file) => writeFileSync(file, Buffer.alloc(statSync(file).size))),
  ],
  ["its control file was cut", /pg_control is missing or cut off/, (folder) => truncateSync(control(folder), 100)],
  [
    "its control file is broken",
    /it does not start/,
    (folder) => {
      const bytes = readFileSync(control(folder));
      bytes.writeUInt8(bytes.readUInt8(100) ^ 0xff, 100);
      writeFileSync(control(folder), bytes);
    },
  ],
];

test.each(damages)(
  "a data folder is refused with the remedy, and left as it is, when %s",
  { timeout: 60_000 },
  async (_, what, damage) => {
    const directory = join(home, "damaged");
    rmSync(directory, { recursive: true, force: true });
    cpSync(join(home, "whole"), directory, { recursive: true });
    const folder = join(directory, "postgres");
    damage(folder);
    const before = contents(folder);
    const opened = openDatabase({ directory, name: "test" }).then(({ close }) => close());
    await expect(opened).rejects.toThrow(what);
    await expect(opened).rejects.toThrow(/Restore a copy of the data folder, or move it away/);
    expect(contents(folder)).toEqual(before);
  },
);
