import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { type Rejection, rejection } from "../../../../ingest/source.ts";
import { sourceDeadline } from "../../../../reference/source-time.ts";
import { alpha2, currency, decimal, noticeTime, text, utcTime } from "./notice-fields.ts";
import { officialLink } from "./notice-link.ts";

type Notice = MessageInitShape<typeof TenderNoticeSchema> & { readonly sourceNoticeId: string };

const page = "https://projects.worldbank.org/en/projects-operations/procurement-detail/";
/** Days and times have no zone. The days are written as midnight in UTC. */
const zone = "UTC";

/** The member is one object or a list of objects. */
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

/** The request names these fields, because whole records include tens of kilobytes of HTML. */
export const worldBankFields = Object.keys(noticeSchema.shape);

export function readWorldBankNotice(value: unknown, place: string): Notice | Rejection {
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

/** `submission_date` is the notice's own day. A time of midnight means an unknown time. */
function deadline({ submission_deadline_date: date, submission_deadline_time: time }: Row): string | undefined {
  const clock = /^0?0:00/.test(time) ? "" : time;
  return date === "" ? "" : utcTime(sourceDeadline(date, clock, zone));
}

function writtenDeadline({ submission_deadline_date: date, submission_deadline_time: time }: Row): string {
  return JSON.stringify(`${date} ${time}`.trim());
}

/** An estimate of 0 means an unknown estimate. */
function money({ bid_estimate_amount, bid_currency_code }: Row): { amount: string; currency: string } {
  const amount = decimal(bid_estimate_amount);
  return Number(amount) > 0 ? { amount, currency: currency(bid_currency_code) } : { amount: "", currency: "" };
}
