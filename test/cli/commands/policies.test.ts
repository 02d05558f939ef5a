import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DatasetName } from "../../../src/domains/index.ts";
import { freshFolder, ids } from "../terminal.ts";

const IDS_DATA_DIR = freshFolder();
const environment = { IDS_DATA: "sample", IDS_DATA_DIR };
const head = "country_code,category,sector,measure,date_announced,status,source,source_url,reviewed_on";
const row = "FJ,conservation,Transport,Free buses on Mondays,2026-04-02,planned,Our own notes,,2026-04-05";

function file(name: string, ...lines: readonly string[]): string {
  const path = join(IDS_DATA_DIR, name);
  writeFileSync(path, [head, ...lines].join("\n"));
  return path;
}

test("a list is imported and visible at once", async () => {
  const path = file("mine.csv", row);
  expect(await ids(environment, "policies", "import", path, "--source", "Our desk")).toEqual({
    out: `1 policies imported from ${path}; generation 1 with 1 policies is published\n`,
    err: "",
    status: 0,
  });
});

test("it outlives an ordinary refresh", async () => {
  const policies: DatasetName = "energy-crisis-policies";
  const { out } = await ids(environment, "ingest", policies);
  expect(out).toContain(`${policies}: generation 2, 1 rows`);
});

test("a list with a bad row is refused with its place and reason, and nothing changes", async () => {
  const path = file("bad.csv", row, row.replace("Transport", "Space"));
  const { out, err, status } = await ids(environment, "policies", "import", path, "--source", "Our desk");
  expect({ out, status }).toEqual({ out: "", status: 1 });
  expect(err).toMatch(/^ids: line 3: sector: .*Transport.*\n$/);
});

test.each([
  [
    "windows-1252",
    Buffer.from(`${head}\n${row}\n${row.replace("Free", "Gratuit\xe9")}\n`, "latin1"),
    /is not UTF-8, see line 3: save/,
  ],
  [
    "UTF-16",
    Buffer.from(`\uFEFF${head}\n${row}\n`, "utf16le"),
    /is UTF-16, and must be UTF-8: save the file as CSV UTF-8/,
  ],
  ["UTF-16 without a mark", Buffer.from(`${head}\n${row}\n`, "utf16le"), /is UTF-16/],
  ["UTF-16 of the other byte order", Buffer.from(`${head}\n`, "utf16le").swap16(), /is UTF-16/],
  [
    "UTF-8 with a NUL byte",
    Buffer.from(`${head}\n${row}\n${row.replace("Free", "Fr\0ee")}\n`),
    /^ids: \S+encoded\.csv contains a NUL byte at line 3: remove it\n$/,
  ],
])("a list in %s is rejected, and nothing changes", async (_encoding, bytes, message) => {
  const path = join(IDS_DATA_DIR, "encoded.csv");
  writeFileSync(path, bytes);
  const { out, err, status } = await ids(environment, "policies", "import", path, "--source", "Our desk");
  expect({ out, status }).toEqual({ out: "", status: 1 });
  expect(err).toMatch(message);
});

test.each([
  [
    "a file that is not there",
    ["import", "nowhere.csv", "--source", "x"],
    1,
    /^ids: nowhere\.csv cannot be read: there is no such file\n$/,
  ],
  ["no source", ["import", "mine.csv"], 2, /--source/],
  ["no file", ["import", "--source", "x"], 2, /file/],
])("%s is reported in one line", async (_title, words, code, message) => {
  const { err, status } = await ids(environment, "policies", ...words);
  expect(status).toBe(code);
  expect(err).toMatch(message);
});

test("dropped, the program's own list is visible again", async () => {
  const first = await ids(environment, "policies", "drop");
  expect(first.out).toMatch(/^The imported list was removed; generation 3 with \d\d policies is published\n$/);
  const second = await ids(environment, "policies", "drop");
  expect(second.out).toMatch(/^No list was imported; generation 4 with \d\d policies is published\n$/);
});
