import { expect, test } from "vitest";
import { attachDatabase } from "../../../src/store/database.ts";
import { followGenerations, raiseGeneration } from "../../../src/store/served/generations.ts";
import { describeEachDatabase } from "../../support/databases.ts";

describeEachDatabase("generations", (openFresh) => {
  const clock = () => new Date("2026-11-01T00:00:00Z");
  const hourly = 3_600_000;

  function recorder() {
    const seen: string[] = [];
    return { seen, onChange: (name: string, value: number) => void seen.push(`${name} ${value}`) };
  }

  test("count up by one in each transaction, and not in one that is rolled back", async () => {
    const { kysely } = await openFresh();
    const raise = (name: string) => kysely.transaction().execute((transaction) => raiseGeneration(transaction, name));
    expect([await raise("a"), await raise("b"), await raise("a")]).toEqual([1, 1, 2]);
    const undone = kysely.transaction().execute(async (transaction) => {
      await raiseGeneration(transaction, "a");
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await raise("a")).toBe(3);
  });

  test("are reported at the start, and within a second if another connection raises one", async () => {
    const database = await openFresh();
    const raise = (name: string) =>
      database.kysely.transaction().execute((transaction) => raiseGeneration(transaction, name));
    await raise("a");
    const reader = attachDatabase(database.settings, { name: "reader" });
    const { seen, onChange } = recorder();
    const log: string[] = [];
    const generations = await followGenerations(reader, {
      onChange,
      clock,
      pollMs: hourly,
      log: (line) => log.push(line),
    });
    expect(seen).toEqual(["a 1"]);
    await raise("b");
    await expect.poll(() => seen, { timeout: 1000, interval: 5 }).toEqual(["a 1", "b 1"]);
    await raise("a");
    await expect.poll(() => seen, { timeout: 1000, interval: 5 }).toEqual(["a 1", "b 1", "a 2"]);
    expect(log).toEqual([]);
    await generations.close();
    await reader.close();
  });

  test("are reported at the next poll if their notification is lost", async () => {
    const database = await openFresh();
    const { seen, onChange } = recorder();
    const generations = await followGenerations(database, { onChange, clock, pollMs: 20, log: () => {} });
    await database.kysely.insertInto("generation").values({ name: "a", value: 7 }).execute();
    await expect.poll(() => seen, { timeout: 1000 }).toEqual(["a 7"]);
    await generations.close();
  });

  test("are reported once, however often they are read", async () => {
    const database = await openFresh();
    await database.kysely.insertInto("generation").values({ name: "a", value: 7 }).execute();
    const { seen, onChange } = recorder();
    const generations = await followGenerations(database, { onChange, clock, pollMs: hourly, log: () => {} });
    await Promise.all([generations.poll(), generations.poll(), generations.poll()]);
    expect(seen).toEqual(["a 7"]);
    await generations.close();
  });

  test("carry the time of the last poll that came through", async () => {
    const database = await openFresh();
    let now = clock();
    const log: string[] = [];
    const following = {
      onChange: () => {},
      clock: () => now,
      pollMs: hourly,
      log: (line: string) => void log.push(line),
    };
    const generations = await followGenerations(database, following);
    expect(generations.lastPollAt()).toEqual(now);
    now = new Date("2026-11-01T00:00:02Z");
    await generations.poll();
    expect(generations.lastPollAt()).toEqual(now);
    await database.close();
    const read = now;
    now = new Date("2026-11-01T00:00:04Z");
    await generations.poll();
    expect(generations.lastPollAt()).toEqual(read);
    expect(log).toContainEqual(expect.stringMatching(/^The generations cannot be read: /));
    await generations.close();
  });

  test("are reported again after every connection of the reader was lost", async () => {
    const database = await openFresh();
    const reader = attachDatabase(database.settings, { name: "reader" });
    const { seen, onChange } = recorder();
    const generations = await followGenerations(reader, { onChange, clock, pollMs: hourly, log: () => {} });
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()",
    );
    await database.kysely.transaction().execute((transaction) => raiseGeneration(transaction, "a"));
    await expect.poll(() => seen, { timeout: 5000 }).toEqual(["a 1"]);
    await generations.close();
    await reader.close();
  });

  test("of concurrent transactions are all reported, the last one last", async () => {
    const database = await openFresh();
    const writer = attachDatabase(database.settings, { name: "writer" });
    const { seen, onChange } = recorder();
    const generations = await followGenerations(database, { onChange, clock, pollMs: hourly, log: () => {} });
    const values = await Promise.all(
      Array.from({ length: 20 }, () =>
        writer.kysely.transaction().execute((transaction) => raiseGeneration(transaction, "a")),
      ),
    );
    expect(values.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    await expect.poll(() => seen.at(-1), { timeout: 1000 }).toBe("a 20");
    await generations.close();
    await writer.close();
  });
});
