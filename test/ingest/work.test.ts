import { Writable } from "node:stream";
import { beforeEach, expect, test } from "vitest";
import { maskOf } from "../../src/config/masking.ts";
import { UpstreamError } from "../../src/egress/upstream-error.ts";
import { refresh } from "../../src/ingest/refresh/refresh.ts";
import { type ScheduledDataset, scheduled } from "../../src/ingest/schedule/scheduled.ts";
import { ingestJob, startWork, type Work } from "../../src/ingest/schedule/work.ts";
import { createUpstreams } from "../../src/ingest/upstreams.ts";
import { openQueue } from "../../src/jobs/queue.ts";
import { createLog } from "../../src/log/log.ts";
import type { Database } from "../../src/store/database.ts";
import { eventually } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { inventedDataset, inventedRows, inventedSource } from "./invented-dataset.ts";

const start = new Date("2026-11-18T12:00:00.000Z");

/** A dataset of one source that answers with one row. */
function oneRow(name: string, schedule = "0 0 1 1 *") {
  const source = inventedSource(name);
  source.answer = inventedRows(name, 1);
  return inventedDataset([source], { name, schedule });
}

describeEachDatabase("The work loop", (openFresh) => {
  let database: Database;
  let now = start;
  let logged = "";
  beforeEach(async () => {
    database = await openFresh();
    now = start;
    logged = "";
  });

  const upstreamsOf = (data: "live" | "sample") =>
    createUpstreams(
      { data, variable: () => undefined, mask: maskOf({}) },
      () => now,
      () => 0,
    );
  const work = async (
    datasets: readonly ScheduledDataset[],
    data: "live" | "sample" = "live",
    idle = () => {},
  ): Promise<Work> => {
    const queue = await openQueue(database, {
      kinds: [ingestJob],
      role: "work",
      log: (line) => {
        logged += `${line}\n`;
      },
    });
    const stream = new Writable({
      write(line, _encoding, done) {
        logged += line;
        done();
      },
    });
    const log = createLog("info", stream);
    return startWork({ database, queue, datasets, upstreams: upstreamsOf(data), clock: () => now, log, idle });
  };
  const store = (dataset: ReturnType<typeof oneRow>, data: "live" | "sample" = "live") =>
    refresh(dataset, { database: database.kysely, upstreams: upstreamsOf(data) });
  /** `name:generation` of what is visible. */
  const visible = async () => {
    const rows = await database.kysely.selectFrom("dataset").select(["name", "generation"]).orderBy("name").execute();
    return rows.map(({ name, generation }) => `${name}:${generation}`);
  };
  const sees = (...expected: string[]) => eventually(visible, (found) => String(found) === String(expected));
  const jobs = async () =>
    (await database.query("select singleton_key as key, state::text from pgboss.job where name = 'ingest'")).rows;

  test("refreshes at its start datasets that were never stored or are overdue, and skips fresh ones", async () => {
    const [fresh, old, never] = [oneRow("fresh"), oneRow("old"), oneRow("never")];
    await store(old);
    now = new Date(start.getTime() + 60 * 60_000);
    await store(fresh);
    now = new Date(now.getTime() + 1);
    const working = await work([fresh, old, never].map(scheduled));
    await sees("fresh:1", "never:1", "old:2");
    expect(await jobs()).not.toContainEqual(expect.objectContaining({ key: "fresh" }));
    await working.close();
    expect(await visible()).toEqual(["fresh:1", "never:1", "old:2"]);
    expect(logged).toMatch(/"dataset":"never","generation":1,"rows":1.*"msg":"ingest"/);
  });

  test("refreshes what is made from a dataset after that one, and nothing else", async () => {
    const [first, made, other] = [
      oneRow("first"),
      { ...oneRow("made"), follows: [{ name: "first" }] },
      oneRow("other"),
    ];
    for (const dataset of [made, other]) await store(dataset);
    const working = await work([first, made, other].map(scheduled));
    await sees("first:1", "made:2", "other:1");
    await working.close();
    expect(await visible()).toEqual(["first:1", "made:2", "other:1"]);
  });

  test("refreshes at once what came from the other kind of upstream", async () => {
    const dataset = oneRow("a");
    await store(dataset, "sample");
    const working = await work([scheduled(dataset)], "live");
    await sees("a:2");
    await working.close();
    expect(await database.kysely.selectFrom("dataset").select("origin").execute()).toEqual([{ origin: "live" }]);
  });

  test("registers a schedule for each dataset, and removes those of datasets that are gone", async () => {
    const schedules = async () =>
      (await database.query("select key, cron, data from pgboss.schedule where name = 'ingest' order by key")).rows;
    const first = await work([oneRow("gone", "1 * * * *"), oneRow("stays", "2 * * * *")].map(scheduled));
    await sees("gone:1", "stays:1");
    await first.close();
    expect(await schedules()).toHaveLength(2);
    const second = await work([oneRow("stays", "3 * * * *")].map(scheduled));
    expect(await schedules()).toEqual([{ key: "stays", cron: "3 * * * *", data: { dataset: "stays" } }]);
    await second.close();
  });

  test("a job for a dataset that this program does not know is done without a word", async () => {
    const working = await work([scheduled(oneRow("a"))]);
    const queue = await openQueue(database, { kinds: [ingestJob], role: "send", log: () => undefined });
    await queue.send(ingestJob, { dataset: "of tomorrow" }, { key: "of tomorrow" });
    await eventually(jobs, (rows) => rows.length === 2 && rows.every((row) => Object(row).state === "completed"));
    await queue.close();
    await working.close();
    expect(logged).not.toMatch(/of tomorrow/);
  });

  test("at a start on an embedded database, what is made from others that are due comes once, after all of them", async ({
    skip,
  }) => {
    if (database.kind === "postgres") return skip("other processes may be at work");
    const made = { ...oneRow("made"), follows: [{ name: "b" }], reads: [{ name: "a" }, { name: "b" }] };
    const sources = ["a", "b"].map((name) => {
      const source = inventedSource(name);
      source.answer = async () => {
        expect(await visible()).not.toContainEqual(expect.stringMatching(/^made/));
        return inventedRows(name, 1);
      };
      return inventedDataset([source], { name, schedule: "0 0 1 1 *" });
    });
    const working = await work([made, ...sources, oneRow("other")].map(scheduled));
    await working.caughtUp;
    expect(await visible()).toEqual(["a:1", "b:1", "made:1", "other:1"]);
    await working.close();
  });

  test("at a start on an embedded database no schedule makes what is made from others before these were tried", async ({
    skip,
  }) => {
    if (database.kind === "postgres") return skip("other processes may be at work");
    const schedules = async () =>
      (await database.query("select key from pgboss.schedule where name = 'ingest' order by key")).rows.map(
        (row) => Object(row).key,
      );
    const made = { ...oneRow("made"), follows: [{ name: "a" }, { name: "b" }] };
    const held = inventedSource("b");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    held.answer = () => released.then(() => inventedRows("b", 1));
    // The queue of an earlier start.
    const queue = await openQueue(database, { kinds: [ingestJob], role: "send", log: () => undefined });
    await queue.schedule(ingestJob, made.schedule, { dataset: "made" }, "made");
    await queue.close();
    const working = await work([made, oneRow("a"), inventedDataset([held], { name: "b" })].map(scheduled));
    await sees("a:1");
    expect(await schedules()).toEqual(["a", "b"]);
    release();
    await working.caughtUp;
    expect(await visible()).toEqual(["a:1", "b:1", "made:1"]);
    await eventually(schedules, (found) => String(found) === "a,b,made");
    await working.close();
  });

  test("it is idle when the last of the refreshes under way has ended", async () => {
    const [a, b] = [inventedSource("a"), inventedSource("b")];
    const { promise: requested, resolve } = Promise.withResolvers<void>();
    a.answer = async () => {
      resolve();
      await sees("b:1");
      return inventedRows("a", 1);
    };
    b.answer = () => requested.then(() => inventedRows("b", 1));
    const idle: unknown[] = [];
    const both = [a, b].map((source) => scheduled(inventedDataset([source], { name: source.name })));
    const working = await work(both, "live", () => idle.push("idle"));
    await eventually(
      async () => idle.length,
      (times) => times > 0,
    );
    expect([await visible(), idle]).toEqual([["a:1", "b:1"], ["idle"]]);
    await working.close();
  });

  test("it has caught up although a refresh fails, with what is made from that one tried too", async ({ skip }) => {
    if (database.kind === "postgres") return skip("other processes may be at work");
    const broken = { ...oneRow("broken"), write: () => Promise.reject(new Error("the disk is full")) };
    const made = { ...oneRow("made"), reads: [{ name: "broken" }] };
    const working = await work([made, broken].map(scheduled));
    await working.caughtUp;
    expect(await visible()).toEqual(["made:1"]);
    await working.close();
  });

  test("a derived dataset waits until its input is stored, is computed after it, and not again while it stays", async () => {
    const generationOfA = async ({ kysely }: Pick<Database, "kysely">) =>
      (await kysely.selectFrom("dataset").select("generation").where("name", "=", "a").executeTakeFirst())?.generation;
    let madeFrom: string | undefined;
    const plain = oneRow("made");
    const made = {
      ...plain,
      follows: [{ name: "a" }],
      isDue: async () => (await generationOfA(database)) !== madeFrom,
      async write(...[transaction, refreshed]: Parameters<typeof plain.write>) {
        madeFrom = await generationOfA({ kysely: transaction });
        return plain.write(transaction, refreshed);
      },
    };
    const isDone = (key: string) =>
      eventually(jobs, (rows) => rows.some((row) => Object(row).key === key && Object(row).state === "completed"));
    const queue = await openQueue(database, { kinds: [ingestJob], role: "send", log: () => undefined });
    const source = inventedSource("a");
    source.answer = async () => {
      await queue.send(ingestJob, { dataset: "made", ifDue: true }, { key: "made" });
      await isDone("made");
      expect(await visible()).toEqual([]);
      return inventedRows("a", 1);
    };
    const working = await work([made, inventedDataset([source], { name: "a" })].map(scheduled));
    await sees("a:1", "made:1");
    await eventually(jobs, (rows) => rows.every((row) => Object(row).state === "completed"));
    await queue.send(ingestJob, { dataset: "made", ifDue: true }, { key: "made" });
    await eventually(jobs, (rows) => rows.length >= 4 && rows.every((row) => Object(row).state === "completed"));
    expect(await visible()).toEqual(["a:1", "made:1"]);
    // Its own schedule asks for no reason.
    await queue.send(ingestJob, { dataset: "made" }, { key: "made" });
    await sees("a:1", "made:2");
    await queue.close();
    await working.close();
  });

  test.each(["follows", "reads"] as const)(
    "at a first start what %s several others comes once, after the first attempt of the last of them, though that fails",
    async (how) => {
      const [good, bad] = [inventedSource("good"), inventedSource("bad")];
      const isDone = (key: string) => (rows: readonly unknown[]) =>
        rows.some((row) => Object(row).key === key && Object(row).state === "completed");
      good.answer = async () => {
        await eventually(jobs, isDone("first"));
        expect(await jobs()).not.toContainEqual(expect.objectContaining({ key: "made" }));
        return inventedRows("good", 1);
      };
      bad.answer = async () => {
        await eventually(jobs, isDone("good"));
        expect(await jobs()).not.toContainEqual(expect.objectContaining({ key: "made" }));
        throw new UpstreamError("it is down");
      };
      const made = { ...oneRow("made"), [how]: [{ name: "first" }, { name: "good" }, { name: "bad" }] };
      const leaders = [good, bad].map((source) => inventedDataset([source], { name: source.name }));
      const working = await work([made, oneRow("first"), ...leaders].map(scheduled));
      await sees("first:1", "good:1", "made:1");
      await eventually(jobs, isDone("made"));
      expect(await jobs()).toHaveLength(4);
      await working.close();
    },
  );

  test("a refresh that throws is logged and stops no other one", async () => {
    const broken = {
      ...oneRow("broken"),
      write: () => Promise.reject(new Error("the disk is full")),
    };
    const working = await work([broken, oneRow("a"), oneRow("b")].map(scheduled));
    await sees("a:1", "b:1");
    await eventually(
      async () => logged,
      (text) => /Job ingest \S+ failed, attempt 1: Error: the disk is full/.test(text),
    );
    await working.close();
  });

  test("ends in bounded time although a source never answers, and stores nothing after that", async () => {
    const { promise: responded, resolve: response } = Promise.withResolvers<void>();
    const { promise: requested, resolve: sendRequest } = Promise.withResolvers<void>();
    const source = inventedSource("endless");
    source.answer = async () => {
      sendRequest();
      await responded;
      return inventedRows("endless", 1);
    };
    const endless = scheduled(inventedDataset([source], { name: "endless" }));
    let running: Promise<unknown> | undefined;
    const working = await work([
      {
        ...endless,
        refresh(parts) {
          const run = endless.refresh(parts);
          running = run;
          return run;
        },
      },
    ]);
    await requested;
    const begun = performance.now();
    await working.close();
    expect(performance.now() - begun).toBeLessThan(8_000);
    response();
    await expect(running).rejects.toThrow();
    expect(await visible()).toEqual([]);
  });

  test("on an embedded database, what a killed process left half done is done again at once", async ({ skip }) => {
    if (database.kind === "postgres") return skip("other processes may be at work");
    await store(oneRow("a"));
    // As a killed process leaves it: running, with a lease that has not run out.
    const queue = await openQueue(database, { kinds: [ingestJob], role: "send", log: () => undefined });
    for (const key of ["a", "gone"]) await queue.send(ingestJob, { dataset: key }, { key });
    await queue.close();
    await database.query(
      "update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() where name = 'ingest'",
    );
    const working = await work([oneRow("a"), oneRow("b")].map(scheduled));
    await sees("a:2", "b:1");
    await working.close();
    expect(await jobs()).not.toContainEqual(expect.objectContaining({ key: "gone" }));
  });
});
