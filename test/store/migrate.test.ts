import { sql } from "kysely";
import { expect, test } from "vitest";
import { ConfigurationError } from "../../src/errors.ts";
import { attachDatabase, type Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { describeEachDatabase } from "../support/databases.ts";

describeEachDatabase("migrating", (openFresh) => {
  const now = () => new Date("2026-11-01T00:00:00Z");
  const migrations = ({ kysely }: Database) => kysely.selectFrom("migration").selectAll().orderBy("name").execute();

  async function empty(database: Database): Promise<void> {
    await database.query("drop schema public cascade; drop schema pgboss cascade; create schema public");
  }

  test("a database that is up to date changes nothing", async () => {
    const database = await openFresh();
    const before = await migrations(database);
    await migrate(database, now);
    expect(await migrations(database)).toEqual(before);
  });

  test("brings an empty database to the tables of every migration and of the job queue", async () => {
    const database = await openFresh();
    const tables = async () =>
      (
        await database.query(
          "select table_schema, table_name from information_schema.tables where table_schema in ('public', 'pgboss') order by 1, 2",
        )
      ).rows;
    const before = await tables();
    await empty(database);
    await migrate(database, now);
    expect(await tables()).toEqual(before);
    expect(await migrations(database)).toContainEqual({ compatible: false, name: "0001_store", applied_at: now() });
  });

  test("is done once when several processes start together", async () => {
    const database = await openFresh();
    await empty(database);
    const others = [1, 2, 3].map((number) => attachDatabase(database.settings, { name: `starter ${number}` }));
    await Promise.all([database, ...others].map((each) => migrate(each, now)));
    const names = (await migrations(database)).map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    await Promise.all(others.map((each) => each.close()));
  });

  test("a database that is newer than the program is refused and stays as it is", async () => {
    const database = await openFresh();
    await database.kysely.insertInto("migration").values({ name: "9999_later", applied_at: now() }).execute();
    await expect(migrate(database, now)).rejects.toSatisfy(
      (error) => error instanceof ConfigurationError && error.message.includes("9999_later"),
    );
  });

  test("a program starts on a store that is newer by additive migrations alone, and changes nothing there", async () => {
    const database = await openFresh();
    const later = { name: "9999_later", applied_at: now(), compatible: true };
    await database.kysely.insertInto("migration").values(later).execute();
    const before = await migrations(database);
    await migrate(database, now);
    expect(await migrations(database)).toEqual(before);
  });

  test("a migration that fails leaves nothing behind", async () => {
    const database = await openFresh();
    await empty(database);
    await sql`create table api_key (hash text)`.execute(database.kysely);
    await expect(migrate(database, now)).rejects.toThrow('relation "api_key" already exists');
    expect((await database.query("select to_regclass('generation') as generation")).rows).toEqual([
      { generation: null },
    ]);
  });
});
