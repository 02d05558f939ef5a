import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { UpstreamError } from "../../../../errors.ts";
import { rejection } from "../../../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../../../ingest/source.ts";
import { dayMs } from "../../../../reference/duration.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { dayEnd, dayStart, instant, localInstant } from "./notice-date.ts";
import { text } from "./notice-fields.ts";
import { officialLink } from "./notice-link.ts";

type Notice = MessageInitShape<typeof TenderNoticeSchema>;

const address = "https://api.sam.gov/opportunities/v2/search";
const windowMs = 14 * dayMs;
/** Times without an offset are those of Washington. */
const zone = "America/New_York";

/** SAM.gov: federal contract opportunities of the United States, posted in the last fourteen days. */
export const sam: Source<Notice> = {
  name: "sam",
  licence: { kind: "open", terms: "Public domain, United States government, SAM.gov" },
  variables: ["SAM_API_KEY"],
  rows: { atLeast: 200, mayBeEmpty: false },
  // A key without a role has ten calls a day.
  minutesApart: 150,
  fetch: fetchPage,
  parse: parsePage,
};

/** One call, of solicitations, combined synopses, presolicitations and sources sought that can still be answered. */
function fetchPage(upstream: Upstream): Promise<unknown> {
  const { now } = upstream;
  const query = new URLSearchParams({
    api_key: upstream.variable("SAM_API_KEY"),
    postedFrom: americanDay(new Date(now.getTime() - windowMs)),
    postedTo: americanDay(now),
    rdlfrom: americanDay(now),
    ptype: "o,k,p,r",
    limit: "1000",
    offset: "0",
  });
  return upstream.json({ url: `${address}?${query}`, tries: 1, timeoutMs: 60_000 });
}

function americanDay(date: Date): string {
  const [year, month, day] = date.toISOString().slice(0, 10).split("-");
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
    postedDate: text,
    modifiedDate: text,
    responseDeadLine: text,
    type: text,
    active: text,
    naicsCode: text,
    naicsCodes: z.array(text).nullish(),
    classificationCode: text,
  })
  .transform((row) => ({ ...row, id: row.noticeId || row.solicitationNumber }))
  .refine(({ id }) => id !== "", { path: ["noticeId"], message: "has no id" });

type Row = z.output<typeof rowSchema>;

/** Never complete: the window does not reach back to everything that is open. A later row of the same id replaces it. */
function parsePage(answer: unknown): Parsed<Notice> {
  const page = pageSchema.safeParse(answer);
  if (!page.success) throw new UpstreamError(`SAM.gov: ${rejection("", page.error).reason}`);
  const rows = new Map<string, Notice>();
  const rejected: Rejection[] = [];
  for (const [place, value] of page.data.opportunitiesData.entries()) {
    const read = rowSchema.safeParse(value);
    const url = read.success ? officialUrl(read.data) : undefined;
    if (!read.success) rejected.push(rejection(`#${place}`, read.error));
    else if (url === undefined) rejected.push({ row: read.data.id, reason: "uiLink: not on sam.gov" });
    else rows.set(read.data.id, notice(read.data, url));
  }
  return { rows: [...rows.values()], rejected };
}

function officialUrl({ uiLink, id }: Row): string | undefined {
  return officialLink(uiLink || `https://sam.gov/opp/${encodeURIComponent(id)}/view`, ["sam.gov"]);
}

function notice(row: Row, officialUrl: string): Notice {
  return {
    source: "sam",
    sourceNoticeId: row.id,
    officialUrl,
    countryCode: "US",
    region: "North America",
    title: row.title,
    // The member of that name is the address of a text, which costs a call of its own.
    description: "",
    buyer: row.fullParentPathName || row.office,
    publishedAt: postedAt(row.postedDate),
    updatedAt: instant(row.modifiedDate) || postedAt(row.modifiedDate),
    deadline: deadline(row.responseDeadLine),
    status: status(row),
    noticeType: row.type,
    categoryCodes: [...new Set([row.naicsCode, ...(row.naicsCodes ?? [])])].filter(Boolean),
    sectors: [row.classificationCode].filter(Boolean),
  };
}

/** The day that the text begins with; some answers add a clock to it. */
function postedAt(posted: string): string {
  return dayStart(posted.slice(0, 10), zone);
}

function deadline(closing: string): string {
  return instant(closing) || localInstant(closing, zone) || dayEnd(closing, zone);
}

function status({ type, active }: Row): string {
  if (/award/i.test(type)) return "awarded";
  if (/cancel/i.test(type)) return "cancelled";
  return active.toLowerCase() === "no" ? "closed" : "open";
}
