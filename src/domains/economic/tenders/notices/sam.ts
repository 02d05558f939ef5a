import { z } from "zod";
import { parseValue } from "../../../../config/reading.ts";
import { count } from "../../../../config/text-types.ts";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { missingFor, missingPartSchema } from "../../../../ingest/series-responses.ts";
import { type Parsed, readAs, rejection, type Source } from "../../../../ingest/source.ts";
import { isoDay } from "../../../../reference/calendar.ts";
import { dayMs, minuteMs } from "../../../../reference/duration.ts";
import { sourceDay } from "../../../../reference/source-time.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { asTime, type Notice, noticeTime, officialLink, readNotices, text } from "./notice-fields.ts";

const address = "https://api.sam.gov/opportunities/v2/search";
const windowDays = 14;
/** Times without an offset are in Washington's time zone. */
const zone = "America/New_York";

const pageSize = 1_000;
/** The number of calls per day: ten for a key of an account without a role, and a thousand with a role. */
const allowance = { name: "SAM_DAILY_CALLS", type: count };
const openAllowance = 10;
/** Four refreshes per day with two calls each use eight of the ten calls. Two remain for a restart. */
const minutesApart = 6 * 60;

/**
 * SAM.gov lists federal contract opportunities of the United States. This source reads those of the last fourteen days.
 */
export const sam: Source<Notice> = {
  name: "sam",
  license: { kind: "open", publisher: "SAM.gov", terms: "Public domain, United States government, SAM.gov" },
  variables: ["SAM_API_KEY"],
  optionalVariables: [allowance.name],
  requestsADay: { of: "sam", max: openAllowance, setBy: allowance.name },
  access: {
    signUp: "https://open.gsa.gov/api/get-opportunities-public-api/",
    minutes: 15,
    cost: "free, with an account at sam.gov",
    quota: "10 requests a UTC day for a key without a role, 1,000 with one",
    terms: "https://open.gsa.gov/api/get-opportunities-public-api/",
    rejection:
      "429: this service or other users of the key have used the requests of the day. 403: the key is wrong, or has expired and must be renewed.",
  },
  rows: { atLeast: 100, mayBeEmpty: false },
  minutesApart,
  fetch: fetchPages,
  parse: parsePages,
  covers: { days: windowDays },
  observedAt: ({ publishedAt = "" }) => Date.parse(publishedAt),
};

/** Fetches pages of the list. If the daily calls do not suffice for all pages, each run fetches the next ones. */
async function fetchPages(upstream: Upstream): Promise<z.input<typeof responseSchema>> {
  const calls = parseValue(allowance, upstream.variable(allowance.name, String(openAllowance)));
  const callsNow = Math.max(1, Math.floor((calls * minutesApart) / (24 * 60)));
  const first = await sendRequest(upstream, 0);
  const response: z.input<typeof responseSchema> = { pages: [first], missing: [] };
  const { totalRecords, opportunitiesData } = readPage(first);
  if (opportunitiesData.length < pageSize) return response;
  let step = 1;
  for (const place of placesAfterFirst(Math.ceil(totalRecords / pageSize), callsNow - 1, upstream.now)) {
    try {
      let page = await sendRequest(upstream, place * step);
      // According to the documentation, `offset` counts pages. Some users report that it counts rows, so both are
      // tried.
      if (step === 1 && repeats(first, page)) {
        step = pageSize;
        page = await sendRequest(upstream, place * step);
      }
      response.pages.push(page);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      response.missing.push(missingFor(`page ${place + 1}`, error));
      break;
    }
  }
  return response;
}

/** Returns the pages to fetch after the first one. If there are too many, the next run fetches the next pages. */
function placesAfterFirst(pageCount: number, max: number, now: Date): number[] {
  const others = pageCount - 1;
  const count = Math.min(max, others);
  const run = Math.floor(now.getTime() / (minutesApart * minuteMs));
  const from = count < others ? run * count : 0;
  return Array.from({ length: count }, (_, place) => 1 + ((from + place) % others));
}

function repeats(first: unknown, page: unknown): boolean {
  const ids = (of: unknown) => readPage(of).opportunitiesData.flatMap((row) => rowSchema.safeParse(row).data?.id ?? []);
  const known = new Set(ids(first));
  const again = ids(page);
  return again.filter((id) => known.has(id)).length * 2 > again.length;
}

