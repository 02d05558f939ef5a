import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type ConflictEvent, ConflictEventSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { conflictEvents } from "../../../src/domains/conflict/conflict-events.ts";
import type { EventFilter } from "../../../src/domains/conflict/event-filter.ts";
import { eventSeries } from "../../../src/domains/conflict/event-series.ts";
import {
  type ConflictTables,
  countMatchingEvents,
  readAllEvents,
  readEvents,
} from "../../../src/domains/conflict/event-table.ts";
import { duplicates, type Report } from "../../../src/domains/conflict/merge.ts";
import { followChanges } from "../../../src/ingest/refresh/log.ts";
import { openOnce } from "../../support/databases.ts";

const dayMs = 86_400_000;
const now = new Date("2026-11-20T15:00:00Z");
const today = Date.UTC(2026, 10, 20);

const { kysely: database, query, close } = await openOnce();
const tables = database.withTables<ConflictTables>();
afterAll(close);

type SourceName = "acled" | "ucdp";

interface Place {
  readonly daysAgo: number;
  readonly latitude: number;
  readonly fatalities: number;
  readonly country: string;
}

/** A report is added, revised, or moved. Without a place, its source withdraws it. */
interface Step {
  readonly source: SourceName;
  readonly id: number;
  readonly place: Place | undefined;
}

const places = fc.record({
  daysAgo: fc.integer({ min: 0, max: 40 }),
  latitude: fc.constantFrom(0, 0.05, 0.1, 0.2, 0.3),
  fatalities: fc.constantFrom(0, 1, 2, 3, 9),
  country: fc.constantFrom("SD", "SD", "TD", ""),
});
const step: fc.Arbitrary<Step> = fc.record({
  source: fc.constantFrom("acled", "ucdp"),
  id: fc.integer({ min: 1, max: 12 }),
  place: fc.option(places, { nil: undefined, freq: 4 }),
});
const steps = fc.array(step, { minLength: 1, maxLength: 60 });

/** Returns the reports after all steps, by source and ID. */
function latestReports(all: readonly Step[]): ReadonlyMap<string, Step & { readonly place: Place }> {
  const last = new Map<string, Step & { readonly place: Place }>();
  for (const { place, ...each } of all) {
    const key = `${each.source}-${each.id}`;
    last.delete(key);
    if (place) last.set(key, { ...each, place });
  }
  return last;
}

function reportsIn(all: ReturnType<typeof latestReports>, source: SourceName): Report[] {
  return [...all].flatMap(([id, { source: of, place }]) =>
    of === source ? [{ ...place, id, longitude: 25, occurredAt: today - place.daysAgo * dayMs }] : [],
  );
}

/** Returns the reports of each event, by the ID of the event. */
function grouped(all: ReturnType<typeof latestReports>): Record<string, string[]> {
  const [first, second] = [reportsIn(all, "acled"), reportsIn(all, "ucdp")];
  const pairs = duplicates(first, second);
  const events = Object.fromEntries(
    [...first, ...second].filter(({ id }) => !pairs.has(id)).map(({ id }) => [id, [id]]),
  );
  for (const [other, id] of pairs) events[id]?.push(other);
  return events;
}

test("through 1,000 histories of merges and revisions, every report is in one event, whatever the order of arrival", () => {
  fc.assert(
    fc.property(steps, fc.infiniteStream(fc.integer({ min: 0, max: 1_000 })), (all, stream) => {
      const final = latestReports(all);
      const events = grouped(final);
      const reports = Object.values(events).flat();
      expect(reports).toHaveLength(final.size);
      expect(new Set(reports)).toEqual(new Set(final.keys()));
      const deathsOf = (id: string) => final.get(id)?.place.fatalities ?? 0;
      const counted = Object.keys(events).reduce((sum, id) => sum + deathsOf(id), 0);
      const repeated = Object.values(events).reduce(
        (sum, [, ...others]) => sum + others.reduce((deaths, id) => deaths + deathsOf(id), 0),
        0,
      );
      expect(counted + repeated).toBe([...final.keys()].reduce((sum, id) => sum + deathsOf(id), 0));
      // The steps of one report keep their order. Reports arrive in any order.
      const shuffled = [...Map.groupBy(all, ({ source, id }) => `${source}-${id}`).values()]
        .map((own) => [stream.next().value ?? 0, own] as const)
        .sort(([a], [b]) => a - b)
        .flatMap(([, own]) => own);
      expect(grouped(latestReports(shuffled))).toEqual(events);
    }),
    { numRuns: 1_000 },
  );
});

function eventOf({ source, id, place }: Step & { readonly place: Place }): ConflictEvent {
  const { daysAgo, latitude, fatalities, country } = place;
  const location = { latitude, longitude: 25 };
  const occurredAt = BigInt(today - daysAgo * dayMs);
  return create(ConflictEventSchema, { id: `${source}-${id}`, location, occurredAt, fatalities, country });
}

