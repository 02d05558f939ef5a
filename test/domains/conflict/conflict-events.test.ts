import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import fc from "fast-check";
import { afterAll, beforeEach, expect, test } from "vitest";
import {
  type ConflictEvent,
  ConflictEventSchema,
  ConflictReportSchema,
  ConflictService,
} from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { signedCursors } from "../../../src/access/cursor.ts";
import { acled } from "../../../src/domains/conflict/acled.ts";
import { conflictEvents } from "../../../src/domains/conflict/conflict-events.ts";
import type { EventFilter } from "../../../src/domains/conflict/event-filter.ts";
import { eventSeries } from "../../../src/domains/conflict/event-series.ts";
import { type ConflictTables, readEvents } from "../../../src/domains/conflict/event-table.ts";
import { conflict } from "../../../src/domains/conflict/service.ts";
import { ucdp } from "../../../src/domains/conflict/ucdp.ts";
import { sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import { testSecrets } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

const dayMs = 86_400_000;
const now = new Date("2026-11-20T15:00:00Z");
const today = Date.UTC(2026, 10, 20);

const { kysely: database, close } = await openOnce();
const tables = database.withTables<ConflictTables>();

beforeEach(async () => {
  await tables.deleteFrom("conflict_event").execute();
});
afterAll(close);

type Init = MessageInitShape<typeof ConflictEventSchema>;

interface Reported {
  readonly daysAgo?: number;
  readonly country?: string;
  readonly fatalities?: number;
}

function event(id: string, { daysAgo = 0, country = "SD", fatalities = 4 }: Reported = {}): ConflictEvent {
  const location = { latitude: 14, longitude: 25 };
  const occurredAt = BigInt(today - daysAgo * dayMs);
  return create(ConflictEventSchema, { id, country, location, occurredAt, fatalities, actors: ["A, {B}", '"C"'] });
}

/** One refresh that brings these events. */
async function write(
  events: Partial<Record<"acled" | "ucdp", readonly ConflictEvent[]>>,
  origin: "live" | "sample" = "live",
) {
  const bySource = new Map(Object.entries(events));
  return database
    .transaction()
    .execute((transaction) =>
      conflictEvents.write(transaction, { bySource, responses: new Map(), generation: 1, origin, now }),
    );
}

const span = { from: 0n, to: BigInt(today + dayMs) };
const everything: EventFilter = { ...span, countries: [], areas: [], types: [], minFatalities: 0, actor: "" };
const served = async (filter = everything, limit = 5_000) => readEvents(database, filter, { order: "newest", limit });
const ids = async (filter = everything) => (await served(filter)).events.map(({ id }) => id);
const absorbed = async () =>
  tables
    .selectFrom("conflict_event")
    .select(["id", "duplicate_of"])
    .where("duplicate_of", "is not", null)
    .orderBy("id")
    .execute();

test("an event is served as it was written", async () => {
  const stated = create(ConflictReportSchema, { timePrecision: 1, placePrecision: 2, deathsBest: 4 });
  const own = { eventType: "Battles", source: "Example's", admin1: "North 'Darfur'" };
  const full = { ...event("acled-1"), ...own, reports: [stated] };
  expect(await write({ acled: [full] })).toBe(1);
  const { events, totalCount } = await served();
  const region = { admin1Code: "SD-DN", admin1From: "name" };
  const { location, occurredAt, actors } = full;
  const said = { eventType: own.eventType, reportedBy: own.source, admin1: own.admin1, location, occurredAt, actors };
  const reports = [create(ConflictReportSchema, { ...stated, ...said, source: "acled", id: "1" })];
  expect(events.map((one) => create(ConflictEventSchema, one))).toEqual([
    { ...full, ...region, valuesFrom: "acled", reportCount: 1, reports },
  ]);
  expect(totalCount).toBe(1);
});

test("an event of both sources is served once, as the first has it", async () => {
  const rows = await write({
    acled: [event("acled-1")],
    ucdp: [event("ucdp-1", { daysAgo: 2 }), event("ucdp-2", { daysAgo: 20 })],
  });
  expect(rows).toBe(2);
  expect(await ids()).toEqual(["acled-1", "ucdp-2"]);
});

test("an event that is repeated with changes replaces the old one, and an event that is missing later remains", async () => {
  await write({ acled: [event("acled-1"), event("acled-2", { daysAgo: 30 })] });
  expect(await write({ acled: [event("acled-1", { fatalities: 9, country: "TD" })] })).toBe(2);
  const { events } = await served();
  expect(events).toMatchObject([{ id: "acled-1", fatalities: 9, country: "TD" }, { id: "acled-2" }]);
});

test("a duplicate is free again once it no longer is one, wherever the other moved", async () => {
  await write({ acled: [event("acled-1")], ucdp: [event("ucdp-1")] });
  expect(await ids()).toEqual(["acled-1"]);
  await write({ acled: [event("acled-1", { daysAgo: 400 })] });
  expect(await ids()).toEqual(["ucdp-1", "acled-1"]);
  await write({ acled: [event("acled-1")] });
  expect(await ids()).toEqual(["acled-1"]);
});

test("an event absorbs one report only, also when the next comes in a later refresh", async () => {
  await write({ acled: [event("acled-1")], ucdp: [event("ucdp-1", { daysAgo: 5 })] });
  await write({ ucdp: [event("ucdp-2", { daysAgo: -5 })] });
  expect(await absorbed()).toEqual([{ id: "ucdp-1", duplicate_of: "acled-1" }]);
  await write({ ucdp: [event("ucdp-3", { daysAgo: 1 })] });
  expect(await absorbed()).toEqual([{ id: "ucdp-3", duplicate_of: "acled-1" }]);
});

test("live events are never mixed with samples", async () => {
  await write({ acled: [event("acled-1")], ucdp: [event("ucdp-1")] }, "sample");
  await write({ ucdp: [event("ucdp-2", { daysAgo: 3 })] }, "live");
  expect(await ids()).toEqual(["ucdp-2"]);
});

test("a refresh that brings the same again changes nothing", async () => {
  const report = (prefix: string) =>
    fc
      .array(
        fc.record({
          id: fc.integer({ min: 1, max: 30 }),
          daysAgo: fc.integer({ min: 0, max: 25 }),
          fatalities: fc.constantFrom(0, 1, 2, 5),
        }),
        { maxLength: 25 },
      )
      .map((rows) =>
        [...new Map(rows.map((row) => [row.id, row])).values()].map(({ id, ...over }) =>
          event(`${prefix}-${id}`, over),
        ),
      );
  await fc.assert(
    fc.asyncProperty(report("acled"), report("ucdp"), async (first, second) => {
      await tables.deleteFrom("conflict_event").execute();
      const rows = await write({ acled: first, ucdp: second });
      const pairs = await absorbed();
      expect(rows).toBe(first.length + second.length - pairs.length);
      expect(await write({ acled: first, ucdp: second })).toBe(rows);
      expect(await absorbed()).toEqual(pairs);
      expect(new Set(pairs.map(({ duplicate_of }) => duplicate_of)).size).toBe(pairs.length);
    }),
    { numRuns: 25 },
  );
});

test("events are served newest first, then by id in the order of code points, within inclusive bounds and one country", async () => {
  await write({
    acled: [
      event("acled-b"),
      event("acled-B"),
      event("acled-a", { daysAgo: 1, country: "TD" }),
      event("acled-_", { daysAgo: 2 }),
    ],
  });
  expect(await ids()).toEqual(["acled-B", "acled-b", "acled-a", "acled-_"]);
  expect(await ids({ ...everything, countries: ["TD"] })).toEqual(["acled-a"]);
  const from = BigInt(today - dayMs);
  expect(await ids({ ...everything, from })).toEqual(["acled-B", "acled-b", "acled-a"]);
  expect(await ids({ ...everything, from: from + 1n })).toEqual(["acled-B", "acled-b"]);
  expect(await ids({ ...everything, to: from })).toEqual(["acled-a", "acled-_"]);
  expect(await ids({ ...everything, to: from - 1n })).toEqual(["acled-_"]);
});

test("beyond the limit the total still counts every match", async () => {
  await write({ acled: Array.from({ length: 12_345 }, (_, i) => event(`acled-${i}`, { daysAgo: i % 29 })) });
  const { events, totalCount } = await served();
  expect([events.length, totalCount]).toEqual([5_000, 12_345]);
  expect(events[0]?.occurredAt).toBe(BigInt(today));
});

test("a day without an event is a measured 0, but has no point if the sources are silent for more than a week", async () => {
  const days = [
    ["SD", 20],
    ["SD", 18],
    ["TD", 9],
    ["SD", 7],
  ] as const;
  await write({ acled: days.map(([country, daysAgo]) => event(`${country}${daysAgo}`, { country, daysAgo })) });
  const points = await database.transaction().execute((transaction) => eventSeries.read(transaction, now));
  const reported = points
    .filter(({ series, key }) => series.id === "conflict.events" && key === "SD")
    .map(({ at, value }) => [(today - at.getTime()) / dayMs, value])
    .sort(([a = 0], [b = 0]) => b - a);
  expect(reported).toEqual([
    [20, 1],
    [19, 0],
    [18, 1],
    [9, 0],
    [8, 0],
    [7, 1],
  ]);
});

test("the samples of both sources merge to 1,500 events or more in the default window's reach and 40 countries", async () => {
  const rowsOf = async (source: typeof acled) =>
    source
      .parse(await source.fetch(sampleUpstream(source.name, () => now)), now)
      .rows.map((row: Init) => create(ConflictEventSchema, row));
  await write({ acled: await rowsOf(acled), ucdp: await rowsOf(ucdp) }, "sample");
  const { events, totalCount } = await served({ ...everything, from: BigInt(today - 67 * dayMs) });
  expect(totalCount).toBe(events.length);
  expect(totalCount).toBeGreaterThanOrEqual(1_500);
  expect(new Set(events.map(({ country }) => country)).size).toBeGreaterThanOrEqual(40);
  expect((await absorbed()).length).toBeGreaterThanOrEqual(30);
});

test("the operation answers with the default window, a country, and nothing where the start is after the end", async () => {
  await write({
    acled: [event("acled-1"), event("acled-2", { daysAgo: 30, country: "TD" }), event("acled-3", { daysAgo: 31 })],
  });
  const provenance = {
    name: conflictEvents.name,
    generation: 1,
    origin: "live",
    storedAt: now,
    readAt: now,
    rows: 3,
  } as const;
  const message = () => {
    throw new Error("not asked");
  };
  const implementation = conflict.implement({
    database,
    served: {
      dataset: () => provenance,
      visible: () => undefined,
      mayServe: () => true,
      datasetIfAny: () => provenance,
      message,
      messageIfAny: message,
      follow: () => undefined,
    },
    clock: () => now,
    cursors: (purpose) => signedCursors(testSecrets, purpose),
  });
  const { listConflictEvents } = createClient(
    ConflictService,
    createRouterTransport(({ service }) => service(ConflictService, implementation)),
  );
  const found = async (request: Parameters<typeof listConflictEvents>[0]) => {
    const { events, pagination } = await listConflictEvents({ limit: 5_000, ...request });
    expect(pagination).toMatchObject({ nextCursor: "", totalCount: events.length });
    return events.map(({ id }) => id);
  };
  expect(await found({})).toEqual(["acled-1", "acled-2"]);
  expect(await found({ country: "TD" })).toEqual(["acled-2"]);
  expect(await found({ start: 1n, pageSize: 1, cursor: "x" })).toEqual(["acled-1", "acled-2", "acled-3"]);
  expect(await found({ start: BigInt(today), end: BigInt(today) })).toEqual(["acled-1"]);
  expect(await found({ start: BigInt(today + 1), end: BigInt(today) })).toEqual([]);
  expect(await found({ start: 2n ** 63n - 1n })).toEqual([]);
});
