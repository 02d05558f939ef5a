import type { MessageInitShape } from "@bufbuild/protobuf";
import { type ColumnType, type ExpressionBuilder, type Selectable, sql } from "kysely";
import type { ConflictEventSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import type { Held } from "../../contract/held-period.ts";
import type { RowCount } from "../../ingest/dataset.ts";
import type { Box } from "../../reference/box.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { boxAround, type Circle, earthKm } from "../../reference/places/circle.ts";
import type { Store } from "../../store/tables.ts";
import type { EventFilter } from "./event-filter.ts";
import { otherReports, reportsOf, type StoredReport } from "./reports.ts";

export type ConflictTables = { conflict_event: ConflictEventTable };

interface ConflictEventTable {
  id: string;
  source_key: string;
  origin: "live" | "sample";
  occurred_at: ColumnType<string, bigint, bigint>;
  country: string;
  latitude: number;
  longitude: number;
  event_type: string;
  fatalities: number;
  actors: string[];
  source: string;
  admin1: string;
  admin1_code: string;
  admin1_from: string;
  /** Null if the source does not state the value, as in the columns of deaths below. */
  time_precision: number | null;
  place_precision: number | null;
  deaths_low: number | null;
  deaths_best: number | null;
  deaths_high: number | null;
  /** The ID of the same event from another source. Null if the event is not a duplicate. */
  duplicate_of: string | null;
  stored_at: Date;
}

export interface EventPage {
  readonly events: readonly MessageInitShape<typeof ConflictEventSchema>[];
  readonly totalCount: number;
  /** The position of the last event on the page. Absent on the last page. */
  readonly next?: EventPosition;
}

export const eventOrders = ["newest", "oldest", "fatalities"] as const;

export type EventOrder = (typeof eventOrders)[number];

export interface EventPosition {
  /** The time of the event in Unix epoch milliseconds. */
  readonly occurredAt: string;
  readonly fatalities: number;
  readonly id: string;
}

export interface EventSlice {
  readonly order: EventOrder;
  readonly limit: number;
  readonly after?: EventPosition | undefined;
}

const columns = [
  ...(["id", "source_key", "event_type", "country", "latitude", "longitude", "occurred_at", "fatalities"] as const),
  ...(["actors", "source", "admin1", "admin1_code", "admin1_from", "time_precision", "place_precision"] as const),
  ...(["deaths_low", "deaths_best", "deaths_high"] as const),
] satisfies (keyof ConflictEventTable)[];

const selected = [...columns, otherReports.as("others")] as const;

export async function readEvents(
  database: Store,
  filter: EventFilter,
  { order, limit, after }: EventSlice,
): Promise<EventPage> {
  const matching = matchingEvents(database, filter);
  let page = matching.select(selected).limit(limit + 1);
  if (order === "fatalities") page = page.orderBy("fatalities", "desc");
  page = page.orderBy("occurred_at", order === "oldest" ? "asc" : "desc").orderBy("id");
  const found = await (after ? page.where(followsIn(order, after)) : page).execute();
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const events = rows.map(toEvent);
  if (!after && !last) return { events, totalCount: rows.length };
  const { total } = await matching.select(({ fn }) => fn.countAll<string>().as("total")).executeTakeFirstOrThrow();
  return { events, totalCount: Number(total), ...(last && { next: positionOf(last) }) };
}

export const eventGroups = ["", "country", "type", "day"] as const;

export type EventGroup = (typeof eventGroups)[number];

export interface GroupCount {
  readonly group: string;
  readonly events: number;
  readonly fatalities: bigint;
}

const groupKeys = {
  "": sql<string>`''`,
  country: sql<string>`country`,
  type: sql<string>`event_type`,
  day: sql<string>`(occurred_at / 86400000)::text`,
};

export async function countMatchingEvents(database: Store, filter: EventFilter, group: EventGroup) {
  const key = groupKeys[group];
  const rows = await matchingEvents(database, filter)
    .select(({ fn }) => [
      key.as("group"),
      fn.countAll<string>().as("events"),
      fn.sum<string | null>("fatalities").as("fatalities"),
    ])
    .$if(group !== "", (query) => query.groupBy(key))
    .execute();
  return rows
    .map((row) => ({
      group: group === "day" ? isoDay(Number(row.group) * dayMs) : row.group,
      events: Number(row.events),
      fatalities: BigInt(row.fatalities ?? 0),
    }))
    .filter(({ events }) => events > 0);
}

function matchingEvents(database: Store, filter: EventFilter) {
  const { countries, areas, from, to, types, minFatalities, actor, box, circle, id = "", updatedAfter } = filter;
  return database
    .withTables<ConflictTables>()
    .selectFrom("conflict_event")
    .where("duplicate_of", "is", null)
    .where("occurred_at", ">=", String(from))
    .where("occurred_at", "<=", String(to))
    .$if(id !== "", (query) =>
      query.where(sql<boolean>`id in (${id}, (select duplicate_of from conflict_event where id = ${id}))`),
    )
    .$if(countries.length > 0, (query) => query.where("country", "in", countries))
    .$if(areas.length > 0, (query) =>
      query.where((where) =>
        where.or([where(sql`lower(admin1_code)`, "in", areas), where(sql`lower(admin1)`, "in", areas)]),
      ),
    )
    .$if(types.length > 0, (query) => query.where(sql`lower(event_type)`, "in", types))
    .$if(minFatalities > 0, (query) => query.where("fatalities", ">=", minFatalities))
    .$if(actor !== "", (query) =>
      query.where(
        sql<boolean>`exists (select from unnest(actors) as actor where position(${actor} in lower(actor)) > 0)`,
      ),
    )
    .$if(box !== undefined, (query) => query.where(isWithin(box)))
    .$if(circle !== undefined, (query) => query.where(isNear(circle)))
    .$if(updatedAfter !== undefined, (query) => query.where("stored_at", ">", new Date(updatedAfter ?? 0)));
}

/**
 * Returns whether an event is inside a box. If the west is greater than the east, the box crosses the 180th meridian.
 */
function isWithin(box: Box | undefined) {
  return ({ eb, and, or }: ExpressionBuilder<ConflictTables, "conflict_event">) => {
    if (!box) return and([]);
    const [east, west] = [eb("longitude", "<=", box.east), eb("longitude", ">=", box.west)];
    return and([
      eb("latitude", ">=", box.south),
      eb("latitude", "<=", box.north),
      box.west <= box.east ? and([west, east]) : or([west, east]),
    ]);
  };
}

/** Returns whether an event is in the box around a circle and close enough to its center. */
function isNear(circle: Circle | undefined) {
  return (expression: ExpressionBuilder<ConflictTables, "conflict_event">) => {
    if (!circle) return expression.and([]);
    const half = sql`power(sind((latitude - ${circle.latitude}) / 2), 2)
      + cosd(${circle.latitude}) * cosd(latitude) * power(sind((longitude - ${circle.longitude}) / 2), 2)`;
    const isClose = sql<boolean>`${2 * earthKm} * asin(sqrt(least(1, ${half}))) <= ${circle.km}`;
    return expression.and([isWithin(boxAround(circle))(expression), isClose]);
  };
}

/** Returns the time of the earliest event, and the end of the day of the newest event, in Unix epoch milliseconds. */
export async function readHeld(database: Store): Promise<Held> {
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select min(occurred_at) as first, max(occurred_at) as last from conflict_event
    where duplicate_of is null`.execute(database);
  const { first, last } = rows[0] ?? {};
  if (!first || !last) return { heldFrom: undefined };
  const day = BigInt(dayMs);
  return { heldFrom: BigInt(first), heldTo: (BigInt(last) / day + 1n) * day - 1n };
}

/** Counts all events by source and country. Duplicates of another source's events are omitted. */
export async function countEventRows(database: Store): Promise<RowCount[]> {
  const { rows } = await sql<RowCount>`
    select source_key as source, country, count(*)::int as rows,
      min(occurred_at)::float8 as first, max(occurred_at)::float8 as last
    from conflict_event where duplicate_of is null group by source_key, country`.execute(database);
  return rows;
}

const rowsInChunk = 1_000;

/** Reads all events, newest first, in small chunks between which the process can handle requests. */
export async function* readAllEvents(database: Store): AsyncGenerator<EventPage["events"]> {
  const events = database
    .withTables<ConflictTables>()
    .selectFrom("conflict_event")
    .where("duplicate_of", "is", null)
    .select(selected)
    .orderBy("occurred_at", "desc")
    .orderBy("id")
    .limit(rowsInChunk);
  for (let after: ConflictRow | undefined; ; ) {
    const rows: ConflictRow[] = await (after === undefined
      ? events
      : events.where(followsIn("newest", positionOf(after)))
    ).execute();
    yield rows.map(toEvent);
    after = rows.at(-1);
    if (after === undefined || rows.length < rowsInChunk) return;
  }
}

type ConflictRow = Pick<Selectable<ConflictEventTable>, (typeof columns)[number]> & {
  readonly others: readonly StoredReport[] | null;
};

function positionOf({ occurred_at, fatalities, id }: ConflictRow): EventPosition {
  return { occurredAt: occurred_at, fatalities, id };
}

/** Returns the condition for events after a position. Its redundant bounds let the database use an index. */
function followsIn(order: EventOrder, { occurredAt, fatalities, id }: EventPosition) {
  return ({ eb, and, or }: ExpressionBuilder<ConflictTables, "conflict_event">) => {
    const later = eb("occurred_at", order === "oldest" ? ">" : "<", occurredAt);
    const byTime = or([later, and([eb("occurred_at", "=", occurredAt), eb("id", ">", id)])]);
    if (order !== "fatalities") return and([eb("occurred_at", order === "oldest" ? ">=" : "<=", occurredAt), byTime]);
    return and([eb("fatalities", "<=", fatalities), or([eb("fatalities", "<", fatalities), byTime])]);
  };
}

export function toEvent(row: ConflictRow) {
  const { id, country, fatalities, actors, source, admin1, others } = row;
  const reports = reportsOf(row, others);
  return {
    ...{ id, country, fatalities, actors, source, admin1, reports },
    location: { latitude: row.latitude, longitude: row.longitude },
    eventType: row.event_type,
    occurredAt: BigInt(row.occurred_at),
    admin1Code: row.admin1_code,
    admin1From: row.admin1_from,
    valuesFrom: row.source_key,
    reportCount: reports.length,
  };
}
