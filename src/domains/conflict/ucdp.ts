import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { ConflictEventSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { number, text } from "../../ingest/row-fields.ts";
import { type Parsed, type Rejection, readAs, rejection, type Source, type Span } from "../../ingest/source.ts";
import { countryByName } from "../../reference/countries/countries.ts";
import { countryByGleditschWard } from "../../reference/countries/gleditsch-ward.ts";
import { dayMs } from "../../reference/duration.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { coordinates, count, grade, startOfDay } from "./fields.ts";

/** Returns possible names of monthly releases, newest first, from next month back to four months ago. */
export function candidateVersions(now: Date): readonly string[] {
  return [1, 0, -1, -2, -3, -4].map((months) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
    return `${shortYear(month)}.0.${month.getUTCMonth() + 1}`;
  });
}

/** Returns possible names of annual releases, newest first. A release in mid-year covers up to the year before. */
export function annualVersions(now: Date): readonly string[] {
  return [`${shortYear(now)}.1`, `${shortYear(new Date(Date.UTC(now.getUTCFullYear() - 1, 0)))}.1`];
}

/** Returns the month that a monthly release covers, or undefined for another name. */
function monthOf(release: string): Span | undefined {
  const [, year, month] = /^(\d\d)\.0\.(\d{1,2})$/.exec(release) ?? [];
  if (year === undefined) return undefined;
  const start = (months: number) => Date.UTC(2000 + Number(year), Number(month) - 1 + months);
  return { from: start(0), to: start(1) - 1 };
}

function shortYear(date: Date): string {
  return String(date.getUTCFullYear() % 100).padStart(2, "0");
}

type Event = MessageInitShape<typeof ConflictEventSchema>;

const address = "https://ucdpapi.pcr.uu.se/api/gedevents";
const pageSize = 1_000;
/** An annual release has events since 1989. Only its last pages are read, which have about three months of events. */
const annualPages = 6;
const maxSource = 300;

/**
 * The Georeferenced Event Dataset of the Uppsala Conflict Data Program: the last annual release and the monthly ones
 * after it.
 */
export const ucdp: Source<Event> = {
  name: "ucdp",
  license: { kind: "attribution", publisher: "UCDP", terms: "CC BY 4.0, Uppsala Conflict Data Program" },
  variables: ["UCDP_ACCESS_TOKEN"],
  access: {
    signUp: "https://ucdp.uu.se/apidocs/",
    cost: "free",
    quota: "by token, see its documentation",
    terms: "https://ucdp.uu.se/downloads/",
    rejection: "The token is missing or wrong.",
  },
  rows: { atLeast: 200, mayBeEmpty: false },
  fetch: fetchPages,
  parse: parsePages,
  covers: "its releases",
  observedAt: ({ occurredAt = 0n }) => Number(occurredAt),
};

/** Fetches the pages of all releases, oldest release first. If one page cannot be read, the whole fetch fails. */
async function fetchPages(upstream: Upstream): Promise<unknown> {
  const [annual] = await published(upstream, annualVersions(upstream.now));
  // A monthly release contains only one month, so all releases since the annual one are read.
  const candidates = await published(upstream, candidateVersions(upstream.now));
  if (!annual) throw new UpstreamError("UCDP has no annual release under the expected names");
  if (candidates.length === 0) throw new UpstreamError("UCDP has no monthly release under the expected names");
  const pages = await readPages(upstream, annual, Math.max(annual.pageCount - annualPages, 0));
  for (const candidate of candidates.toReversed()) pages.push(...(await readPages(upstream, candidate, 0)));
  return pages;
}

interface Release {
  readonly version: string;
  readonly pageCount: number;
}

async function published(upstream: Upstream, versions: readonly string[]): Promise<Release[]> {
  const releases: Release[] = [];
  for (const version of versions) {
    const total = await eventCount(upstream, version);
    if (total > 0) releases.push({ version, pageCount: Math.ceil(total / pageSize) });
  }
  return releases;
}

/** Returns the number of events in a release, or 0 if the release does not exist. */
async function eventCount(upstream: Upstream, version: string): Promise<number> {
  try {
    const { TotalCount, Result } = readPage(await request(upstream, version, 0, 1));
    return Result.length > 0 ? TotalCount : 0;
  } catch (error) {
    if (error instanceof UpstreamError && (error.status === 404 || error.status === 400)) return 0;
    throw error;
  }
}

async function readPages(upstream: Upstream, { version, pageCount }: Release, first: number): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let number = first; number < pageCount; number++) {
    const page = readPage(await request(upstream, version, number, pageSize));
    if (page.Result.length === 0) throw new UpstreamError(`UCDP ${version}: page ${number} is empty`);
    pages.push({ ...page, release: version });
  }
  return pages;
}

