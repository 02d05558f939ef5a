import { z } from "zod";
import { type Parsed, readAs, rejection, type Source } from "../../../../ingest/source.ts";
import { isoDay } from "../../../../reference/calendar.ts";
import { sourceDeadline } from "../../../../reference/source-time.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { alpha2, asTime, currency, decimal, type Notice, plain, readNotices, utcTime } from "./notice-fields.ts";

/** Dates without an offset are in the time zone of the Publications Office. */
const officeZone = "Europe/Luxembourg";

/** Returns the English text, or else that in the first language. Empty texts in a list are skipped. */
function firstText(value: unknown): string {
  return texts(value)[0] ?? "";
}

function texts(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [plain(value)].filter(Boolean);
  if (Array.isArray(value)) return value.flatMap(texts);
  const english = "eng" in value ? texts(value.eng) : [];
  return english.length > 0
    ? english
    : (Object.values(value)
        .map(texts)
        .find(({ length }) => length > 0) ?? []);
}

const text = z.unknown().optional().transform(firstText);
const list = z
  .unknown()
  .optional()
  .transform((value) => [...new Set(texts(value))]);
/** A list with one text per lot. Several lots may have the same text. */
const perLot = z.unknown().optional().transform(texts);

const noticeSchema = z.object({
  "publication-number": z.string().regex(/^\d{1,8}-\d{4}$/),
  "publication-date": text.transform(asTime(officeZone)),
  "notice-type": text,
  "procedure-identifier": text,
  // New notices name each lot. Older ones have a single title with the country, the CPV class, and the subject.
  "title-lot": text,
  "notice-title": text,
  "description-proc": text,
  "organisation-name-buyer": text,
  "buyer-name": text,
  "organisation-country-buyer": text,
  "buyer-country": text,
  "deadline-receipt-tender-date-lot": perLot,
  "deadline-receipt-tender-time-lot": perLot,
  "main-classification-proc": list,
  "classification-cpv": list,
  "contract-nature": list,
  "estimated-value-proc": text,
  "estimated-value-cur-proc": text,
  "estimated-value-glo": text,
  "estimated-value-cur-glo": text,
  "total-value": text,
  "total-value-cur": text,
});

type Row = z.output<typeof noticeSchema>;

/** The request names these fields. TED rejects the whole request if it does not know one of them. */
const tedFields = Object.keys(noticeSchema.shape);

function readNotice(value: unknown, place: string) {
  const read = noticeSchema.safeParse(value);
  if (!read.success) return rejection(place, read.error);
  const row = read.data;
  const id = row["publication-number"];
  const title = row["title-lot"] || row["notice-title"];
  if (!title) return { row: id, reason: "has no title" };
  const closings = closingsOf(row);
  const unread = closings.find(({ at }) => at === undefined);
  if (unread) return { row: id, reason: `cannot read the deadline ${unread.written}` };
  return {
    source: "ted",
    sourceNoticeId: id,
    officialUrl: `https://ted.europa.eu/en/notice/-/detail/${id}`,
    countryCode: alpha2(row["organisation-country-buyer"]) || alpha2(row["buyer-country"]),
    region: "Europe",
    title,
    description: row["description-proc"],
    buyer: row["organisation-name-buyer"] || row["buyer-name"],
    publishedAt: row["publication-date"],
    deadline: utcTime(closings.length === 0 ? undefined : Math.max(...closings.map(({ at = 0 }) => at))) ?? "",
    status: "open",
    noticeType: row["notice-type"],
    procedureId: row["procedure-identifier"],
    ...money(row),
    categoryCodes: [...new Set([...row["main-classification-proc"], ...row["classification-cpv"]])],
    sectors: row["contract-nature"],
  };
}

/** Returns the deadline of each lot. A notice stays open until the last deadline of its lots. */
function closingsOf(row: Row): { readonly at: number | undefined; readonly written: string }[] {
  const dates = row["deadline-receipt-tender-date-lot"];
  const times = row["deadline-receipt-tender-time-lot"];
  // If there are not as many times as dates, it is unknown which time belongs to which date.
  const isPaired = dates.length === times.length;
  return dates.map((date, lot) => {
    const clock = (isPaired && times[lot]) || "";
    return { at: sourceDeadline(date, clock, officeZone), written: JSON.stringify(`${date} ${clock}`.trim()) };
  });
}

