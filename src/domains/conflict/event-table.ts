import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ColumnType, Kysely } from "kysely";
import type { ConflictEventSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
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

/** The newest events that match, and how many match in all. */
export async function readEvents(
  database: Kysely<StoreTables>,
  { country, from, to }: EventFilter,
  limit: number,
): Promise<{ events: MessageInitShape<typeof ConflictEventSchema>[]; totalCount: number }> {
  const matching = database
    .withTables<ConflictTables>()
    .selectFrom("conflict_event")
    .where("duplicate_of", "is", null)
    .where("occurred_at", ">=", String(from))
    .where("occurred_at", "<=", String(to))
    .$if(country !== "", (query) => query.where("country", "=", country));
  const rows = await matching
    .select(["id", "event_type", "country", "latitude", "longitude", "occurred_at"])
    .select(["fatalities", "actors", "source", "admin1"])
    .orderBy("occurred_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
  const events = rows.map(({ event_type, latitude, longitude, occurred_at, ...event }) => ({
    ...event,
    eventType: event_type,
    location: { latitude, longitude },
    occurredAt: BigInt(occurred_at),
  }));
  if (rows.length < limit) return { events, totalCount: rows.length };
  const { total } = await matching.select(({ fn }) => fn.countAll<string>().as("total")).executeTakeFirstOrThrow();
  return { events, totalCount: Number(total) };
}
