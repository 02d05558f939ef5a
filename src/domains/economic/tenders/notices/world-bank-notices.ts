import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, rejection, type Source } from "../../../../ingest/source.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { readWorldBankNotice, worldBankFields } from "./world-bank-notice.ts";

type Notice = MessageInitShape<typeof TenderNoticeSchema>;

const address = "https://search.worldbank.org/api/v2/procnotices";
const pageSize = 100;
/**
 * 5,000 notices are several times the usual number of open ones. The limit bounds the requests if the total is wrong.
 */
const maxPages = 50;
const types = ["Invitation for Bids", "Invitation for Prequalification", "Request for Expression of Interest"];

/** The World Bank lists what borrowers buy with its loans. This source reads the notices that are still open. */
export const worldBankNotices: Source<Notice> = {
  name: "world-bank",
  license: { kind: "attribution", terms: "CC BY 4.0, The World Bank" },
  variables: [],
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
    deadline_strdate: now.toISOString().slice(0, 10),
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
  // The member is a list, or an object by id.
  procnotices: z.union([
    z.array(z.unknown()),
    z
      .record(z.string(), z.record(z.string(), z.unknown()).catch({}))
      .transform((byId) => Object.entries(byId).map(([id, row]): unknown => ({ id, ...row }))),
  ]),
});

function readPage(page: unknown): z.output<typeof pageSchema> {
  const read = pageSchema.safeParse(page);
  if (!read.success) throw new UpstreamError(`World Bank: ${rejection("", read.error).reason}`);
  return read.data;
}

/** The list can change while it is read. If a notice occurs twice, the result is incomplete. */
function parsePages(response: unknown): Parsed<Notice> {
  const pages = z.array(z.unknown()).parse(response).map(readPage);
  const rows = new Map<string, Notice>();
  const rejected: Rejection[] = [];
  for (const [place, value] of pages.flatMap(({ procnotices }) => procnotices).entries()) {
    const read = readWorldBankNotice(value, `#${place}`);
    if ("reason" in read) rejected.push(read);
    else rows.set(read.sourceNoticeId, read);
  }
  const available = pages.at(-1)?.total ?? 0;
  const isComplete = rows.size + rejected.length === available;
  return { rows: [...rows.values()], rejected, available, ...(isComplete ? { complete: true } : {}) };
}
