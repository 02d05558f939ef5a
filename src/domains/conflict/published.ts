import { sql } from "kysely";
import { isoDay } from "../../reference/calendar.ts";
import type { Store } from "../../store/tables.ts";
import { acled } from "./acled.ts";
import { conflictEvents } from "./conflict-events.ts";
import type { ConflictTables } from "./event-table.ts";
import { ucdp } from "./ucdp.ts";

export { acled, conflictEvents, ucdp };

/** Selects events of one source. Events that duplicate an event of another source are included. */
export interface CountedEvents {
  readonly source: { readonly name: string };
  readonly origin: "live" | "sample";
  /** The start of the time span in Unix epoch milliseconds. Start and end are included. */
  readonly from: number;
  readonly to: number;
  /** The alpha-2 codes of the countries of the events. If they are absent, events of all countries count. */
  readonly countries?: readonly string[];
}

export interface EventCount {
  readonly country: string;
  readonly kind: string;
  /** The day of the newest event, YYYY-MM-DD. */
  readonly day: string;
  readonly events: number;
  readonly deaths: number;
}

export async function countEvents(
  database: Store,
  { source, origin, from, to, countries }: CountedEvents,
  by: { readonly day: boolean },
): Promise<EventCount[]> {
  const rows = await database
    .withTables<ConflictTables>()
    .selectFrom("conflict_event")
    .where("source_key", "=", source.name)
    .where("origin", "=", origin)
    .where("occurred_at", ">=", String(from))
    .where("occurred_at", "<=", String(to))
    .$if(countries !== undefined, (query) => query.where("country", "in", countries ?? []))
    .groupBy(["country", "event_type"])
    .$if(by.day, (query) => query.groupBy(sql`occurred_at / 86400000`))
    .select(({ fn }) => [
      "country",
      "event_type as kind",
      fn.max("occurred_at").as("newest"),
      fn.countAll<string>().as("events"),
      fn.sum<string>("fatalities").as("deaths"),
    ])
    .execute();
  return rows.map(({ country, kind, newest, events, deaths }) => ({
    country,
    kind,
    events: Number(events),
    deaths: Number(deaths),
    day: isoDay(Number(newest)),
  }));
}

/** Returns the newest day of all counts, or an empty text if there are no counts. */
export function newestDay(counts: readonly EventCount[]): string {
  const [newest] = counts.map(({ day }) => day).sort((a, b) => (a > b ? -1 : 1));
  return newest ?? "";
}

/** Returns the time of the oldest stored event of a source, Unix epoch milliseconds. */
export async function oldestEventAt(
  database: Store,
  { source, origin }: Pick<CountedEvents, "source" | "origin">,
): Promise<number | undefined> {
  const row = await database
    .withTables<ConflictTables>()
    .selectFrom("conflict_event")
    .where("source_key", "=", source.name)
    .where("origin", "=", origin)
    .select(({ fn }) => fn.min("occurred_at").as("at"))
    .executeTakeFirst();
  return row?.at == null ? undefined : Number(row.at);
}
