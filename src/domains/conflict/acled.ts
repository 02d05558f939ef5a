import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { ConflictEventSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../ingest/source.ts";
import { countryByName, countryByNumeric } from "../../reference/countries.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { coordinates, count, day, number, text } from "./fields.ts";

type Event = MessageInitShape<typeof ConflictEventSchema>;

const site = "https://acleddata.com";
const pageSize = 5_000;
const mostPages = 20;
/** Events are revised and deleted for weeks after their day, so each refresh reads this many days again. */
const days = 60;
const eventTypes = ["Battles", "Explosions/Remote violence", "Violence against civilians"] as const;

/** Armed Conflict Location and Event Data, for accounts licensed to read it. */
export const acled: Source<Event> = {
  name: "acled",
  licence: { kind: "non-commercial", terms: "ACLED terms of use; attribution to ACLED, acleddata.com" },
  variables: ["ACLED_EMAIL", "ACLED_PASSWORD"],
  rows: { atLeast: 1_000, mayBeEmpty: false },
  fetch: fetchPages,
  parse: parsePages,
  observedAt: ({ occurredAt = 0n }) => Number(occurredAt),
};

async function fetchPages(upstream: Upstream): Promise<unknown> {
  const headers = { authorization: `Bearer ${await accessToken(upstream)}` };
  const seen = new Set<string>();
  const pages: unknown[] = [];
  while (pages.length < mostPages) {
    const page = await upstream.json({ url: pageUrl(upstream.now, pages.length + 1), headers });
    pages.push(page);
    const rows = events(page);
    const ids = rows.map(idOf).filter((id) => id !== undefined);
    const known = seen.size;
    for (const id of ids) seen.add(id);
    // The last page is short. A full one of known ids is the same page again; one of malformed rows says nothing.
    const repeated = ids.length === rows.length && seen.size === known;
    if (rows.length < pageSize || repeated) break;
  }
  return pages;
}

const tokenSchema = z.object({ access_token: z.string().min(1) });

async function accessToken(upstream: Upstream): Promise<string> {
  const form = {
    username: upstream.variable("ACLED_EMAIL"),
    password: upstream.variable("ACLED_PASSWORD"),
    grant_type: "password",
    client_id: "acled",
  };
  const read = tokenSchema.safeParse(await upstream.json({ url: `${site}/oauth/token`, form }));
  if (!read.success) throw new UpstreamError("ACLED gave no access token");
  return read.data.access_token;
}

function pageUrl(now: Date, page: number): string {
  const today = now.toISOString().slice(0, 10);
  const from = new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  const query = new URLSearchParams({
    event_type: eventTypes.join("|"),
    event_date: `${from}|${today}`,
    event_date_where: "BETWEEN",
    limit: String(pageSize),
    page: String(page),
    _format: "json",
  });
  return `${site}/api/acled/read?${query}`;
}

const pageSchema = z.object({ data: z.array(z.unknown()) });
/** What a failure says in a body whose status is 200. */
const complaintSchema = z.union([
  z.object({ message: z.unknown().refine(Boolean) }).transform(({ message }) => message),
  z.object({ error: z.unknown().refine(Boolean) }).transform(({ error }) => error),
  z.object({ success: z.literal(false) }).transform(() => "no success"),
]);

function events(page: unknown): readonly unknown[] {
  const complaint = complaintSchema.safeParse(page);
  if (complaint.success) throw new UpstreamError(`ACLED refused: ${JSON.stringify(complaint.data).slice(0, 200)}`);
  const read = pageSchema.safeParse(page);
  if (!read.success) throw new UpstreamError(`ACLED: ${rejection("", read.error).reason}`);
  return read.data.data;
}

const idSchema = z.object({ event_id_cnty: z.string().trim().min(1) });

/** The one id that survives revisions; without it rows would collapse into one. */
function idOf(row: unknown): string | undefined {
  return idSchema.safeParse(row).data?.event_id_cnty;
}

const rowSchema = z
  .object({
    event_date: day,
    event_type: z.enum(eventTypes),
    actor1: text,
    actor2: text,
    iso: number.nullish().catch(null),
    country: text,
    admin1: text,
    source: text,
    fatalities: count,
  })
  .extend(coordinates);

function parsePages(pages: unknown): Parsed<Event> {
  const rows = new Map<string, Event>();
  const rejected: Rejection[] = [];
  for (const [place, value] of z.array(z.unknown()).parse(pages).flatMap(events).entries()) {
    const id = idOf(value);
    const read = rowSchema.safeParse(value);
    if (id === undefined) rejected.push({ row: `#${place}`, reason: "has no event_id_cnty" });
    else if (!read.success) rejected.push(rejection(id, read.error));
    else rows.set(id, event(id, read.data));
  }
  return { rows: [...rows.values()], rejected };
}

function event(id: string, row: z.output<typeof rowSchema>): Event {
  return {
    id: `acled-${id}`,
    eventType: row.event_type,
    country: (countryByNumeric(row.iso ?? 0) ?? countryByName(row.country))?.alpha2 ?? "",
    location: { latitude: row.latitude, longitude: row.longitude },
    occurredAt: BigInt(row.event_date),
    fatalities: row.fatalities,
    actors: [row.actor1, row.actor2].filter(Boolean),
    source: row.source,
    admin1: row.admin1,
  };
}