/** Refreshes one source with all reports that it has now. Its response covers all time, so others are withdrawn. */
function refresh(source: SourceName, all: ReturnType<typeof latestReports>, at = now): Promise<void> {
  const events = [...all.values()].filter((each) => each.source === source).map(eventOf);
  const covered = [{ from: today - 400 * dayMs, to: today }];
  const responses = new Map([[source, { fetchedAt: at, fresh: true, covered, rejected: [] }]]);
  const bySource = new Map([[source, events]]);
  return database.transaction().execute(async (transaction) => {
    const { noteRows, log } = await followChanges(
      transaction,
      conflictEvents,
      { bySource, origin: "live", now: at },
      "live",
    );
    const written = { bySource, responses, generation: 1, origin: "live", now: at } as const;
    await conflictEvents.write(transaction, { ...written, ...(noteRows && { noteRows }) });
    await log();
  });
}

async function empty(): Promise<void> {
  await tables.deleteFrom("conflict_event").execute();
}

async function readGroups(): Promise<Record<string, string[]>> {
  const groups: Record<string, string[]> = {};
  for await (const events of readAllEvents(database))
    for (const { id = "", reports = [] } of events)
      groups[id] = reports.map((report) => `${report.source}-${report.id}`);
  return groups;
}

const span = { from: 0n, to: BigInt(today + dayMs) };
const everything: EventFilter = { ...span, countries: [], areas: [], types: [], minFatalities: 0, actor: "" };

test("the database has the same events after any sequence of refreshes, and counts each death once", async () => {
  const bursts = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(bursts, async (all) => {
      await empty();
      for (const [index] of all.entries()) {
        const known = latestReports(all.slice(0, index + 1).flat());
        for (const source of new Set(all[index]?.map((each) => each.source))) await refresh(source, known);
      }
      const final = latestReports(all.flat());
      expect(await readGroups()).toEqual(grouped(final));
      const { events } = await readEvents(database, everything, { order: "newest", limit: 5_000 });
      const deaths = events.reduce((sum, { fatalities = 0 }) => sum + fatalities, 0);
      for (const group of ["", "country", "type", "day"] as const) {
        const counts = await countMatchingEvents(database, everything, group);
        expect(counts.reduce((sum, each) => sum + each.fatalities, 0n)).toBe(BigInt(deaths));
        expect(counts.reduce((sum, each) => sum + each.events, 0)).toBe(events.length);
      }
      const points = await database.transaction().execute((transaction) => eventSeries.read(transaction, now));
      const inCountries = events.filter(({ country }) => country !== "");
      const summed = (series: string) =>
        points.filter((point) => point.series.id === series).reduce((sum, { value }) => sum + value, 0);
      expect(summed("conflict.events")).toBe(inCountries.length);
      expect(summed("conflict.fatalities")).toBe(inCountries.reduce((sum, { fatalities = 0 }) => sum + fatalities, 0));
    }),
    { numRuns: 60 },
  );
});

test("a report at the end of a chain of 160 days re-pairs the whole chain", async () => {
  await empty();
  // Neighbors are 4 days apart and get closer along the chain, so each report prefers the later of its two neighbors.
  let latitude = 0;
  const chain = Array.from({ length: 40 }, (_, index): Step => {
    latitude += (10 - index / 5) / 111.2;
    const place = { daysAgo: 160 - 4 * index, latitude, fatalities: 1, country: "SD" };
    return { source: index % 2 === 0 ? "acled" : "ucdp", id: index, place };
  });
  const before = latestReports(chain.slice(0, -1));
  await refresh("acled", before);
  await refresh("ucdp", before);
  expect(await readGroups()).toEqual(grouped(before));
  expect(Object.keys(grouped(before))).toHaveLength(20);
  const whole = latestReports(chain);
  await refresh("ucdp", whole);
  expect(await readGroups()).toEqual(grouped(whole));
  expect(Object.values(grouped(whole)).every(({ length }) => length === 2)).toBe(true);
});

test("a new, revised, or withdrawn report changes its event for clients that read updates, and the log has the count", async () => {
  await empty();
  const minute = (count: number) => new Date(now.getTime() + count * 60_000);
  const at = (fatalities: number) => ({ daysAgo: 3, latitude: 0, fatalities, country: "SD" });
  const own: Step = { source: "acled", id: 1, place: at(2) };
  const updated = async (after: Date) => {
    const filter = { ...everything, updatedAfter: after.getTime() };
    const { events } = await readEvents(database, filter, { order: "newest", limit: 10 });
    return events.map(({ id, reportCount }) => [id, reportCount]);
  };
  await refresh("acled", latestReports([own]), minute(1));
  await refresh("ucdp", latestReports([own, { source: "ucdp", id: 7, place: at(3) }]), minute(2));
  expect(await updated(minute(1))).toEqual([["acled-1", 2]]);
  await refresh("ucdp", latestReports([own, { source: "ucdp", id: 7, place: at(4) }]), minute(3));
  expect(await updated(minute(2))).toEqual([["acled-1", 2]]);
  await refresh("ucdp", latestReports([own]), minute(4));
  expect(await updated(minute(3))).toEqual([["acled-1", 1]]);
  expect(await updated(minute(4))).toEqual([]);
  const { rows } = await query(
    "select after from change where dataset = 'conflict-events' and subject = 'acled-1' order by position",
  );
  expect(rows.slice(-2)).toMatchObject([{ after: { reportCount: 2 } }, { after: { reportCount: 1 } }]);
});
