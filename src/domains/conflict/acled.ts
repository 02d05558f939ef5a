import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { ConflictEventSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { number, text } from "../../ingest/row-fields.ts";
import type { Parsed, Source } from "../../ingest/source.ts";
import { acledCountry, acledRows, acledTerms, fetchAcled } from "../../providers/acled/acled.ts";
import { coordinates, count, grade, startOfDay } from "./fields.ts";

type Event = MessageInitShape<typeof ConflictEventSchema>;

/** ACLED revises and deletes events for weeks, so each refresh requests all events of this number of days. */
const days = 60;
const eventTypes = ["Battles", "Explosions/Remote violence", "Violence against civilians"] as const;

/** Events from the Armed Conflict Location and Event Data project, which requires a license. */
export const acled: Source<Event> = {
  name: "acled",
  ...acledTerms,
  rows: { atLeast: 300, mayBeEmpty: false },
  fetch: (upstream) => fetchAcled(upstream, { eventTypes, days }),
  parse: parsePages,
  covers: { days },
  observedAt: ({ occurredAt = 0n }) => Number(occurredAt),
};

const rowSchema = z
  .object({
    event_date: startOfDay,
    event_type: z.enum(eventTypes),
    actor1: text,
    actor2: text,
    iso: number.nullish().catch(null),
    country: text,
    admin1: text,
    source: text,
    fatalities: count,
    time_precision: grade,
    geo_precision: grade,
  })
  .extend(coordinates);

function parsePages(pages: unknown): Parsed<Event> {
  const { rows, rejected, complete } = acledRows(pages, rowSchema);
  return { rows: [...rows].map(([id, row]) => event(id, row)), rejected, complete };
}

function event(id: string, row: z.output<typeof rowSchema>): Event {
  return {
    id: `acled-${id}`,
    eventType: row.event_type,
    country: acledCountry(row)?.alpha2 ?? "",
    location: { latitude: row.latitude, longitude: row.longitude },
    occurredAt: BigInt(row.event_date),
    fatalities: row.fatalities ?? 0,
    actors: [row.actor1, row.actor2].filter(Boolean),
    source: row.source,
    admin1: row.admin1,
    reports: [
      {
        timePrecision: row.time_precision,
        placePrecision: row.geo_precision,
        deathsBest: row.fatalities,
      },
    ],
  };
}
