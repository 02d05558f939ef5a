import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { rejection } from "../../../../ingest/rejection.ts";
import type { Rejection } from "../../../../ingest/source.ts";
import { countryByName } from "../../../../reference/countries/countries.ts";
import { months } from "../../../../reference/months.ts";
import { dayEnd, dayStart, instant } from "./notice-date.ts";
import { alpha2, currency, decimal, text } from "./notice-fields.ts";
import { officialLink } from "./notice-link.ts";

type Notice = MessageInitShape<typeof TenderNoticeSchema> & { readonly sourceNoticeId: string };

const page = "https://projects.worldbank.org/en/projects-operations/procurement-detail/";
/** Days and clocks are told without a zone; the days are written as midnight in UTC. */
const zone = "Z";

/** One object, or a list of them. */
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
  contact_organization: text,
  publication_date: text,
  noticedate: text,
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

/** Asked for by name: whole records carry tens of kilobytes of HTML. */
export const worldBankFields = Object.keys(noticeSchema.shape);

export function readWorldBankNotice(value: unknown, place: string): Notice | Rejection {
  const read = noticeSchema.safeParse(value);
  if (!read.success) return rejection(place, read.error);
  const row = read.data;
  const officialUrl = officialLink(row.url || page + encodeURIComponent(row.id), [".worldbank.org"]);
  if (officialUrl === undefined) return { row: row.id, reason: "url: not on worldbank.org" };
  const [title, ...rest] = [row.noticetitle, row.bid_description, row.project_name].filter(Boolean);
  if (title === undefined) return { row: row.id, reason: "has no title" };
  return {
    source: "world-bank",
    sourceNoticeId: row.id,
    officialUrl,
    countryCode: alpha2(row.project_ctry_code) || (countryByName(row.project_ctry_name)?.alpha2 ?? ""),
    region: "Multilateral",
    title,
    description: rest.find((other) => other !== title) ?? "",
    buyer: row.borrower || row.implementing_agency || row.agency_name || row.contact_organization,
    publishedAt: publishedAt(row),
    deadline: deadline(row),
    status: row.notice_status.toLowerCase() || "open",
    noticeType: row.notice_type,
    ...money(row),
    categoryCodes: distinct([
      row.procurement_category || row.procurement_method_code,
      ...row.unspsc_classification.map(({ proc_voc_id = "" }) => proc_voc_id),
    ]),
    sectors: distinct(row.sector.map(({ sector_code, sector_description = "" }) => sector_code || sector_description)),
  };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].filter(Boolean);
}

function publishedAt({ publication_date, noticedate }: Row): string {
  return dayStart(isoDay(publication_date) || isoDay(noticedate), zone);
}

/** `submission_date` is no deadline: it is the notice's own day. A clock at midnight is one that was not told. */
function deadline({ submission_deadline_date, submission_deadline_time: clock }: Row): string {
  const day = isoDay(submission_deadline_date);
  const reported = /^\d\d:\d\d(:\d\d)?$/.test(clock) && !clock.startsWith("00:00");
  return (reported && instant(`${day}T${clock}${zone}`)) || dayEnd(day, zone);
}

/** The day of `2026-07-05T00:00:00Z`, `2026-07-05` or `05-Jul-2026`; empty for anything else. */
function isoDay(date: string): string {
  const [, day, month = "", year] = /^(\d\d)-([A-Z][a-z]{2})-(\d{4})$/.exec(date) ?? [];
  if (!year) return /^\d{4}-\d\d-\d\d/.exec(date)?.[0] ?? "";
  return `${year}-${String(months.indexOf(month) + 1).padStart(2, "0")}-${day}`;
}

/** An estimate of 0 is one that was not told. */
function money({ bid_estimate_amount, bid_currency_code }: Row): { amount: string; currency: string } {
  const amount = decimal(bid_estimate_amount);
  return Number(amount) > 0 ? { amount, currency: currency(bid_currency_code) } : { amount: "", currency: "" };
}
