import type { DescMessage } from "@bufbuild/protobuf";
import { sql, type Transaction } from "kysely";
import type { ConflictEvent } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import type { LastGoodAnswer, Refresh } from "../../ingest/dataset.ts";
import type { Span } from "../../ingest/source.ts";
import type { StoreTables } from "../../store/tables.ts";

/** Whose events are stored. */
export interface StoredEvents extends Pick<Refresh<DescMessage>, "origin" | "now" | "noteRows"> {
  readonly sourceKey: string;
}

/** Stores a source's events by id; tells the spans of time of the new and the changed ones, before and after. */
export async function storeEvents(
  transaction: Transaction<StoreTables>,
  { sourceKey, origin, now, noteRows }: StoredEvents,
  events: readonly ConflictEvent[],
): Promise<Span[]> {
  const spans: Span[] = [];
  for (let start = 0; start < events.length; start += rowsInStatement) {
    const chunk = events.slice(start, start + rowsInStatement);
    const rows = chunk.map((event) => ({ source_key: sourceKey, origin, ...toRow(event) }));
    const json = JSON.stringify(rows);
    await noteRows?.(rowsToChange(json));
    spans.push(...(await storeRows(transaction, json, now)));
  }
  return spans;
}

/** Removes the events that a complete response no longer contains; returns the spans of time that they were in. */
export async function removeWithdrawn(
  transaction: Transaction<StoreTables>,
  { sourceKey, noteRows }: Pick<StoredEvents, "sourceKey" | "noteRows">,
  events: readonly ConflictEvent[],
  { covered, rejected }: Pick<LastGoodAnswer, "covered" | "rejected">,
): Promise<Span[]> {
  // Rejections name a row by its upstream's ID or by ours.
  const listed = JSON.stringify([
    ...events.map(({ id }) => id),
    ...rejected.flatMap((row) => [row, `${sourceKey}-${row}`]),
  ]);
  const changed: Span[] = [];
  for (const { from, to } of covered) {
    const isWithdrawn = sql`
      source_key = ${sourceKey} and occurred_at between ${from}::int8 and ${to}::int8
      and id not in (select json_array_elements_text(${listed}::json))`;
    await noteRows?.(sql`
      select id, case when duplicate_of is null then to_jsonb(conflict_event) end
      from conflict_event where ${isWithdrawn}`);
    const { rows } = await sql<{ at: string }>`
      delete from conflict_event where ${isWithdrawn} returning occurred_at as at`.execute(transaction);
    changed.push(...rows.map(({ at }) => ({ from: Number(at), to: Number(at) })));
  }
  return changed;
}

const rowsInStatement = 5_000;

const columns = [
  ...["source_key", "origin", "occurred_at", "country", "latitude", "longitude"],
  ...["event_type", "fatalities", "actors", "source", "admin1"],
];

/** Those of a statement's events that are new or not as they are stored. */
function rowsToChange(json: string) {
  const of = (table: string) => sql.join(columns.map((column) => sql.ref(`${table}.${column}`)));
  return sql`
    select id, case when conflict_event.duplicate_of is null then to_jsonb(conflict_event) end
    from json_populate_recordset(null::conflict_event, ${json}::json) as incoming left join conflict_event using (id)
    where conflict_event.id is null or (${of("conflict_event")}) is distinct from (${of("incoming")})`;
}

async function storeRows(transaction: Transaction<StoreTables>, json: string, now: Date): Promise<Span[]> {
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

function toRow({ id, eventType, occurredAt, location, country, fatalities, actors, source, admin1 }: ConflictEvent) {
  const { latitude, longitude } = location!;
  const row = { id, country, latitude, longitude, fatalities, actors, source, admin1 };
  return { ...row, event_type: eventType, occurred_at: String(occurredAt) };
}
