import { create, toJsonString } from "@bufbuild/protobuf";
import { createContextValues, createHandlerContext, type HandlerContext } from "@connectrpc/connect";
import { expect, test } from "vitest";
import {
  InfrastructureService,
  ListInternetOutagesResponseSchema,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { isSampleKey } from "../../../src/contract/request-context.ts";
import { Unavailable } from "../../../src/errors.ts";
import { attachDatabase, type Database } from "../../../src/store/database.ts";
import { followGenerations, raiseGeneration } from "../../../src/store/served/generations.ts";
import { type ServedDatasets, serveDatasets } from "../../../src/store/served/served-datasets.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const age = { freshForMinutes: 60, sources: [] };
const outages = { name: "outages", message: ListInternetOutagesResponseSchema, ...age };
const bases = { name: "bases", ...age };

describeEachDatabase("served datasets", (openFresh) => {
  test("are unavailable until something was stored", async () => {
    const { served, close } = await serve(await openFresh());
    expect(() => served.dataset(outages, context())).toThrow(Unavailable);
    expect(() => served.message(outages, context())).toThrow(Unavailable);
    expect(served.messageIfAny(outages, context())).toBeUndefined();
    await close();
  });

  test("are there from the start, frozen, when something was stored before", async () => {
    const database = await openFresh();
    await store(database, { rows: 3 });
    const { served, close } = await serve(database);
    const message = served.message(outages, context());
    expect(message.outages.map(({ id }) => id)).toEqual(["1-0", "1-1", "1-2"]);
    expect(Object.isFrozen(message.outages[0])).toBe(true);
    expect(served.dataset(outages, context())).toEqual({
      name: "outages",
      generation: 1,
      origin: "live",
      storedAt: new Date("2026-11-01T00:00:00Z"),
      readAt: new Date("2026-11-01T00:00:00Z"),
      rows: 3,
    });
    expect(served.message(outages, context())).toBe(message);
    expect(served.messageIfAny(outages, context())).toBe(message);
    await close();
  });

  test("mark an answer that is made from samples, and only that", async () => {
    const database = await openFresh();
    await store(database, { rows: 1, origin: "sample" });
    const { served, moves, close } = await serve(database);
    const [sample, live] = [context(), context()];
    served.messageIfAny(outages, sample);
    await store(database, { rows: 1 });
    await expect.poll(() => moves.length).toBe(2);
    served.dataset(outages, live);
    expect([sample, live].map(({ values }) => values.get(isSampleKey))).toEqual([true, false]);
    await close();
  });

  test("show each generation whole, message and provenance together, while several processes store", async () => {
    const database = await openFresh();
    await store(database, { rows: 1 });
    const { served, moves, close } = await serve(database);
    const halves: string[] = [];
    let seen = 0;
    const look = () => {
      const provenance = served.dataset(outages, context());
      const ids = served.message(outages, context()).outages.map(({ id }) => id);
      const expected = Array.from({ length: provenance.rows }, (_, row) => `${provenance.generation}-${row}`);
      if (ids.join() !== expected.join() || provenance.generation < seen)
        halves.push(`${provenance.generation}: ${ids}`);
      seen = provenance.generation;
    };
    const looking = setInterval(look, 1);
    const writers = [1, 2, 3].map((number) => attachDatabase(database.settings, { name: `writer ${number}` }));
    await Promise.all(
      writers.map(async (writer, number) => {
        for (let round = 0; round < 10; round++) await store(writer, { rows: 1 + ((round * 7 + number * 3) % 20) });
      }),
    );
    await expect.poll(() => seen, { timeout: 2000 }).toBe(31);
    clearInterval(looking);
    expect(halves).toEqual([]);
    expect(moves.length).toBeGreaterThan(1);
    await Promise.all([close(), ...writers.map((writer) => writer.close())]);
  });

  test("call a follower at once and after each change, never twice at a time, and report a later move", async () => {
    const database = await openFresh();
    await store(database, { name: "bases", rows: 5 });
    const { served, moves, close } = await serve(database);
    const loaded: number[] = [];
    let loading = 0;
    served.follow(bases, async ({ generation }) => {
      loading++;
      await new Promise((resolve) => setImmediate(resolve));
      expect(loading--).toBe(1);
      loaded.push(generation);
    });
    await served.settled();
    expect(loaded).toEqual([1]);
    expect(moves).toEqual(["bases", "bases"]);
    for (let round = 0; round < 5; round++) await store(database, { name: "bases", rows: 5 });
    await expect.poll(() => loaded.at(-1), { timeout: 2000 }).toBe(6);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    await close();
  });

  test("try a follower that failed again", async () => {
    const database = await openFresh();
    await store(database, { name: "bases", rows: 5 });
    const { served, log, close } = await serve(database);
    let failures = 1;
    const loaded: number[] = [];
    served.follow(bases, async ({ generation }) => {
      if (failures-- > 0) throw new Error("not yet");
      loaded.push(generation);
    });
    await expect.poll(() => loaded, { timeout: 5000 }).toEqual([1]);
    expect(log).toEqual([
      "bases cannot be followed: Error: not yet",
      "bases cannot be followed: no longer, after 1 failures",
    ]);
    await close();
  });

  test("retain the last message if a later one cannot be read, and log it", async () => {
    const database = await openFresh();
    await store(database, { rows: 2 });
    const { served, log, close } = await serve(database);
    await store(database, { rows: 3, body: '{"outages": 7}' });
    await expect.poll(() => log.length).toBe(1);
    expect(served.dataset(outages, context()).generation).toBe(1);
    expect(served.message(outages, context()).outages).toHaveLength(2);
    await close();
  });
});

interface Stored {
  readonly name?: string;
  readonly rows: number;
  readonly origin?: "live" | "sample";
  readonly body?: string;
}

/** Stores a generation whose rows all name it. */
async function store({ kysely }: Database, { name = "outages", rows, origin = "live", body }: Stored): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    const generation = await raiseGeneration(transaction, name);
    const message = create(outages.message, {
      outages: Array.from({ length: rows }, (_, row) => ({ id: `${generation}-${row}` })),
    });
    const snapshot = { generation, body: body ?? toJsonString(outages.message, message) };
    if (name === "outages")
      await transaction
        .insertInto("snapshot")
        .values({ type: outages.message.typeName, part: "", ...snapshot })
        .onConflict((conflict) => conflict.columns(["type", "part"]).doUpdateSet(snapshot))
        .execute();
    const dataset = { generation, origin, stored_at: new Date("2026-11-01T00:00:00Z"), rows };
    await transaction
      .insertInto("dataset")
      .values({ name, ...dataset })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(dataset))
      .execute();
  });
}

interface Serving {
  readonly served: ServedDatasets;
  readonly moves: string[];
  readonly log: string[];
  readonly close: () => Promise<void>;
}

async function serve(database: Database): Promise<Serving> {
  const moves: string[] = [];
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const clock = () => new Date("2026-11-01T00:00:00Z");
  const moved = (name: string) => moves.push(name);
  const served = serveDatasets(database, { datasets: [outages, bases], data: "sample", clock, moved, log });
  const generations = await followGenerations(database, { onChange: served.changed, clock, pollMs: 3_600_000, log });
  await served.settled();
  return {
    served,
    moves,
    log: lines,
    async close() {
      await generations.close();
      await served.close();
    },
  };
}

function context(): HandlerContext {
  return createHandlerContext({
    service: InfrastructureService,
    method: InfrastructureService.method.listInternetOutages,
    protocolName: "test",
    requestMethod: "GET",
    url: "http://test/",
    contextValues: createContextValues(),
  });
}
