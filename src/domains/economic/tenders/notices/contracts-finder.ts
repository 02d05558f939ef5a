import { z } from "zod";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readAs, rejection, type Source } from "../../../../ingest/source.ts";
import { dayMs } from "../../../../reference/duration.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { currency, decimal, distinct, lines, type Notice, noticeTime, officialLink, text } from "./notice-fields.ts";

const site = "https://www.contractsfinder.service.gov.uk";
/** Times without an offset are in the publisher's time zone. */
const zone = "Europe/London";
const hosts = [".contractsfinder.service.gov.uk"];

const words = z.array(z.string()).catch([]);
const documents = z.array(z.object({ documentType: text, url: text })).catch([]);
const classification = z.object({ id: text });

const releaseSchema = z.object({
  id: text,
  date: noticeTime(zone),
  dateModified: noticeTime(zone),
  tag: words,
  buyer: z.object({ name: text }).nullish().catch(null),
  parties: z.array(z.object({ name: text, roles: words })).catch([]),
  awards: z.array(z.object({ documents })).catch([]),
  tender: z.object({
    title: text.pipe(z.string().min(1)),
    description: z.string().catch(""),
    status: text,
    datePublished: noticeTime(zone),
    documents,
    classification: classification.nullish().catch(null),
    additionalClassifications: z.array(classification).catch([]),
    mainProcurementCategory: text,
    value: z.object({ amount: z.unknown(), currency: z.unknown() }).nullish().catch(null),
    tenderPeriod: z.object({ endDate: noticeTime(zone, "end") }).nullish(),
  }),
});

type Release = z.output<typeof releaseSchema>;

function noticeOf(ocid: string, release: Release): Notice | string {
  const { buyer, parties, dateModified, tag, tender } = release;
  const officialUrl = link(release);
  if (officialUrl === undefined) return "has no page on Contracts Finder";
  const codes = [tender.classification, ...tender.additionalClassifications].map((one) => one?.id ?? "");
  const { date: at } = release;
  const published = tender.datePublished;
  return {
    source: "contracts-finder",
    sourceNoticeId: ocid,
    officialUrl,
    countryCode: "GB",
    region: "Europe",
    title: tender.title,
    description: lines(tender.description).join("\n"),
    buyer: buyer?.name || (parties.find(({ roles }) => roles.includes("buyer"))?.name ?? ""),
    publishedAt: published || at,
    // The first release of a notice is its publication. A later release is a change of the notice.
    updatedAt: dateModified || (published && published !== at ? at : ""),
    deadline: tender.tenderPeriod?.endDate ?? "",
    status: tender.status.toLowerCase() || (isAward(release) ? "awarded" : "open"),
    noticeType: tag.join(", "),
    amount: decimal(tender.value?.amount),
    currency: currency(tender.value?.currency),
    categoryCodes: distinct(codes),
    sectors: [tender.mainProcurementCategory].filter(Boolean),
  };
}

function isAward({ tag }: Release): boolean {
  return tag.some((one) => one.startsWith("award"));
}

/** Returns the link to a notice, from its documents or from the ID in the first 36 characters of the release's ID. */
function link(release: Release): string | undefined {
  const { awards, id, tender } = release;
  const awarded = awards.flatMap((award) => award.documents);
  const pages = (isAward(release) ? [...awarded, ...tender.documents] : [...tender.documents, ...awarded])
    .filter(({ documentType }) => documentType === "tenderNotice" || documentType === "awardNotice")
    .map(({ url }) => url);
  const guid = id.slice(0, 36);
  if (z.guid().safeParse(guid).success) pages.push(`${site}/Notice/${guid}`);
  return pages.map((url) => officialLink(url, hosts)).find((url) => url !== undefined);
}

const address = "https://www.contractsfinder.service.gov.uk/Published/Notices/OCDS/Search";
const windowDays = 60;
const pageSize = 100;
/** Maximum pages, with 15,000 releases. It bounds the memory of a refresh, and ends an endless cursor. */
const maxPages = 150;

/** Contracts Finder lists notices of public bodies in the United Kingdom, mostly in England and of lower values. */
export const contractsFinder: Source<Notice> = {
  name: "contracts-finder",
  license: {
    kind: "attribution",
    publisher: "UK Contracts Finder",
    terms: "Open Government Licence v3.0, Contracts Finder, Crown copyright",
  },
  access: {
    rejection: "Its request limit is exceeded, for about five minutes.",
  },
  rows: { atLeast: 50, mayBeEmpty: false },
  fetch: fetchPages,
  parse: parsePages,
  // The requested time begins in the middle of a day, so that only the days after it are complete.
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
  return readAs("Contracts Finder", pageSchema, page);
}

/** Returns the cursor of the next page. Undefined on the last page. */
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

/** Parses the releases. The latest release of each notice counts. With equal timestamps, the later row counts. */
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
