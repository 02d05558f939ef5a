import { beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { catalog } from "../../src/contract/catalog.ts";
import { type DatasetName, datasets } from "../../src/domains/index.ts";
import { release, rollBack } from "../../src/ingest/rollback.ts";
import type { ScheduledDataset } from "../../src/ingest/schedule/scheduled.ts";
import { createUpstreams, type Upstreams } from "../../src/ingest/upstreams.ts";
import { exampleAddress, exampleRequest } from "../../src/pages/reference/example-request.ts";
import { dayMs, hourMs, minuteMs } from "../../src/reference/duration.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { storedGenerations } from "../../src/store/history/generations.ts";
import { ids, settingsOf } from "../cli/terminal.ts";
import { eventually, startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase, describeOnce } from "../support/databases.ts";

// A message; rows of a table; of one that holds two generations; with a column that another table has; of one that two datasets share.
const names = [
  ...(["internet-outages", "conflict-events", "military-bases", "country-imports", "trade-flows"] as const),
];

const [first, second] = [testTime, new Date(testTime.getTime() + 7 * dayMs)];
const soonAfter = (instant: Date) => new Date(instant.getTime() + minuteMs);

function datasetOf(name: DatasetName): ScheduledDataset {
  const all: readonly ScheduledDataset[] = datasets;
  const dataset = all.find((each) => each.name === name);
  if (!dataset) throw new Error(`No dataset ${name}`);
  return dataset;
}

/** Responses of a dataset's reads to the examples of the contract. */
async function bodiesOf(app: TestApp, name: DatasetName): Promise<string> {
  const { serves } = datasetOf(name);
  const reads = catalog.filter(({ read, method }) => read && serves.includes(method));
  const bodies = await Promise.all(
    reads.map(async (operation) => {
      const response = await app.get(exampleAddress(operation, exampleRequest(operation)));
      return `${response.status} ${await response.text()}`;
    }),
  );
  // A cursor is signed with the time at which it was made.
  return bodies.join("\n").replaceAll(/"next(Cursor|After)":"[^"]*"/g, "");
}

describeEachDatabase("an earlier generation", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let replica: TestApp;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
    replica = await startApp(database);
    return async () => {
      for (const each of [app, replica]) await each[Symbol.asyncDispose]();
    };
  });
  const setTime = (now: Date) => {
    for (const each of [app, replica]) each.setTime(now);
  };
  const inTransaction = <T>(run: (transaction: Parameters<typeof release>[0]) => Promise<T>) =>
    database.kysely.transaction().execute(run);

  test("is served on every replica, stays over refreshes, is reported, and ends when it is released", async () => {
    const earlier = new Map<string, string>();
    for (const name of [...names, "trade-tariffs"] as const) {
      setTime(first);
      await app.refresh(name);
      setTime(soonAfter(first));
      earlier.set(name, await bodiesOf(app, name));
      setTime(second);
      await app.refresh(name);
    }
    setTime(soonAfter(second));
    const moved: DatasetName[] = [];
    const tariffs = await bodiesOf(app, "trade-tariffs");
    for (const [place, name] of names.entries()) {
      setTime(soonAfter(second));
      const later = await bodiesOf(app, name);
      const at = soonAfter(second);
      const generation = await inTransaction((transaction) =>
        rollBack(transaction, datasetOf(name), { to: 1, at, datasets, force: true }),
      );
      const requested = performance.now();
      setTime(soonAfter(first));
      await eventually(
        () => bodiesOf(replica, name),
        (bodies) => bodies === earlier.get(name),
      );
      expect(performance.now() - requested).toBeLessThan(5_000);
      setTime(new Date(second.getTime() + hourMs));
      expect(await app.refresh(name)).toEqual({ sources: [], held: 1 });
      setTime(soonAfter(first));
      expect(await bodiesOf(app, name)).toBe(earlier.get(name));
      expect((await storedGenerations(database.kysely, name)).map((stored) => stored.generation)).toEqual([
        generation,
        2,
        1,
      ]);
      const reason = `rolled back to generation 1 at ${at.toISOString()}: refreshes do not replace it`;
      // Health is kept for a second.
      setTime(new Date(soonAfter(first).getTime() + (place + 1) * minuteMs));
      expect(await replica.condition(name)).toMatchObject({ state: "degraded", reason });
      const health = await replica.json<{ unhealthy: object[] }>("/api/health");
      expect(health.unhealthy).toContainEqual({ name, state: "degraded", reason });
      const { changes } = await app.json<{ changes: object[] }>(
        `/api/changes/v1/list-changes?after=0&datasets=${name}&kinds=corrected`,
      );
      expect(changes).toMatchObject([{ kind: "corrected", before: { generation: 2 }, after: { generation: 1 } }]);

      setTime(second);
      expect(await inTransaction((transaction) => release(transaction, name))).toBe(1);
      expect(await app.refresh(name)).toMatchObject({ generation: generation + 1 });
      setTime(new Date(second.getTime() + (place + 1) * hourMs));
      expect((await app.condition(name)).reason).toBeUndefined();
      setTime(soonAfter(second));
      expect(await bodiesOf(app, name)).toBe(later);
      if (later !== earlier.get(name)) moved.push(name);
    }
    expect(await bodiesOf(app, "trade-tariffs")).toBe(tariffs);
    expect(moved.length).toBeGreaterThan(2);
  });

  test("is not replaced by a refresh that had begun before", async () => {
    const outages = datasetOf("internet-outages");
    const clock = () => new Date(second.getTime() + 2 * hourMs);
    const upstreams = createUpstreams(readConfig({ IDS_DATA: "sample" }), clock, () => 0.5);
    let putBack = 0;
    const slow: Upstreams = {
      ...upstreams,
      upstreamOf(source) {
        const upstream = upstreams.upstreamOf(source);
        const json: typeof upstream.json = async (request) => {
          putBack = await inTransaction((transaction) =>
            rollBack(transaction, outages, { to: 1, at: clock(), datasets, force: true }),
          );
          return upstream.json(request);
        };
        return { ...upstream, json };
      },
    };
    expect(await outages.refresh({ database: database.kysely, upstreams: slow })).toEqual({ sources: [], held: 1 });
    const [current] = await storedGenerations(database.kysely, outages.name);
    expect(current).toMatchObject({ generation: putBack });
    await inTransaction((transaction) => release(transaction, outages.name));
  });

  test("is rejected with its age if it is too old to serve, unless it is forced, and adds no value to its series", async () => {
    const name: DatasetName = "shipping-stress";
    for (const instant of [first, soonAfter(first), second]) {
      setTime(instant);
      await app.refresh(name);
    }
    const points = async () => (await database.query("select count(*)::int4 as n from series_point")).rows;
    const put = (at: Date, force = false) =>
      inTransaction((transaction) => rollBack(transaction, datasetOf(name), { to: 2, at, datasets, force }));
    const before = await points();
    await expect(put(second)).rejects.toThrow(
      "Generation 2 of shipping-stress was read 167 hours ago and would not be served: the limit is 24 hours. Put it back all the same with --force",
    );
    expect(await put(new Date(second.getTime() + dayMs), true)).toBe(4);
    await inTransaction((transaction) => release(transaction, name));
    expect(await put(new Date(first.getTime() + hourMs))).toBe(5);
    expect(await points()).toEqual(before);
    await inTransaction((transaction) => release(transaction, name));
  });

  test("leaves what was answered of earlier moments as it was, by samples with a history and by a clock that goes back", async () => {
    const name: DatasetName = "metal-premiums";
    const days = (count: number) => new Date(first.getTime() + count * dayMs);
    for (const instant of [first, days(3)]) {
      setTime(instant);
      await app.refresh(name);
    }
    const responded = async () => {
      const bodies: string[] = [];
      for (const count of [-2.5, 0.5, 1.5, 2.5]) {
        const asOf = days(count).toISOString();
        bodies.push(await (await app.get(`/api/market/v1/get-physical-premiums?as_of=${asOf}`)).text());
      }
      return bodies;
    };
    setTime(soonAfter(days(3)));
    const earlier = await responded();
    const put = async (to: number, at: Date) => {
      await inTransaction((transaction) => rollBack(transaction, datasetOf(name), { to, at, datasets }));
      await inTransaction((transaction) => release(transaction, name));
    };
    const stored = await storedGenerations(database.kysely, name);
    const target = stored.find(({ visibleTo }) => visibleTo && visibleTo <= days(1));
    await expect(put(99_999, soonAfter(days(3)))).rejects.toThrow(
      /Use one of: (\d+, ){9}\d+ and \d+ older: ids dataset/,
    );
    await put(target?.generation ?? 0, soonAfter(days(3)));
    const since = await app.json<{ nextPosition: string }>(`/api/changes/v1/list-changes?datasets=${name}&limit=1000`);
    setTime(new Date(days(3).getTime() + hourMs));
    await app.refresh(name);
    expect(await responded()).toEqual(earlier);
    const { changes } = await app.json<{ changes: { at: number }[] }>(
      `/api/changes/v1/list-changes?datasets=${name}&after=${since.nextPosition}`,
    );
    expect(changes.filter(({ at }) => at < days(3).getTime())).toEqual([]);
    setTime(days(2));
    await app.refresh(name);
    setTime(new Date(days(3).getTime() + 2 * hourMs));
    expect(await responded()).toEqual(earlier);
    await put(target?.generation ?? 0, new Date(days(3).getTime() + 2 * hourMs));
    const { rows } = await database.query(
      "select valid_from, lag(valid_from) over (order by generation) as before from dataset_version where name = 'metal-premiums'",
    );
    const ordered = rows as { valid_from: Date; before: Date | null }[];
    expect(ordered.filter(({ valid_from, before: last }) => last !== null && valid_from < last)).toEqual([]);
  });

  test("must be one that is kept and is not served, of a dataset that keeps its rows; and only one that is held is released", async () => {
    const rejection = (name: DatasetName, to: number) =>
      inTransaction((transaction) => rollBack(transaction, datasetOf(name), { to, at: second, datasets }));
    await expect(rejection("internet-outages", 99)).rejects.toThrow(
      "No generation 99 of internet-outages is retained. Use one of: 4, 2, 1",
    );
    await expect(rejection("internet-outages", 5)).rejects.toThrow(
      "Generation 5 of internet-outages is already served",
    );
    for (const name of ["global-tenders", "chokepoint-status", "resilience-inputs"] as const)
      await expect(rejection(name, 1), name).rejects.toThrow(`No earlier generations of ${name} are retained`);
    await expect(rejection("tech-events", 1)).rejects.toThrow("tech-events was never loaded");
    await expect(inTransaction((transaction) => release(transaction, "tech-events"))).rejects.toThrow(
      "tech-events was not rolled back",
    );
  });
});

