import type { DescMessage } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { z } from "zod";
import {
  type ConflictEvent,
  ConflictEventSchema,
  ConflictService,
} from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { rowFeatures } from "../../ingest/changes/followed-tables.ts";
import { dataset, type LastGoodResponse, type Refresh } from "../../ingest/dataset.ts";
import type { Span } from "../../ingest/source.ts";
import type { Transaction } from "../../store/tables.ts";
import { acled } from "./acled.ts";
import { eventSeries } from "./event-series.ts";
import { type ConflictTables, countEventRows, toEvent } from "./event-table.ts";
import { markDuplicates, shownRow, shownRows } from "./mark-duplicates.ts";
import { type RegionOf, regionFinder } from "./region-finder.ts";
import { ucdp } from "./ucdp.ts";

interface StoredEvents extends Pick<Refresh<DescMessage>, "origin" | "now" | "noteRows"> {
  readonly sourceKey: string;
  readonly regionOf: RegionOf;
}

/** Stores events. Returns spans that contain the old and new times of the events that were added or changed. */
async function storeEvents(
  transaction: Transaction,
  { sourceKey, origin, now, noteRows, regionOf }: StoredEvents,
  events: readonly ConflictEvent[],
): Promise<Span[]> {
  const spans: Span[] = [];
  for (let start = 0; start < events.length; start += rowsInStatement) {
    const chunk = events.slice(start, start + rowsInStatement);
    const rows = chunk.map((event) => ({ source_key: sourceKey, origin, ...toRow(event), ...regionOf(event) }));
    const json = JSON.stringify(rows);
    await noteRows?.(rowsToChange(json));
    spans.push(...(await storeRows(transaction, json, now)));
  }
  return spans;
}

/** Deletes events that a complete response no longer contains. Returns time spans that contain those events. */
async function removeWithdrawn(
  transaction: Transaction,
  { sourceKey, now, noteRows }: Pick<StoredEvents, "sourceKey" | "now" | "noteRows">,
  events: readonly ConflictEvent[],
  { covered, rejected }: Pick<LastGoodResponse, "covered" | "rejected">,
): Promise<Span[]> {
  // A rejection names a row by its ID at the source, or by the ID that this service gives to the event.
  const listed = JSON.stringify([
    ...events.map(({ id }) => id),
    ...rejected.flatMap((row) => [row, `${sourceKey}-${row}`]),
  ]);
  const changed: Span[] = [];
  for (const { from, to } of covered) {
    const isWithdrawn = sql`
      source_key = ${sourceKey} and occurred_at between ${from}::int8 and ${to}::int8
      and id not in (select json_array_elements_text(${listed}::json))`;
    const merged = sql`id in (select duplicate_of from conflict_event where ${isWithdrawn})`;
    await noteRows?.(shownRows(sql`(${isWithdrawn}) or ${merged}`));
    await sql`update conflict_event set stored_at = ${now} where ${merged}`.execute(transaction);
    const { rows } = await sql<{ at: string }>`
      delete from conflict_event where ${isWithdrawn} returning occurred_at as at`.execute(transaction);
    changed.push(...rows.map(({ at }) => ({ from: Number(at), to: Number(at) })));
  }
  return changed;
}

const rowsInStatement = 5_000;

const columns = [
  ...["source_key", "origin", "occurred_at", "country", "latitude", "longitude"],
  ...["event_type", "fatalities", "actors", "source", "admin1", "admin1_code", "admin1_from"],
  ...["time_precision", "place_precision", "deaths_low", "deaths_best", "deaths_high"],
];

function rowsToChange(json: string) {
  const of = (table: string) => sql.join(columns.map((column) => sql.ref(`${table}.${column}`)));
  return sql`
    select id, case when conflict_event.duplicate_of is null then ${shownRow} end
    from json_populate_recordset(null::conflict_event, ${json}::json) as incoming left join conflict_event using (id)
    where conflict_event.id is null or (${of("conflict_event")}) is distinct from (${of("incoming")})`;
}

