import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, rejection, type Source } from "../../../../ingest/source.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { firstText, readNotice, tedFields } from "./ted-notice.ts";

type Notice = MessageInitShape<typeof TenderNoticeSchema>;

const address = "https://api.ted.europa.eu/v3/notices/search";
const pageSize = 250;
/** Numbered pages end at 15,000 notices. Longer lists are read by token, from the start. */
const maxNumbered = 60;
/** 30,000 notices take some 100 MB of memory, and the requests stay far below the limit of 600 per minute. */
const maxPages = 120;

/**
 * Tenders Electronic Daily lists the notices of the EU, the EEA, and others. This source reads those that are still
 * open.
 */
export const ted: Source<Notice> = {
  name: "ted",
  license: { kind: "attribution", terms: "CC BY 4.0, European Union, TED" },
  variables: [],
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
 * Returns undefined at the end. The last page may have a token too, so only a short page or the total shows the end.
 */
function placeAfter(pages: readonly Page[], numbered: boolean): Place | undefined {
  const last = pages.at(-1);
  if (!last || last.notices.length < pageSize || pages.length * pageSize >= last.totalNoticeCount) return undefined;
  if (numbered) return { page: pages.length + 1 };
  return last.iterationNextToken ? { iterationNextToken: last.iterationNextToken } : undefined;
}

async function search(upstream: Upstream, place: Place): Promise<Page> {
  const today = upstream.now.toISOString().slice(0, 10).replaceAll("-", "");
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

/** Links and titles in 24 languages are the largest part of a page. They are dropped to save memory. */
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
  const read = pageSchema.safeParse(page);
  if (!read.success) throw new UpstreamError(`TED: ${rejection("", read.error).reason}`);
  return read.data;
}

/** The list can change while it is read. If a notice occurs twice, the result is incomplete. */
function parsePages(response: unknown): Parsed<Notice> {
  const pages = z.array(z.unknown()).parse(response).map(readPage);
  const rows = new Map<string, Notice>();
  const rejected: Rejection[] = [];
  for (const [place, value] of pages.flatMap(({ notices }) => notices).entries()) {
    const read = readNotice(value, `#${place}`);
    if ("reason" in read) rejected.push(read);
    else rows.set(read.sourceNoticeId, read);
  }
  const available = pages.at(-1)?.totalNoticeCount ?? 0;
  const isComplete = pages.every(({ timedOut }) => !timedOut) && rows.size + rejected.length === available;
  return { rows: [...rows.values()], rejected, available, ...(isComplete ? { complete: true } : {}) };
}
