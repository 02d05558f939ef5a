import type { MessageInitShape } from "@bufbuild/protobuf";
import { type ColumnType, type ExpressionBuilder, type Kysely, type Selectable, sql } from "kysely";
import type { ConflictEventSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import type { RowCount } from "../../ingest/row-count.ts";
import type { StoreTables } from "../../store/tables.ts";
import type { EventWindow } from "./event-window.ts";

/** The tables of this domain. */
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
  /** Id of the event of another source that tells of the same. */
  duplicate_of: string | null;
}

/** What a caller asked for; an empty country means every country. */
export interface EventFilter extends EventWindow {
  readonly country: string;
}

/** Events, newest first, and how many match in all. */
export interface EventPage {
  readonly events: readonly MessageInitShape<typeof ConflictEventSchema>[];
  readonly totalCount: number;
}

const columns = [
  ...[
    "id",
    "event_type",
    "country",
    "latitude",
    "longitude",
    "occurred_at",
    "fatalities",
    "actors",
    "source",
    "admin1",
  ],
] as const satisfies (keyof ConflictEventTable)[];

/** The newest events that match, and how many match in all. */
export async function readEvents(
  database: Kysely<StoreTables>,
  { country, from, to }: EventFilter,
  limit: number,
): Promise<EventPage> {
  const matching = database
    .withTables<ConflictTables>()
    .selectFrom("conflict_event")
    .where("duplicate_of", "is", null)
    .where("occurred_at", ">=", String(from))
    .where("occurred_at", "<=", String(to))
    .$if(country !== "", (query) => query.where("country", "=", country));
  const rows = await matching.select(columns).orderBy("occurred_at", "desc").orderBy("id").limit(limit).execute();
  const events = rows.map(toEvent);
  if (rows.length < limit) return { events, totalCount: rows.length };
  const { total } = await matching.select(({ fn }) => fn.countAll<string>().as("total")).executeTakeFirstOrThrow();
  return { events, totalCount: Number(total) };
}

/** All events by source and country, without those that another source tells too. */
export async function countEventRows(database: Kysely<StoreTables>): Promise<RowCount[]> {
  const { rows } = await sql<RowCount>`
    select source_key as source, country, count(*)::int as rows,
      min(occurred_at)::float8 as first, max(occurred_at)::float8 as last
    from conflict_event where duplicate_of is null group by source_key, country`.execute(database);
  return rows;
}

const rowsInChunk = 1_000;

/** Reads all events, newest first, in chunks small enough to be handled between two requests. */
export async function* readAllEvents(database: Kysely<StoreTables>): AsyncGenerator<EventPage["events"]> {
  const events = database
    .withTables<ConflictTables>()
    .selectFrom("conflict_event")
    .where("duplicate_of", "is", null)
    .select(columns)
    .orderBy("occurred_at", "desc")
    .orderBy("id")
    .limit(rowsInChunk);
  for (let after: ConflictRow | undefined; ; ) {
    const rows: ConflictRow[] = await (after === undefined ? events : events.where(follows(after))).execute();
    yield rows.map(toEvent);
    after = rows.at(-1);
    if (after === undefined || rows.length < rowsInChunk) return;
  }
}

type ConflictRow = Pick<Selectable<ConflictEventTable>, (typeof columns)[number]>;

function follows({ occurred_at, id }: ConflictRow) {
  return ({ eb, and, or }: ExpressionBuilder<ConflictTables, "conflict_event">) =>
    and([eb("occurred_at", "<=", occurred_at), or([eb("occurred_at", "<", occurred_at), eb("id", ">", id)])]);
}

function toEvent({ event_type, latitude, longitude, occurred_at, ...event }: ConflictRow) {
  return { ...event, eventType: event_type, location: { latitude, longitude }, occurredAt: BigInt(occurred_at) };
}