function request(upstream: Upstream, version: string, page: number, size: number): Promise<unknown> {
  const headers = { "x-ucdp-access-token": upstream.variable("UCDP_ACCESS_TOKEN") };
  return upstream.json({ url: `${address}/${version}?pagesize=${size}&page=${page}`, headers });
}

/** `release` is not from the source. It is the name of the release to which the page belongs. */
const pageSchema = z.object({
  TotalCount: z.int().min(0),
  Result: z.array(z.unknown()),
  release: z.string().optional(),
});

type Page = z.output<typeof pageSchema>;

function readPage(page: unknown): Page {
  return readAs("UCDP", pageSchema, page);
}

const idSchema = z.object({ id: number.pipe(z.int().positive()) });

const rowSchema = z
  .object({
    type_of_violence: number.pipe(z.union([z.literal(1), z.literal(2), z.literal(3)])),
    side_a: text,
    side_b: text,
    source_original: text,
    source_article: text,
    adm_1: text,
    country: text,
    country_id: number.nullish().catch(null),
    date_start: startOfDay,
    ...{ low: count, best: count, high: count, date_prec: grade, where_prec: grade },
  })
  .extend(coordinates);

type Row = z.output<typeof rowSchema>;

/** Parses the pages. If an ID occurs twice, the later row is used, because it is a newer edition of the event. */
function parsePages(pages: unknown): Parsed<Event> {
  const rows = new Map<number, Event>();
  const rejected: Rejection[] = [];
  const read = z.array(z.unknown()).parse(pages).map(readPage);
  for (const [place, value] of read.flatMap(({ Result }) => Result).entries()) {
    const id = idSchema.safeParse(value).data?.id;
    const row = rowSchema.safeParse(value);
    if (id === undefined) rejected.push({ row: `#${place}`, reason: "has no id" });
    else if (!row.success) rejected.push(rejection(String(id), row.error));
    else rows.set(id, event(id, row.data));
  }
  const releases = Map.groupBy(read, ({ release = "" }) => release);
  const covered = [...releases].flatMap(([name, parts]) => coveredBy(name, parts) ?? []);
  return { rows: [...rows.values()], rejected, complete: true, covered };
}

const daySchema = z.object({ date_start: startOfDay });

/** Returns the days that the rows of a release cover. In an annual release, the first day may be incomplete. */
function coveredBy(release: string, pages: readonly Page[]): Span | undefined {
  const month = monthOf(release);
  if (month) return month;
  const rows = pages.flatMap(({ Result }) => Result);
  const days = rows.flatMap((row) => daySchema.safeParse(row).data?.date_start ?? []);
  const [first, last] = [days[0], days.at(-1)];
  const isInOrder = days.every((at, place) => at >= (days[place - 1] ?? at));
  return first !== undefined && last !== undefined && isInOrder ? { from: first + dayMs, to: last } : undefined;
}

function event(id: number, row: Row): Event {
  return {
    id: `ucdp-${id}`,
    eventType: eventTypes[row.type_of_violence],
    country: countryOf(row),
    location: { latitude: row.latitude, longitude: row.longitude },
    occurredAt: BigInt(row.date_start),
    fatalities: row.best ?? 0,
    actors: [row.side_a, row.side_b].filter(Boolean),
    source: [...(row.source_original || articlesOf(row.source_article))].slice(0, maxSource).join(""),
    admin1: row.adm_1,
    reports: [
      {
        ...{ timePrecision: row.date_prec, placePrecision: row.where_prec },
        ...{ deathsLow: row.low, deathsBest: row.best, deathsHigh: row.high },
      },
    ],
  };
}

/**
 * Converts a list of quoted articles, `"Agency,2026-11-21,Headline";"…"`, to plain text. A doubled quotation mark
 * stands for one.
 */
function articlesOf(list: string): string {
  const articles = [...list.matchAll(/"((?:[^"]|"")*)"(?=\s*(?:;|$))/g)].map(([, article = ""]) =>
    article.replaceAll('""', '"'),
  );
  return articles.length > 0
    ? articles.map((article) => article.trim().replace(/^([^,]+),(\d{4}-\d\d-\d\d),/, "$1, $2, ")).join("; ")
    : list;
}

const eventTypes = { 1: "State-based conflict", 2: "Non-state conflict", 3: "One-sided violence" } as const;

/** Returns the country of an event. The source counts Palestine as Israel and names it only as first-level area. */
function countryOf({ country_id, country, adm_1 }: Row): string {
  if (country_id === israel && palestine.has(adm_1)) return "PS";
  return countryByGleditschWard(country_id ?? 0) ?? countryByName(country)?.alpha2 ?? "";
}

const israel = 666;
const palestine = new Set(["Gaza Strip", "West Bank"]);