async function storeRows(transaction: Transaction, json: string, now: Date): Promise<Span[]> {
  const of = (table: string) => sql.join(columns.map((column) => sql.ref(`${table}.${column}`)));
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const { rows } = await sql<{ from: string | null; to: string | null }>`
    with incoming as (
      select * from json_populate_recordset(null::conflict_event, ${json}::json)
    ), moved as (
      select earlier.occurred_at from conflict_event earlier join incoming using (id)
      where earlier.occurred_at <> incoming.occurred_at
    ), stored as (
      insert into conflict_event (id, ${names}, stored_at) select id, ${names}, ${now}::timestamptz from incoming
      on conflict (id) do update set (${names}, stored_at) = row(${of("excluded")}, excluded.stored_at)
      where (${of("conflict_event")}) is distinct from (${of("excluded")})
      returning occurred_at
    )
    select min(occurred_at) as "from", max(occurred_at) as "to"
    from (select occurred_at from moved union all select occurred_at from stored) as moments`.execute(transaction);
  return rows.flatMap(({ from, to }) => (from === null ? [] : [{ from: Number(from), to: Number(to) }]));
}

function toRow({ id, eventType, occurredAt, location, country, fatalities, actors, source, ...event }: ConflictEvent) {
  const place = { latitude: location?.latitude, longitude: location?.longitude };
  const [report] = event.reports;
  return {
    ...{ id, country, ...place, fatalities, actors, source, admin1: event.admin1 },
    ...{ event_type: eventType, occurred_at: String(occurredAt) },
    ...{ time_precision: report?.timePrecision, place_precision: report?.placePrecision },
    ...{ deaths_low: report?.deathsLow, deaths_best: report?.deathsBest, deaths_high: report?.deathsHigh },
  };
}

const stated = z.number().nullable();

const reportSchema = z.object({
  id: z.string(),
  source_key: z.string(),
  event_type: z.string(),
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  occurred_at: z.number().transform(String),
  fatalities: z.number(),
  actors: z.array(z.string()),
  source: z.string(),
  admin1: z.string(),
  ...{ time_precision: stated, place_precision: stated },
  ...{ deaths_low: stated, deaths_best: stated, deaths_high: stated },
});

const rowSchema = reportSchema.extend({
  admin1_code: z.string(),
  admin1_from: z.string(),
  others: z.array(reportSchema).nullable(),
});

/** The log of changes omits events that duplicate those of another source, because lists omit them too. */
const eventFeatures = rowFeatures({
  lists: ConflictService.method.listConflictEvents,
  message: ConflictEventSchema,
  subject: sql`id`,
  visible: (condition) => sql`
    select ${shownRow} from conflict_event where ${condition} and duplicate_of is null`,
  toRow: (stored) => toEvent(rowSchema.parse(stored)),
});

/** Events are stored in a table of their own, because their history is longer than a source's responses. */
export const conflictEvents = dataset({
  name: "conflict-events",
  subject: "Armed-conflict and political-violence events worldwide, by day and place, without protests.",
  notIncluded: [
    "protests, riots, demonstrations: the events are armed conflict and political violence",
    "injuries, wounded people: reported deaths",
    "deaths per capita, deaths per inhabitant: the dataset country-macro has the population",
  ],
  row: ConflictEventSchema,
  schedule: "20 */6 * * *",
  freshForMinutes: 13 * 60,
  serves: [ConflictService.method.listConflictEvents, ConflictService.method.countConflictEvents],
  sources: [acled, ucdp],
  storedTables: ["conflict_event"],
  series: eventSeries,
  countRows: countEventRows,
  features: eventFeatures,
  async write(transaction, { bySource, responses, origin, now, noteRows }) {
    const tables = transaction.withTables<ConflictTables>();
    await tables.deleteFrom("conflict_event").where("origin", "!=", origin).execute();
    const changed: Span[] = [];
    const regionOf = await regionFinder();
    for (const [sourceKey, events] of bySource) {
      const stored = { sourceKey, origin, now, regionOf, ...(noteRows && { noteRows }) };
      changed.push(...(await storeEvents(transaction, stored, events)));
      const response = responses.get(sourceKey);
      if (response) changed.push(...(await removeWithdrawn(transaction, stored, events, response)));
    }
    const from = Math.min(...changed.map((span) => span.from));
    const to = Math.max(...changed.map((span) => span.to));
    if (from <= to)
      await markDuplicates(transaction, [acled, ucdp], { from, to }, { now, ...(noteRows && { noteRows }) });
    const { rows } = await tables
      .selectFrom("conflict_event")
      .select(({ fn }) => fn.countAll<string>().as("rows"))
      .where("duplicate_of", "is", null)
      .executeTakeFirstOrThrow();
    return Number(rows);
  },
});
