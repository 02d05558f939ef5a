import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { restore } from "../../../src/cli/backup.ts";
import { readConfig } from "../../../src/config/config.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { freshFolder, ids } from "../terminal.ts";

const [key, otherKey] = ["0d".repeat(32), "f5".repeat(32)];

describeEachDatabase("ids backup and ids restore", (_openFresh, freshPlace) => {
  test("carry a store to an empty place while another process has it open, and reject whatever would lose or break data", async () => {
    const folder = freshFolder();
    const file = join(folder, "store.backup");
    const place = await freshPlace();
    const environment = environmentOf(place);
    expect((await ids(environment, "keys", "create", "--operator", "--name", "mine")).status).toBe(0);
    const serving = await openDatabase({ ...place, name: "ids serve" });
    const done = await ids(environment, "backup", file);
    expect(done).toMatchObject({
      status: 0,
      out: "",
      err: expect.stringMatching(/^Backed up the \w+ store: \d+ bytes.*\n.*IDS_SECRET_KEY/),
    });
    expect(readFileSync(file).includes(key)).toBe(false);
    expect(await ids(environment, "backup", folder)).toMatchObject({
      status: 1,
      err: `ids: ${folder} is a folder: name a file in it\n`,
    });
    expect(await ids(environment, "backup", "/dev/null")).toMatchObject({
      status: 1,
      err: "ids: /dev/null is not a regular file: name one, or use standard output\n",
    });
    const lastRun = async () => (await serving.query("select error from backup_run")).rows;
    expect(await lastRun()).toEqual([{ error: "/dev/null is not a regular file: name one, or use standard output" }]);
    expect((await ids(environment, "backup", "-")).out.length).toBeGreaterThan(1000);
    expect(await lastRun()).toEqual([{ error: null }]);
    const used = await ids(environment, "restore", file, "--replace");
    expect(used).toMatchObject({ status: 1, err: expect.stringMatching(/is in use by .*[Ss]top/) });
    await serving.close();

    const target = environmentOf(await freshPlace());
    const wrong = { ...target, IDS_SECRET_KEY: otherKey };
    expect(await ids(wrong, "restore", file)).toMatchObject({
      status: 1,
      err: expect.stringContaining("IDS_SECRET_KEY is another key"),
    });
    const restored = await ids(target, "restore", file);
    expect(restored).toMatchObject({ status: 0, err: "" });
    expect(restored.out).toMatch(/^table +rows\naccount +1\napi_key +1\n[\s\S]*Next: start the service/);
    expect(await ids(target, "restore", file)).toMatchObject({
      status: 1,
      err: expect.stringContaining("use --replace"),
    });

    const whole = readFileSync(file);
    const input = (bytes: Buffer) => Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]);
    const from = (bytes: Buffer) =>
      restore(
        { environment: target, config: () => readConfig(target), out: nowhere(), err: nowhere() },
        "-",
        { replace: true },
        input(bytes),
      );
    await expect(from(whole.subarray(0, -40))).rejects.toThrow("truncated");
    await from(whole);
  });
});

test("a folder without a store stays empty, and a file that isn't a backup is rejected", async () => {
  const IDS_DATA_DIR = join(freshFolder(), "none");
  expect(await ids({ IDS_DATA_DIR }, "backup", "-")).toMatchObject({
    status: 1,
    out: "",
    err: expect.stringContaining("set IDS_DATA_DIR"),
  });
  const file = join(freshFolder(), "words");
  writeFileSync(file, "words");
  expect(await ids({ IDS_DATA_DIR }, "restore", file)).toMatchObject({
    status: 1,
    err: expect.stringContaining("not a backup"),
  });
  expect(await ids({ IDS_DATA_DIR }, "restore", `${file}.gone`)).toMatchObject({
    status: 1,
    err: expect.stringContaining(`${file}.gone`),
  });
  expect(await ids({ IDS_DATA_DIR }, "backup")).toMatchObject({ status: 2 });
  expect(existsSync(IDS_DATA_DIR)).toBe(false);
});

function environmentOf({ directory, url }: { readonly directory: string; readonly url?: string | undefined }) {
  return { IDS_DATA_DIR: directory, IDS_SECRET_KEY: key, ...(url === undefined ? {} : { DATABASE_URL: url }) };
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
