import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ConfigurationError } from "../../src/errors.ts";
import { type JobKind, openQueue, type Queue } from "../../src/jobs/queue.ts";
import { attachDatabase, type Database, openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { lostKind } from "../support/processes/lost-kind.ts";

const plain: JobKind = { name: "plain", retries: 1, retryAfterSeconds: 1 };
const keyed: JobKind = { name: "keyed", onePerKey: true };

describeEachDatabase("the job queue", (openFresh, freshPlace) => {
  const log: string[] = [];
  const open = (database: Database, role: "send" | "work") =>
    openQueue(database, { kinds: [plain, keyed, lostKind], role, superviseSeconds: 1, log: (line) => log.push(line) });

  async function withWorker(use: (queue: Queue, database: Database) => Promise<void>): Promise<void> {
    log.length = 0;
    const database = await openFresh();
    const queue = await open(database, "work");
    await use(queue, database);
    await queue.close(1000);
  }

  test("runs a job that another connection sent, within a second", () =>
    withWorker(async (queue, database) => {
      const ran: unknown[] = [];
      await queue.work<{ n: number }>(plain, async (data, { attempt }) => void ran.push({ ...data, attempt }));
      const other = attachDatabase(database.settings, { name: "other" });
      const sender = await open(other, "send");
      await sender.send(plain, { n: 1 });
      await expect.poll(() => ran, { timeout: 1000 }).toEqual([{ n: 1, attempt: 1 }]);
      await sender.close();
      await other.close();
      expect(log).toEqual([]);
    }));

  test("runs a job sent in a transaction when that is committed, and never when it is rolled back", () =>
    withWorker(async (queue, { kysely }) => {
      const ran = new Set<string>();
      await queue.work<{ name: string }>(plain, async ({ name }) => void ran.add(name));
      const undone = kysely.transaction().execute(async (transaction) => {
        await queue.send(plain, { name: "undone" }, { transaction });
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      await kysely.transaction().execute((transaction) => queue.send(plain, { name: "done" }, { transaction }));
      await queue.send(plain, { name: "last" });
      await expect.poll(() => ran, { timeout: 7000 }).toEqual(new Set(["done", "last"]));
    }));

  test("drops a job whose key waits or runs already, and takes it again after that", () =>
    withWorker(async (queue, database) => {
      const other = attachDatabase(database.settings, { name: "other" });
      const replica = await open(other, "work");
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const running: string[] = [];
      const handler = async ({ key }: { key: string }) => {
        running.push(key);
        await ended;
      };
      const send = (key: string, from = queue) => from.send(keyed, { key }, { key });
      expect(await Promise.all([send("a"), send("a", replica), send("b")])).toContain(undefined);
      await queue.work(keyed, handler, 2);
      await replica.work(keyed, handler, 2);
      await expect.poll(() => new Set(running), { timeout: 7000 }).toEqual(new Set(["a", "b"]));
      expect(running).toHaveLength(2);
      expect(await send("a", replica)).toBeUndefined();
      end();
      await expect.poll(() => send("a"), { timeout: 5000 }).toBeTypeOf("string");
      await replica.close(1000);
      await other.close();
    }));

  test("runs delayed jobs that come due together side by side", () =>
    withWorker(async (queue) => {
      const { promise: both, resolve } = Promise.withResolvers<void>();
      const running: number[] = [];
      const handler = async ({ n }: { n: number }) => {
        if (running.push(n) === 2) resolve();
        await both;
      };
      await queue.work(plain, handler, 2);
      for (const n of [1, 2]) await queue.send(plain, { n }, { startAfter: new Date(Date.now() + 500) });
      await expect.poll(() => running, { timeout: 8000 }).toHaveLength(2);
    }));

  test("runs a delayed job in time while the worker that polls is busy", () =>
    withWorker(async (queue) => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const ran: string[] = [];
      const handler = async ({ name }: { name: string }) => {
        ran.push(name);
        if (name === "long") await ended;
      };
      await queue.work(plain, handler, 2);
      await queue.send(plain, { name: "long" });
      await expect.poll(() => ran, { timeout: 7000 }).toEqual(["long"]);
      await queue.send(plain, { name: "delayed" }, { startAfter: new Date(Date.now() + 2_000) });
      await expect.poll(() => ran, { timeout: 12_000 }).toEqual(["long", "delayed"]);
      end();
    }));

  test("tries a failed job again and logs each failure", () =>
    withWorker(async (queue) => {
      const attempts: number[] = [];
      await queue.work(plain, async (_, { attempt }) => {
        attempts.push(attempt);
        throw new Error("no");
      });
      const id = await queue.send(plain, {});
      await expect.poll(() => attempts, { timeout: 15_000 }).toEqual([1, 2]);
      await expect
        .poll(() => log)
        .toEqual([`Job plain ${id} failed, attempt 1: Error: no`, `Job plain ${id} failed, attempt 2: Error: no`]);
    }));

  test("gives a job whose worker was killed to another", async () => {
    const options = await freshPlace();
    const first = await openDatabase(options);
    await migrate(first, () => new Date());
    const sender = await open(first, "send");
    await sender.send(lostKind, {});
    await sender.close();
    await first.close();
    const script = fileURLToPath(new URL("../support/processes/lost-worker.ts", import.meta.url));
    const lost = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit"] });
    expect(String((await once(lost.stdout, "data"))[0])).toBe("attempt 1\n");
    lost.kill("SIGKILL");
    await once(lost, "exit");

    const second = await openDatabase(options);
    const queue = await open(second, "work");
    const attempts: number[] = [];
    await queue.work(lostKind, async (_, { attempt }) => void attempts.push(attempt));
    await expect.poll(() => attempts, { timeout: 30_000 }).toEqual([2]);
    await queue.close(1000);
    await second.close();
  });

  test("ends a run that is still going when it closes, and leaves the job to be tried again", async () => {
    const database = await openFresh();
    const queue = await open(database, "work");
    const { promise: started, resolve: start } = Promise.withResolvers<AbortSignal>();
    await queue.work(plain, async (_, { signal }) => {
      start(signal);
      await new Promise(() => {});
    });
    await queue.send(plain, {});
    const signal = await started;
    await queue.close(1000);
    expect(signal.aborted).toBe(true);
    expect((await database.query("select state::text from pgboss.job where name = 'plain'")).rows).toEqual([
      { state: "retry" },
    ]);
  });

  test("keeps one schedule for a key, the last one given", () =>
    withWorker(async (queue, database) => {
      await queue.schedule(keyed, "0 * * * *", { dataset: "a" }, "a");
      await queue.schedule(keyed, "30 * * * *", { dataset: "a" }, "a");
      const { rows } = await database.query("select name, key, cron, timezone, data from pgboss.schedule");
      expect(rows).toEqual([{ name: "keyed", key: "a", cron: "30 * * * *", timezone: "UTC", data: { dataset: "a" } }]);
    }));

  test("of a database that was not migrated is a wrong setting", async () => {
    const database = await openFresh();
    await database.query("drop schema pgboss cascade");
    await expect(open(database, "send")).rejects.toThrow(ConfigurationError);
  });
});
