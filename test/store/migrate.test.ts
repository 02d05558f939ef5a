import { sql } from "kysely";
import { expect, test } from "vitest";
import { planText } from "../../src/cli/store.ts";
import { ConfigurationError } from "../../src/errors.ts";
import { attachDatabase, type Database } from "../../src/store/database.ts";
import { type Migration, migrate, missingMigrations, ownMigrations } from "../../src/store/migrate.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { laterMigrations } from "../support/later-migrations.ts";
import { rowsByTable, shapeOf } from "./backup-rows.ts";

describeEachDatabase("migrate", (openFresh) => {
  const now = () => new Date("2026-11-01T00:00:00Z");
  const migrations = ({ kysely }: Database) => kysely.selectFrom("migration").selectAll().orderBy("name").execute();

  async function empty(database: Database): Promise<void> {
    await database.query("drop schema public cascade; drop schema pgboss cascade; create schema public");
  }

  test("changes nothing in a store that is up to date", async () => {
    const database = await openFresh();
    const before = await migrations(database);
    await migrate(database, now);
    expect(await migrations(database)).toEqual(before);
  });

  test("creates the tables of the store and of the job queue in an empty database", async () => {
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
    expect(await migrations(database)).toEqual([{ compatible: false, name: "1000_store", applied_at: now() }]);
  });

  test("runs once if several processes start together", async () => {
    const database = await openFresh();
    await empty(database);
    const others = [1, 2, 3].map((number) => attachDatabase(database.settings, { name: `starter ${number}` }));
    await Promise.all([database, ...others].map((each) => migrate(each, now, laterMigrations)));
    expect((await migrations(database)).map(({ name }) => name)).toEqual(["1000_store", "1001_title"]);
    await Promise.all(others.map((each) => each.close()));
  });

  test("applies a later migration to the rows of a store, with the schema of a new store as the result", async () => {
    const database = await openFresh();
    await database.query("insert into account (id, name) values ('acme', 'Acme')");
    await migrate(database, now, laterMigrations);
    expect((await database.query("select id, title from account")).rows).toEqual([{ id: "acme", title: "ACME" }]);
    expect(await migrations(database)).toContainEqual({ compatible: true, name: "1001_title", applied_at: now() });
    const migrated = await shapeOf(database);
    await empty(database);
    await migrate(database, now, laterMigrations);
    expect(await shapeOf(database)).toEqual(migrated);
  });

  test("names the missing migrations and whether the earlier program still runs, and changes nothing", async () => {
    const database = await openFresh();
    const breaking: Migration = { name: "1002_breaking", up: async () => {} };
    const planOf = async (known: readonly Migration[]) =>
      planText("postgres", await missingMigrations(database, known));
    const before = await migrations(database);
    expect(await planOf(ownMigrations)).toBe("The postgres database is up to date.\n");
    expect(await planOf(laterMigrations)).toBe(
      "The postgres database lacks 1001_title.\nAll are compatible: the earlier version still runs on the migrated database.\n",
    );
    expect(await planOf([...laterMigrations, breaking])).toBe(
      "The postgres database lacks 1001_title, 1002_breaking.\nThe earlier version does not run after 1002_breaking: stop all processes first. To go back, restore a backup.\n",
    );
    expect(await migrations(database)).toEqual(before);
    await empty(database);
    expect(await planOf(ownMigrations)).toContain("lacks 1000_store");
  });

  test("accepts a store with later migrations that are compatible, and changes nothing there", async () => {
    const database = await openFresh();
    await migrate(database, now, laterMigrations);
    const before = await rowsByTable(database);
    await migrate(database, now);
    await database.query("insert into account (id, name) values ('acme', 'Acme')");
    expect((await rowsByTable(database)).migration).toEqual(before.migration);
  });

  test("rejects a store with a later migration that is not compatible", async () => {
    const database = await openFresh();
    const breaking: Migration = { name: "1001_breaking", up: async () => {} };
    await migrate(database, now, [...ownMigrations, breaking]);
    const before = await rowsByTable(database);
    await expect(migrate(database, now)).rejects.toSatisfy(
      (error) => error instanceof ConfigurationError && error.message.includes("it has 1001_breaking"),
    );
    expect(await rowsByTable(database)).toEqual(before);
  });

  test.each(["with", "without"])("rejects a store from before 1.0.0 %s the column compatible", async (column) => {
    const database = await openFresh();
    await database.query("update migration set name = '0001_store'");
    await database.query("insert into migration (name, applied_at, compatible) values ('0048_change', now(), true)");
    // The first programs did not record whether a migration is compatible.
    if (column === "without") await database.query("alter table migration drop column compatible");
    const before = await rowsByTable(database);
    await expect(migrate(database, now)).rejects.toSatisfy(
      (error) =>
        error instanceof ConfigurationError &&
        error.message.includes("from before 1.0.0, which this program cannot migrate. Start over with an empty store"),
    );
    expect(await rowsByTable(database)).toEqual(before);
  });

  test("leaves nothing behind if a migration fails", async () => {
    const database = await openFresh();
    await empty(database);
    await sql`create table api_key (hash text)`.execute(database.kysely);
    await expect(migrate(database, now)).rejects.toThrow('relation "api_key" already exists');
    expect((await database.query("select to_regclass('generation') as generation")).rows).toEqual([
      { generation: null },
    ]);
  });
});
