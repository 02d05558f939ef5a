import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { freshFolder, ids } from "../terminal.ts";

const otherKey = "f5".repeat(32);

test("the key that the data folder keeps goes with the store, and Postgres asks for it", {
  timeout: 60_000,
}, async () => {
  const IDS_DATA_DIR = freshFolder();
  expect((await ids({ IDS_DATA_DIR }, "secrets", "rotate")).status).toBe(0);
  const stored = readFileSync(join(IDS_DATA_DIR, "secret-key"), "utf8");
  const file = join(freshFolder(), "store.backup");
  const done = await ids({ IDS_DATA_DIR }, "backup", file);
  expect(done.err).toContain("protect it like that key");
  expect(await ids({ IDS_DATA_DIR: freshFolder(), IDS_SECRET_KEY: otherKey }, "restore", file)).toMatchObject({
    status: 1,
    err: expect.stringContaining("gzip -dc FILE | head -n 1"),
  });
  const both = { IDS_DATA_DIR: freshFolder(), IDS_SECRET_KEY: `${otherKey},${stored.trim()}` };
  expect((await ids(both, "restore", file)).status).toBe(0);
  expect(existsSync(join(both.IDS_DATA_DIR, "secret-key"))).toBe(false);
  const other = freshFolder();
  writeFileSync(join(other, "secret-key"), `${otherKey}\n`);
  expect((await ids({ IDS_DATA_DIR: other }, "restore", file)).status).toBe(0);
  expect(readFileSync(join(other, "secret-key"), "utf8")).toBe(stored);
});

test("a folder whose path is too long for a socket is backed up while another process has it open", async () => {
  const directory = join(freshFolder(), "long".repeat(30));
  const database = await openDatabase({ directory, name: "ids serve" });
  await migrate(database, () => new Date());
  const file = join(freshFolder(), "store.backup");
  expect(await ids({ IDS_DATA_DIR: directory }, "migrate")).toMatchObject({ status: 1 });
  const done = await ids({ IDS_DATA_DIR: directory }, "backup", file);
  expect(done).toMatchObject({ status: 0, err: expect.stringContaining("requests to the store waited up to") });
  // Nothing was encrypted yet.
  expect(done.err).toContain("contains no key");
  await database.close();
  expect(existsSync(join(directory, "socket"))).toBe(false);
});
