import { z } from "zod";
import { type Parsed, readAs, rejection, type Source } from "../../../../ingest/source.ts";
import { isoDay } from "../../../../reference/calendar.ts";
import { sourceDeadline } from "../../../../reference/source-time.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import {
  alpha2,
  currency,
  decimal,
  distinct,
  type Notice,
  noticeTime,
  officialLink,
  readNotices,
  text,
  utcTime,
} from "./notice-fields.ts";

const page = "https://projects.worldbank.org/en/projects-operations/procurement-detail/";
/** Days and times have no zone. Each day is written as midnight in UTC. */
const zone = "UTC";

/** Schema of a member that the source writes as one object or as a list of objects. */
const objects = z
  .unknown()
  .optional()
  .transform((value) => [value].flat())
  .pipe(z.array(z.record(z.string(), text).catch({})));

const noticeSchema = z.object({
  id: text.pipe(z.string().min(1)),
  url: text,
  notice_type: text,
  notice_status: text,
  noticetitle: text,
  bid_description: text,
  project_name: text,
  project_ctry_code: text,
  project_ctry_name: text,
  borrower: text,
  implementing_agency: text,
  agency_name: text,
  project_id: text,
  bid_reference_no: text,
  contact_organization: text,
  publication_date: noticeTime(zone),
  noticedate: noticeTime(zone),
  submission_deadline_date: text,
  submission_deadline_time: text,
  bid_estimate_amount: text,
  bid_currency_code: text,
  procurement_category: text,
  procurement_method_code: text,
  unspsc_classification: objects,
  sector: objects,
});

type Row = z.output<typeof noticeSchema>;

/** The request names these fields, because complete records contain tens of kilobytes of HTML. */
const worldBankFields = Object.keys(noticeSchema.shape);

function readWorldBankNotice(value: unknown, place: string) {
  const read = noticeSchema.safeParse(value);
  if (!read.success) return rejection(place, read.error);
  const row = read.data;
  const officialUrl = officialLink(row.url || page + encodeURIComponent(row.id), [".worldbank.org"]);
  if (officialUrl === undefined) return { row: row.id, reason: "url: not on worldbank.org" };
  const closing = deadline(row);
  if (closing === undefined) return { row: row.id, reason: `cannot read the deadline ${writtenDeadline(row)}` };
  const [title, ...rest] = [row.noticetitle, row.bid_description, row.project_name].filter(Boolean);
  if (title === undefined) return { row: row.id, reason: "has no title" };
  return {
    source: "world-bank",
    sourceNoticeId: row.id,
    officialUrl,
    countryCode: alpha2(row.project_ctry_code) || alpha2(row.project_ctry_name),
    region: "Multilateral",
    title,
    description: rest.find((other) => other !== title) ?? "",
    buyer: row.borrower || row.implementing_agency || row.agency_name || row.contact_organization,
    publishedAt: row.publication_date || row.noticedate,
    deadline: closing,
    status: row.notice_status.toLowerCase() || "open",
    noticeType: row.notice_type,
    // The reference number is unique only within a project, so the ID of the project precedes it.
    procedureId: row.bid_reference_no && `${row.project_id} ${row.bid_reference_no}`.trim(),
    ...money(row),
    categoryCodes: distinct([
      row.procurement_category || row.procurement_method_code,
      ...row.unspsc_classification.map(({ proc_voc_id = "" }) => proc_voc_id),
    ]),
    sectors: distinct(row.sector.map(({ sector_code, sector_description = "" }) => sector_code || sector_description)),
  };
}

/** Returns the deadline. `submission_date` is the day of the notice. A time of midnight means an unknown time. */
function deadline({ submission_deadline_date: date, submission_deadline_time: time }: Row): string | undefined {
  const clock = /^0?0:00/.test(time) ? "" : time;
  return date === "" ? "" : utcTime(sourceDeadline(date, clock, zone));
}

function writtenDeadline({ submission_deadline_date: date, submission_deadline_time: time }: Row): string {
  return JSON.stringify(`${date} ${time}`.trim());
}

/** Returns the estimated amount. An estimate of 0 means that the amount is unknown. */
function money({ bid_estimate_amount, bid_currency_code }: Row): { amount: string; currency: string } {
  const amount = decimal(bid_estimate_amount);
  return Number(amount) > 0 ? { amount, currency: currency(bid_currency_code) } : { amount: "", currency: "" };
}

const address = "https://search.worldbank.org/api/v2/procnotices";
const pageSize = 100;
/** Maximum pages, with 5,000 notices. There are usually far fewer. The limit matters if the reported total is wrong. */
const maxPages = 50;
const types = ["Invitation for Bids", "Invitation for Prequalification", "Request for Expression of Interest"];

/** The World Bank lists what borrowers buy with its loans. This source reads the notices that are still open. */
export const worldBankNotices: Source<Notice> = {
  name: "world-bank",
  license: { kind: "attribution", publisher: "World Bank", terms: "CC BY 4.0, The World Bank" },
  rows: { atLeast: 15, mayBeEmpty: false },
  fetch: fetchPages,
  parse: parsePages,
  covers: "all open items",
  observedAt: ({ publishedAt = "" }) => Date.parse(publishedAt),
};

async function fetchPages(upstream: Upstream): Promise<unknown> {
  const pages: unknown[] = [];
  while (pages.length < maxPages) {
    const body = await upstream.json({ url: pageUrl(upstream.now, pages.length * pageSize) });
    pages.push(body);
    const { procnotices, total } = readPage(body);
    if (procnotices.length === 0 || pages.length * pageSize >= total) break;
  }
  return pages;
}

function pageUrl(now: Date, offset: number): string {
  const query = new URLSearchParams({
    format: "json",
    rows: String(pageSize),
    os: String(offset),
    fl: worldBankFields.join(","),
    srt: "submission_deadline_date",
    order: "asc",
    apilang: "en",
    srce: "both",
    notice_type_exact: types.join("^"),
    deadline_strdate: isoDay(now),
  });
  return `${address}?${query}`;
}

const number = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

const pageSchema = z.object({
  total: number,
  // Schema of a member that the source writes as a list, or as an object whose keys are IDs.
  procnotices: z.union([
    z.array(z.unknown()),
    z
      .record(z.string(), z.record(z.string(), z.unknown()).catch({}))
      .transform((byId) => Object.entries(byId).map(([id, row]): unknown => ({ id, ...row }))),
  ]),
});

function readPage(page: unknown): z.output<typeof pageSchema> {
  return readAs("World Bank", pageSchema, page);
}

function parsePages(response: unknown): Parsed<Notice> {
  const pages = z.array(z.unknown()).parse(response).map(readPage);
  const notices = pages.flatMap(({ procnotices }) => procnotices);
  return readNotices(notices, pages.at(-1)?.total ?? 0, readWorldBankNotice);
}