/**
 * Requests solicitations, combined synopses, presolicitations, and sources sought that are still open, newest first.
 */
async function sendRequest(upstream: Upstream, offset: number): Promise<unknown> {
  const { now } = upstream;
  const query = new URLSearchParams({
    api_key: upstream.variable("SAM_API_KEY"),
    postedFrom: americanDay(new Date(now.getTime() - windowDays * dayMs)),
    postedTo: americanDay(now),
    // It can still be yesterday in the westernmost time zone, so notices that close yesterday are requested until noon.
    rdlfrom: americanDay(new Date(now.getTime() - dayMs / 2)),
    ptype: "o,k,p,r",
    limit: String(pageSize),
    offset: String(offset),
  });
  const page = await upstream.json({ url: `${address}?${query}`, tries: 1, timeoutMs: 60_000 });
  readPage(page);
  return page;
}

function americanDay(date: Date): string {
  const [year, month, day] = isoDay(date).split("-");
  return `${month}/${day}/${year}`;
}

const pageSchema = z.object({ totalRecords: z.int().min(0), opportunitiesData: z.array(z.unknown()) });

const rowSchema = z
  .object({
    noticeId: text,
    solicitationNumber: text,
    title: text.pipe(z.string().min(1)),
    uiLink: text,
    fullParentPathName: text,
    office: text,
    // In some rows, a time follows the day of publication. Only the day is used.
    postedDate: text.transform((posted) => sourceDay(posted, zone) ?? posted).transform(asTime(zone)),
    modifiedDate: noticeTime(zone),
    responseDeadLine: noticeTime(zone, "end"),
    type: text,
    active: text,
    naicsCode: text,
    naicsCodes: z.array(text).nullish(),
    classificationCode: text,
  })
  .transform((row) => ({ ...row, id: row.noticeId || row.solicitationNumber }))
  .refine(({ id }) => id !== "", { path: ["noticeId"], message: "has no id" });

type Row = z.output<typeof rowSchema>;

const naics = /^\d{2,6}$/;

function readPage(response: unknown): z.output<typeof pageSchema> {
  return readAs("SAM.gov", pageSchema, response);
}

const responseSchema = z.object({
  pages: z.array(z.unknown()).min(1),
  missing: z.array(missingPartSchema),
});

function parsePages(response: unknown): Parsed<Notice> {
  const { pages: collected, missing } = responseSchema.parse(response);
  const pages = collected.map(readPage);
  const notices = pages.flatMap(({ opportunitiesData }) => opportunitiesData);
  return { ...readNotices(notices, pages.at(-1)?.totalRecords ?? 0, readOpportunity), missing };
}

function readOpportunity(value: unknown, place: string) {
  const read = rowSchema.safeParse(value);
  if (!read.success) return rejection(place, read.error);
  const url = officialUrl(read.data);
  return url === undefined ? { row: read.data.id, reason: "uiLink: not on sam.gov" } : notice(read.data, url);
}

function officialUrl({ uiLink, id }: Row): string | undefined {
  return officialLink(uiLink || `https://sam.gov/opp/${encodeURIComponent(id)}/view`, ["sam.gov"]);
}

function notice(row: Row, officialUrl: string) {
  return {
    source: "sam",
    sourceNoticeId: row.id,
    officialUrl,
    countryCode: "US",
    region: "North America",
    title: row.title,
    // The source's `description` is the address of a text. Reading it would cost a call per notice, so it stays empty.
    description: "",
    buyer: row.fullParentPathName || row.office,
    publishedAt: row.postedDate,
    updatedAt: row.modifiedDate,
    deadline: row.responseDeadLine,
    status: status(row),
    noticeType: row.type,
    procedureId: row.solicitationNumber,
    categoryCodes: [...new Set([row.naicsCode, ...(row.naicsCodes ?? [])])].filter((code) => naics.test(code)),
    sectors: [row.classificationCode].filter(Boolean),
  };
}

function status({ type, active }: Row): string {
  if (/award/i.test(type)) return "awarded";
  if (/cancel/i.test(type)) return "cancelled";
  return active.toLowerCase() === "no" ? "closed" : "open";
}