/** Returns the first known amount. Estimates precede totals. Amounts of 0.00 are skipped, because they mean unknown. */
function money(row: Row): { amount: string; currency: string } {
  const reported = [
    [row["estimated-value-proc"], row["estimated-value-cur-proc"]],
    [row["estimated-value-glo"], row["estimated-value-cur-glo"]],
    [row["total-value"], row["total-value-cur"]],
  ];
  const [amount, unit] = reported.find(([value]) => Number(decimal(value)) > 0) ?? [];
  return { amount: decimal(amount), currency: currency(unit) };
}

const address = "https://api.ted.europa.eu/v3/notices/search";
const pageSize = 250;
/** TED returns pages by number only up to 15,000 notices. A longer list is read again from its start, with tokens. */
const maxNumbered = 60;
/** 30,000 notices use about 100 MB of memory. Their requests stay far below the limit of 600 per minute. */
const maxPages = 120;

/**
 * Tenders Electronic Daily lists the notices of the EU, the EEA, and others. This source reads those that are still
 * open.
 */
export const ted: Source<Notice> = {
  name: "ted",
  license: { kind: "attribution", publisher: "TED", terms: "CC BY 4.0, European Union, TED" },
  rows: { atLeast: 300, mayBeEmpty: false },
  fetch: fetchPages,
  parse: parsePages,
  covers: "all open items",
  observedAt: ({ publishedAt = "" }) => Date.parse(publishedAt),
};

type Place = { readonly page: number } | { readonly iterationNextToken?: string };

async function fetchPages(upstream: Upstream): Promise<unknown> {
  const first = await search(upstream, { page: 1 });
  const numbered = first.totalNoticeCount <= maxNumbered * pageSize;
  const pages = [numbered ? first : await search(upstream, {})];
  while (pages.length < (numbered ? maxNumbered : maxPages)) {
    const next = placeAfter(pages, numbered);
    if (!next) break;
    pages.push(await search(upstream, next));
  }
  return pages;
}

/**
 * Returns the next page, or undefined after the last one. Even the last page may have a token, so the number of notices
 * decides.
 */
function placeAfter(pages: readonly Page[], numbered: boolean): Place | undefined {
  const last = pages.at(-1);
  if (!last || last.notices.length < pageSize || pages.length * pageSize >= last.totalNoticeCount) return undefined;
  if (numbered) return { page: pages.length + 1 };
  return last.iterationNextToken ? { iterationNextToken: last.iterationNextToken } : undefined;
}

async function search(upstream: Upstream, place: Place): Promise<Page> {
  const today = isoDay(upstream.now).replaceAll("-", "");
  const body = {
    query: `deadline-receipt-tender-date-lot >= ${today} SORT BY publication-date DESC`,
    fields: tedFields,
    limit: pageSize,
    scope: "ACTIVE",
    paginationMode: "page" in place ? "PAGE_NUMBER" : "ITERATION",
    onlyLatestVersions: true,
    ...place,
  };
  const page = readPage(await upstream.json({ url: address, body, timeoutMs: 60_000 }));
  return { ...page, notices: page.notices.map(slim) };
}

/** Removes links and all languages but one from a notice to save memory, because they are most of the data. */
function slim(notice: unknown): unknown {
  if (typeof notice !== "object" || notice === null) return notice;
  const members = Object.entries(notice).filter(([name]) => name !== "links");
  return Object.fromEntries(members.map(([name, value]) => [name, isByLanguage(value) ? firstText(value) : value]));
}

function isByLanguage(value: unknown): boolean {
  return typeof value === "object" && !Array.isArray(value);
}

const pageSchema = z.object({
  notices: z.array(z.unknown()),
  totalNoticeCount: z.int().min(0),
  iterationNextToken: z.string().nullish(),
  timedOut: z.boolean().nullish(),
});

type Page = z.output<typeof pageSchema>;

function readPage(page: unknown): Page {
  return readAs("TED", pageSchema, page);
}

function parsePages(response: unknown): Parsed<Notice> {
  const pages = z.array(z.unknown()).parse(response).map(readPage);
  const notices = pages.flatMap((page) => page.notices);
  const { complete = false, ...read } = readNotices(notices, pages.at(-1)?.totalNoticeCount ?? 0, readNotice);
  return complete && pages.every(({ timedOut }) => !timedOut) ? { ...read, complete } : read;
}
