import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { type Rejection, rejection } from "../../../../ingest/source.ts";
import { sourceDeadline } from "../../../../reference/source-time.ts";
import { alpha2, asTime, currency, decimal, plain, utcTime } from "./notice-fields.ts";

type Notice = MessageInitShape<typeof TenderNoticeSchema> & { readonly sourceNoticeId: string };

/** Dates without an offset are in the time of the Publications Office. */
const officeZone = "Europe/Luxembourg";

/** English is preferred to the first language. For a list, the first text that is not empty counts. */
export function firstText(value: unknown): string {
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
/** A list with one entry per lot. It may contain duplicates. */
const perLot = z.unknown().optional().transform(texts);

const noticeSchema = z.object({
  "publication-number": z.string().regex(/^\d{1,8}-\d{4}$/),
  "publication-date": text.transform(asTime(officeZone)),
  "notice-type": text,
  // Newer notices name their lots, and older ones have a title with country, CPV class, and subject.
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

/** The request names these fields. If TED does not know one of the fields, it rejects the whole request. */
export const tedFields = Object.keys(noticeSchema.shape);

export function readNotice(value: unknown, place: string): Notice | Rejection {
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
    ...money(row),
    categoryCodes: [...new Set([...row["main-classification-proc"], ...row["classification-cpv"]])],
    sectors: row["contract-nature"],
  };
}

/** Returns the deadline of each lot. The notice closes with its last lot. */
function closingsOf(row: Row): { readonly at: number | undefined; readonly written: string }[] {
  const dates = row["deadline-receipt-tender-date-lot"];
  const times = row["deadline-receipt-tender-time-lot"];
  // If the lists differ in length, it is unknown which time belongs to which day.
  const isPaired = dates.length === times.length;
  return dates.map((date, lot) => {
    const clock = (isPaired && times[lot]) || "";
    return { at: sourceDeadline(date, clock, officeZone), written: JSON.stringify(`${date} ${clock}`.trim()) };
  });
}

/** Estimates are preferred to totals. Many notices use 0.00 for an unknown value. */
function money(row: Row): { amount: string; currency: string } {
  const reported = [
    [row["estimated-value-proc"], row["estimated-value-cur-proc"]],
    [row["estimated-value-glo"], row["estimated-value-cur-glo"]],
    [row["total-value"], row["total-value-cur"]],
  ];
  const [amount, unit] = reported.find(([value]) => Number(decimal(value)) > 0) ?? [];
  return { amount: decimal(amount), currency: currency(unit) };
}
