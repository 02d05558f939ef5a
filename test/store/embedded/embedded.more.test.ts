import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigurationError, Unavailable } from "../../../src/errors.ts";
import { attachDatabase, openDatabase } from "../../../src/store/database.ts";
import { startEmbedded } from "../../../src/store/embedded/embedded.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { killRound } from "../../support/processes/kill-round.ts";

describe("the embedded database", { timeout: 60_000 }, () => {
  let directory: string;
  const log: string[] = [];
  const open = () => openDatabase({ directory, name: "test", log: (line) => log.push(line) });

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "ids-embedded-"));
    log.length = 0;
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test("keeps every acknowledged write, and no half transaction, when its process is killed", async () => {
    for (const writes of [1, 57, 140]) {
      const round = await killRound({ directory, name: "test" }, writes);
      expect(round).toMatchObject({ lost: [], halves: [] });
      expect(round.acknowledged).toBeGreaterThanOrEqual(writes);
    }
  });

  test("keeps its data over a stop in order, and leaves only the database in its folder", async () => {
    const first = await open();
    await migrate(first, () => new Date());
    await first.kysely.insertInto("generation").values({ name: "kept", value: 1 }).execute();
    await first.close();
    expect(readdirSync(directory)).toEqual(["postgres"]);
    const second = await open();
    expect(await second.kysely.selectFrom("generation").select("name").execute()).toEqual([{ name: "kept" }]);
    await second.close();
  });

  test("begins again when a first start was killed before the folder was whole", async () => {
    mkdirSync(join(directory, "postgres.partial"));
    writeFileSync(join(directory, "postgres.partial", "PG_VERSION"), "");
    const database = await open();
    await migrate(database, () => new Date());
    await database.close();
    expect(readdirSync(directory)).toEqual(["postgres"]);
  });

  test("refuses a second opener of the same folder and does not disturb the first", async () => {
    const database = await open();
    await migrate(database, () => new Date());
    await expect(open()).rejects.toThrow(ConfigurationError);
    expect(await database.kysely.selectFrom("generation").selectAll().execute()).toEqual([]);
    await database.close();
  });

  test("does not start on a folder that isn't a database, says so, and releases the folder", async () => {
    mkdirSync(join(directory, "postgres"));
    writeFileSync(join(directory, "postgres", "PG_VERSION"), "7\n");
    await expect(open()).rejects.toSatisfy(
      (error) =>
        error instanceof ConfigurationError &&
        error.message.startsWith(`The embedded database in ${join(directory, "postgres")} cannot be used: `),
    );
    expect(readdirSync(directory)).toEqual(["postgres"]);
    expect(log).toEqual([]);
  });

  test("is started again when a statement does not end, with all that was acknowledged", async () => {
    const embedded = await startEmbedded(directory, (line) => log.push(line), 2000);
    const database = attachDatabase({ kind: "embedded", address: embedded.socketFolder }, { name: "test" });
    await migrate(database, () => new Date());
    await database.kysely.insertInto("generation").values({ name: "kept", value: 1 }).execute();
    await expect(database.query("select pg_sleep(3600)")).rejects.toThrow(Unavailable);
    const names = () => database.kysely.selectFrom("generation").select("name").execute();
    await expect.poll(() => names().catch(() => []), { timeout: 20_000 }).toEqual([{ name: "kept" }]);
    expect(log).toEqual(["The embedded database broke and is started again: a statement took more than 2000 ms"]);
    await database.close();
    await embedded.close();
  });

  test("works in a folder whose name is too long for a socket", async () => {
    directory = join(directory, "d".repeat(100));
    const database = await open();
    await migrate(database, () => new Date());
    await database.close();
    directory = join(directory, "..");
  });
});
