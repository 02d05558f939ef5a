import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DatasetName } from "../../../../src/domains/index.ts";
import { dayMs } from "../../../../src/reference/duration.ts";
import { openDatabase } from "../../../../src/store/database.ts";
import { freshFolder, ids } from "../../terminal.ts";

const folder = freshFolder();
const directory = freshFolder();
const environment = { IDS_DATA: "sample", IDS_DATA_DIR: directory, IDS_ARCHIVE: `file:${folder}` };
const policies: DatasetName = "energy-crisis-policies";
const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const [from, to] = [dayBefore(10), dayBefore(8)];
const root = join(folder, "sample", `dataset=${policies}`);

/** As if what was read now had been read then. */
async function readEarlier(instant: string): Promise<void> {
  const database = await openDatabase({ directory, name: "test" });
  await database.query(
    `update dataset_version set (valid_from, stored_at, read_at) = ('${instant}', '${instant}', '{}')`,
  );
  await database.query(`update snapshot_version set valid_from = '${instant}'`);
  await database.close();
}

test("days are archived once, listed, verified, and restored into another store", async () => {
  await ids(environment, "ingest", policies);
  await readEarlier(`${from}T12:00:00Z`);
  const written = await ids(environment, "archive", "write", policies, "--from", from, "--to", to);
  expect(written).toMatchObject({ err: "", status: 0 });
  expect(written.out).toMatch(/^energy-crisis-policies \S+: policies \d+; \d+ bytes\n/);
  expect(written.out).toMatch(/\n3 days archived\.\n$/);
  expect(readdirSync(root)).toEqual([`day=${from}`, `day=${dayBefore(9)}`, `day=${to}`]);
  const listed = await ids(environment, "archive", "list", "--json");
  expect(JSON.parse(listed.out)).toContainEqual({ dataset: policies, days: 3, first: from, last: to });
  const ofOne = await ids(environment, "archive", "list", policies);
  // They are real in every mode.
  expect(ofOne.out.split("\n")[1]).toMatch(new RegExp(`^${from} +live +1 +policies \\d+ +\\d+`));
  expect(await ids(environment, "archive", "verify")).toEqual({ out: "3 days read.\n", err: "", status: 0 });

  const other = { ...environment, IDS_DATA_DIR: freshFolder() };
  await ids(other, "migrate");
  const { out } = await ids({ ...other, IDS_KEEP_HISTORY_DAYS: "9" }, "archive", "import", policies);
  const reported = out.split("\n").map((line) => line.replace(`${policies} `, ""));
  expect(reported).toEqual([
    ...[from, dayBefore(9)].map((day) => `${day}: left out: it is older than IDS_KEEP_HISTORY_DAYS`),
    `${to}: 2 rows imported`,
    "",
  ]);
});

test("a file that was changed and a day without a file are reported and fail", async () => {
  writeFileSync(join(root, `day=${from}`, "_versions.ndjson.gz"), "x");
  rmSync(join(root, `day=${to}`, "table=policies"), { recursive: true });
  writeFileSync(join(root, `day=${dayBefore(9)}`, "_manifest.json"), "{}");
  const { out, err, status } = await ids(environment, "archive", "verify", policies);
  expect({ out, status }).toEqual({ out: "2 days read.\n", status: 1 });
  for (const words of [
    "_manifest.json is not a manifest of this program: ",
    "_versions.ndjson.gz does not match its SHA-256 checksum\n",
    "table=policies/rows.parquet is missing\n",
    "ids: 3 files differ from their manifests\n",
  ])
    expect(err).toContain(words);
});

test("a wrong call is reported in one line", async () => {
  for (const [words, status, message] of [
    [["write", "nothing"], 2, /Unknown dataset nothing\. Datasets with days: conflict-events, /],
    [["write", "global-tenders"], 2, /No earlier versions of global-tenders are retained, so it has no days/],
    [["verify", "--from", "2026-02-30"], 2, /--from and --to must be days such as 2026-03-01, not 2026-02-30/],
    [
      ["write", "--from", "2026-03-02", "--to", "2026-03-01"],
      2,
      /--to must not be before --from: 2026-03-01 is before/,
    ],
    [["write", "--from", "2999-01-01"], 2, /--from must be a closed day, at most \d{4}-\d{2}-\d{2}/],
  ] as const) {
    const { err, status: ended } = await ids(environment, "archive", ...words);
    expect([ended, err]).toEqual([status, expect.stringMatching(message)]);
  }
  const without = { ...environment, IDS_ARCHIVE: "" };
  const { err, status } = await ids(without, "archive", "list");
  expect([status, err]).toEqual([
    1,
    "ids: No archive is configured: set IDS_ARCHIVE to file:/folder or s3://bucket/prefix\n",
  ]);
});
