import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { provideFirstOperatorKey } from "../../src/access/keys/operator-keys.ts";
import { openOnce } from "../support/databases.ts";
import { startServeProcess } from "../support/processes/serve-process.ts";
import { freshFolder, ids } from "./terminal.ts";

test("a first live start makes one operator's key and keeps it, and the accounts' commands say where it lies", async () => {
  const IDS_DATA_DIR = freshFolder();
  const file = join(IDS_DATA_DIR, "operator-key");
  const start = () => startServeProcess({ IDS_DATA_DIR, IDS_DATA: "live" }, ["--no-work"]);
  let key = "";
  {
    await using service = await start();
    await service.firstSuccess("/livez");
    key = readFileSync(file, "utf8").trim();
    expect(key).toMatch(/^ids_[0-9a-f]{40}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const keyless = await ids({ IDS_URL: service.url, IDS_DATA_DIR }, "call", "create-account", "--id", "mine");
    expect(keyless).toMatchObject({ status: 1, err: expect.stringContaining(`export IDS_API_KEY="$(cat ${file})"`) });
    const opened = await ids({ IDS_URL: service.url, IDS_API_KEY: key }, "call", "create-account", "--id", "mine");
    expect(opened.status).toBe(0);
    expect(JSON.parse(opened.out)).toMatchObject({ account: { id: "mine" } });
  }
  {
    await using service = await start();
    await service.firstSuccess("/livez");
    expect(readFileSync(file, "utf8").trim()).toBe(key);
    expect((await ids({ IDS_URL: service.url, IDS_API_KEY: key }, "get", "list-accounts")).status).toBe(0);
  }
  const more = await ids({ IDS_DATA_DIR, IDS_DATA: "live" }, "keys", "create", "--operator", "--name", "second");
  expect(more).toMatchObject({ status: 0, out: expect.stringMatching(/^ids_[0-9a-f]{40}\n$/) });
});

test("a live start without any operator's key and without a place to keep one is refused with the remedy", async () => {
  const parent = freshFolder();
  writeFileSync(join(parent, "operator-key"), "");
  const database = await openOnce();
  const folder = join(parent, "operator-key");
  const made = provideFirstOperatorKey(database.kysely, folder, (size) => Buffer.alloc(size), new Date());
  await expect(made).rejects.toThrow(/set IDS_OPERATOR_KEY .* or make the folder writable/);
  await database.close();
});