describeOnce("the commands of generations", (_openFresh, freshPlace) => {
  test("restore, list, hold, and release, and leave a line in the audit log", async () => {
    const place = await freshPlace();
    const environment = { ...settingsOf(place), IDS_DATA: "sample" };
    const outages: DatasetName = "internet-outages";
    await ids(environment, "ingest", outages, outages);
    const back = await ids(environment, "dataset", "rollback", outages, "--to", "1");
    expect(back).toEqual({
      out: "internet-outages: generation 1 is served again, as generation 3, until you run ids dataset release internet-outages\n",
      err: "",
      status: 0,
    });
    const { out: listed } = await ids(environment, "dataset", "generations", outages);
    expect(listed.split("\n").map((line) => line.split(/ +/)[0])).toEqual(["generation", "3", "2", "1", ""]);
    const { out: ingested, status } = await ids(environment, "ingest", outages);
    expect([ingested, status]).toEqual([
      "internet-outages: generation 1 was restored and is held (release it with ids dataset release internet-outages)\n",
      1,
    ]);
    const { out: released } = await ids(environment, "dataset", "release", outages);
    expect(released).toBe("internet-outages: generation 1 is released; the next refresh replaces it\n");
    for (const [words, ended] of [
      [["rollback", outages, "--to", "first"], 2],
      [["release", "nothing"], 2],
    ] as const)
      expect((await ids(environment, "dataset", ...words)).status, words.join(" ")).toBe(ended);
    const database = await openDatabase(place);
    const { rows } = await database.query("select operation, request from audit_event where actor = 'cli' order by id");
    await database.close();
    expect(rows).toEqual([
      {
        operation: "roll back dataset",
        request: [
          { name: "dataset", value: outages },
          { name: "to", value: "1" },
        ],
      },
      { operation: "release dataset", request: [{ name: "dataset", value: outages }] },
    ]);
  });
});
