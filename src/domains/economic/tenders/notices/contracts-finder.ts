import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, rejection, type Source } from "../../../../ingest/source.ts";
import { dayMs } from "../../../../reference/duration.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { noticeOf, releaseSchema } from "./contracts-finder-release.ts";

type Notice = MessageInitShape<typeof TenderNoticeSchema>;

const address = "https://www.contractsfinder.service.gov.uk/Published/Notices/OCDS/Search";
const windowDays = 60;
const pageSize = 100;
/** 15,000 releases. The limit protects the memory of a refresh, and the source if its cursor never ends. */
const maxPages = 150;

/**
 * Contracts Finder lists notices of public bodies in the United Kingdom, mostly in England and below the thresholds.
 */
export const contractsFinder: Source<Notice> = {
  name: "contracts-finder",
  license: { kind: "attribution", terms: "Open Government Licence v3.0, Contracts Finder, Crown copyright" },
  variables: [],
  access: {
    rejection: "Its request limit is exceeded, for about five minutes.",
  },
  rows: { atLeast: 50, mayBeEmpty: false },
  fetch: fetchPages,
  parse: parsePages,
  // The first day is incomplete.
  covers: { days: windowDays - 1 },
  observedAt: ({ publishedAt = "" }) => Date.parse(publishedAt),
};

async function fetchPages(upstream: Upstream): Promise<unknown> {
  const query = new URLSearchParams({
    publishedFrom: second(upstream.now.getTime() - windowDays * dayMs),
    publishedTo: second(upstream.now.getTime()),
    stages: "tender",
    limit: String(pageSize),
  });
  const pages: unknown[] = [];
  const cursors = new Set<string>();
  while (pages.length < maxPages) {
    const page = await upstream.json({ url: `${address}?${query}` });
    pages.push(page);
    const cursor = nextCursor(page);
    if (cursor === undefined) return pages;
    if (cursors.has(cursor)) throw new UpstreamError("Contracts Finder returned the same cursor twice");
    cursors.add(cursor);
    query.set("cursor", cursor);
  }
  throw new UpstreamError(`Contracts Finder still has notices after ${maxPages} pages`);
}

function second(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}

const pageSchema = z.object({
  releases: z.array(z.unknown()),
  links: z.object({ next: z.string().nullish() }).nullish(),
});

function readPage(page: unknown): z.output<typeof pageSchema> {
  const read = pageSchema.safeParse(page);
  if (!read.success) throw new UpstreamError(`Contracts Finder: ${rejection("", read.error).reason}`);
  return read.data;
}

/** Returns undefined on the last page. */
function nextCursor(page: unknown): string | undefined {
  const { releases, links } = readPage(page);
  if (releases.length === 0 || !links?.next) return undefined;
  const next = URL.parse(links.next, address);
  const { host, pathname } = new URL(address);
  const cursor = next?.searchParams.get("cursor");
  if (next?.host !== host || next.pathname !== pathname || !cursor)
    throw new UpstreamError(`Contracts Finder links to another host: ${links.next.slice(0, 200)}`);
  return cursor;
}

const idSchema = z.object({ ocid: z.string().regex(/^ocds-[a-z\d]{6}-./i) });

/** The latest release of each notice counts. If two have the same timestamp, the later row counts. */
function parsePages(pages: unknown): Parsed<Notice> {
  const latest = new Map<string, { at: string; notice: Notice }>();
  const rejected: Rejection[] = [];
  const releases = z
    .array(z.unknown())
    .parse(pages)
    .flatMap((page) => readPage(page).releases);
  for (const [place, value] of releases.entries()) {
    const ocid = idSchema.safeParse(value).data?.ocid;
    const read = releaseSchema.safeParse(value);
    if (ocid === undefined) rejected.push({ row: `#${place}`, reason: "has no ocid" });
    else if (!read.success) rejected.push(rejection(ocid, read.error));
    else {
      const { date: at } = read.data;
      const notice = noticeOf(ocid, read.data);
      if (typeof notice === "string") rejected.push({ row: ocid, reason: notice });
      else if (at >= (latest.get(ocid)?.at ?? "")) latest.set(ocid, { at, notice });
    }
  }
  return { rows: [...latest.values()].map(({ notice }) => notice), rejected, complete: true };
}
