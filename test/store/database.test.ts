import { sql } from "kysely";
import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { Unavailable } from "../../src/errors.ts";
import { attachDatabase, type Database, openDatabase } from "../../src/store/database.ts";
import { describeEachDatabase } from "../support/databases.ts";

describeEachDatabase("a database", (openFresh) => {
  test("gives int8 as text and takes bigint", async () => {
    const { kysely } = await openFresh();
    await kysely.insertInto("generation").values({ name: "a", value: 9_007_199_254_740_993n }).execute();
    expect(await kysely.selectFrom("generation").select("value").execute()).toEqual([{ value: "9007199254740993" }]);
  });

  test("lets an error of the statement itself through as it is", async () => {
    const { kysely } = await openFresh();
    const insert = () => kysely.insertInto("generation").values({ name: "a", value: 1 }).execute();
    await insert();
    await expect(insert()).rejects.toSatisfy((error) => error instanceof DatabaseError && error.code === "23505");
  });

  test("that was closed is unavailable", async () => {
    const { kysely, query, close } = await openFresh();
    await close();
    await expect(kysely.selectFrom("generation").selectAll().execute()).rejects.toBeInstanceOf(Unavailable);
    await expect(query("select 1")).rejects.toBeInstanceOf(Unavailable);
  });

  test("keeps apart what many connections send at once, however large", async () => {
    const database = await openFresh();
    const other = attachDatabase(database.settings, { name: "other" });
    const echo = async ({ kysely }: Database, text: string, number: number) => {
      const { rows } = await sql<{ length: number; number: number }>`
        select length(${text}::text) as length, ${number}::int as number`.execute(kysely);
      expect(rows).toEqual([{ length: text.length, number }]);
    };
    const half = (number: number) => (number % 2 === 0 ? database : other);
    await Promise.all(
      Array.from({ length: 120 }, (_, number) =>
        echo(half(number), "x".repeat(number % 4 === 0 ? 700_000 + number : number), number),
      ),
    );
    await other.close();
  });

  test("shows a transaction to others whole or not at all, while they continue", async () => {
    const database = await openFresh();
    const other = attachDatabase(database.settings, { name: "other" });
    const seen = new Set<number>();
    const done = new AbortController();
    const reading = (async () => {
      while (!done.signal.aborted)
        seen.add((await other.kysely.selectFrom("generation").select("name").execute()).length);
    })();
    await Promise.all(
      [0, 1, 2, 3].map((writer) =>
        database.kysely.transaction().execute(async (transaction) => {
          for (const part of ["a", "b", "c"])
            await transaction
              .insertInto("generation")
              .values({ name: `${writer}${part}`, value: 1 })
              .execute();
        }),
      ),
    );
    done.abort();
    await reading;
    expect([...seen].filter((count) => count % 3 !== 0)).toEqual([]);
    await other.close();
  });

  test("undoes a transaction whose client vanishes, and serves the others", async () => {
    const database = await openFresh();
    const vanishing = attachDatabase(database.settings, { name: "vanishing" });
    await vanishing.query("begin; insert into generation values ('a', 1)");
    const reading = database.kysely.selectFrom("generation").selectAll().execute();
    await vanishing.close();
    expect(await reading).toEqual([]);
  });
});

test("Postgres that does not answer is unavailable", async () => {
  const options = { url: "postgres://ids@127.0.0.1:1/ids", directory: "", name: "test" };
  await expect(openDatabase(options)).rejects.toBeInstanceOf(Unavailable);
});

test.each(["postgres://ids:pass word@:x/ids", "not a url at all://"])(
  "a malformed DATABASE_URL is a wrong setting: %s",
  async (url) => {
    await expect(openDatabase({ url, directory: "", name: "test" })).rejects.toThrow(/^DATABASE_URL/);
  },
);
