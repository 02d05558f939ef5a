import { Kysely, sql } from "kysely";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { attachDatabase } from "../../src/store/database.ts";
import { clientConfig } from "../../src/store/pool.ts";
import { postgresDialect } from "../../src/store/postgres-dialect.ts";
import { describeOnce } from "../support/databases.ts";

describeOnce("A pool whose connections are all in use", (openFresh) => {
  test("is distinguished from a database that is unreachable", async () => {
    const { settings } = await openFresh();
    const pool = new Pool({ ...clientConfig(settings, "test"), max: 1, connectionTimeoutMillis: 500 });
    const kysely = new Kysely({ dialect: postgresDialect(pool) });
    const held = await pool.connect();
    const waiting = sql`select 1`.execute(kysely);
    await expect(waiting).rejects.toMatchObject({
      name: "Overloaded",
      message: "All connections to the database are in use",
      retryAfterSeconds: 5,
    });
    held.release();
    expect((await sql`select 1 as one`.execute(kysely)).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  test("does not give out again one whose answer did not come in time", async () => {
    const { settings } = await openFresh();
    const late = { postgres: 200, embedded: 200 };
    const database = attachDatabase(settings, { name: "test", limits: late });
    try {
      await expect(sql`select pg_sleep(2)`.execute(database.kysely)).rejects.toThrow("out of reach");
      expect((await sql`select 1 as one`.execute(database.kysely)).rows).toEqual([{ one: 1 }]);
    } finally {
      await database.close();
    }
  });
});
