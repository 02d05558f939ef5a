import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type Parsed, readRow, type Source } from "../../ingest/source.ts";
import { countries } from "../../reference/countries/countries.ts";
import { readCsvTable } from "../../upstream/csv.ts";
import type { TechEvent } from "./event-fields.ts";

/** The project's own list of important conferences, with the days that their organizers announced. */
export const curatedEvents: Source<TechEvent> = {
  name: "curated-events",
  license: { kind: "open", publisher: "this project", terms: "Part of this project" },
  own: true,
  rows: { atLeast: 10, mayBeEmpty: false },
  fetch: () => readFile(new URL("curated-events.csv", import.meta.url), "utf8"),
  parse: parseList,
};

const lineSchema = z
  .object({
    id: z.string().regex(/^[a-z\d-]+$/),
    title: z.string().min(1),
    location: z.string().min(1),
    latitude: z.coerce.number().min(-90).max(90),
    longitude: z.coerce.number().min(-180).max(180),
    country: z.string().refine((code) => countries.has(code), "is not a country"),
    start_date: z.iso.date(),
    end_date: z.iso.date(),
    url: z.url({ protocol: /^https$/ }),
    description: z.string(),
  })
  .refine(({ start_date, end_date }) => start_date <= end_date, "ends before it begins");

function parseList(response: unknown): Parsed<TechEvent> {
  const rows: TechEvent[] = [];
  const { records, rejected } = readCsvTable("The list of events", z.string().parse(response));
  for (const { line, record } of records) {
    const read = readRow(lineSchema, record, `line ${line}`, rejected);
    if (read) rows.push(eventOf(read));
  }
  return { rows, rejected };
}

function eventOf({
  start_date,
  end_date,
  latitude,
  longitude,
  country,
  ...reported
}: z.output<typeof lineSchema>): TechEvent {
  return {
    ...reported,
    type: "conference",
    coords: { lat: latitude, lng: longitude, country, original: reported.location },
    startDate: start_date,
    endDate: end_date,
    source: "curated",
  };
}
