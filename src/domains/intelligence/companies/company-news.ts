import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import {
  type NewsCorpus,
  NewsCorpusSchema,
  type NewsItem,
  NewsItemSchema,
} from "../../../../gen/es/ids/stored/v1/company_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import type { License, Parsed, Rejection, Source } from "../../../ingest/source.ts";
import { dayMs, hourMs } from "../../../reference/duration.ts";
import { sourceTime } from "../../../reference/source-time.ts";
import { type FeedItem, feedHeaders, readFeed } from "../feed.ts";

/** A news feed. Its terms permit storing and redistributing titles and links. */
interface NewsFeed {
  readonly name: string;
  /** The address of the feed, which is in RSS 2.0 or Atom. */
  readonly url: string;
  readonly license: OpenLicense;
  readonly rejection?: string;
}

type OpenLicense = License & { readonly kind: Exclude<License["kind"], "restricted"> };

const federal = (agency: string): OpenLicense => ({
  ...{ kind: "open", publisher: `US ${agency}`, terms: `US government, public domain; ${agency}` },
});

export const newsFeeds: readonly NewsFeed[] = [
  {
    name: "ftc-press",
    url: "https://www.ftc.gov/feeds/press-release.xml",
    license: federal("Federal Trade Commission"),
    rejection:
      "Some users report that the site rejects the addresses of programs that fetch its feed; there is no application for access.",
  },
  {
    name: "doj-press",
    url: "https://www.justice.gov/news/rss?type=press_release",
    license: federal("Department of Justice"),
  },
  {
    name: "fda-press",
    url: "https://www.fda.gov/about-fda/contact-fda/stay-informed/rss-feeds/press-releases/rss.xml",
    license: federal("Food and Drug Administration"),
  },
  {
    name: "cisa-advisories",
    url: "https://www.cisa.gov/cybersecurity-advisories/all.xml",
    license: federal("Cybersecurity and Infrastructure Security Agency"),
  },
  {
    name: "cma-announcements",
    url: "https://www.gov.uk/government/organisations/competition-and-markets-authority.atom",
    license: {
      kind: "attribution",
      publisher: "UK Competition and Markets Authority",
      terms: "Open Government Licence v3.0, Crown copyright; Competition and Markets Authority",
    },
  },
  {
    name: "ec-press",
    url: "https://ec.europa.eu/commission/presscorner/api/rss?language=en",
    license: {
      kind: "attribution",
      publisher: "European Commission",
      terms: "CC BY 4.0, European Union, Press corner",
    },
  },
];

type Item = MessageInitShape<typeof NewsItemSchema>;

const ttlMs = 30 * dayMs;
/** Items may be dated this far in the future, because the clocks of publishers differ. */
const aheadMs = hourMs;
const maxItems = 5_000;
const maxSummary = 1_000;
const maxBytes = 8 * 1024 * 1024;

/** Creates the source of a feed. Items stay for 30 days, even if the feed no longer lists them. */
export function newsFeedSource(feed: NewsFeed): Source<Item> {
  const { name, license, url, rejection } = feed;
  return {
    name,
    license,
    ...(rejection !== undefined && { access: { rejection } }),
    // A feed without items is valid.
    rows: { atLeast: 0, mayBeEmpty: true },
    fetch: (upstream) => upstream.text({ url, maxBytes, headers: feedHeaders }),
    parse: (response, now) => parseFeed(feed, z.string().parse(response), now),
    observedAt: ({ publishedAtMs = 0n }) => Number(publishedAtMs),
    remember: {
      key: (item) => item.url ?? "",
      retains: ({ publishedAtMs = 0n }, now) => Number(publishedAtMs) >= now.getTime() - ttlMs,
    },
  };
}

export const companyNews = snapshot({
  name: "company-news",
  subject: "Press items of regulators and authorities of the last 30 days.",
  notIncluded: [
    "newspaper articles, sanctioned names, fines (amounts): press items of the sources below, for one company at a time; risk scores count names on the list of the Treasury by country",
  ],
  row: NewsItemSchema,
  message: NewsCorpusSchema,
  schedule: "5,35 * * * *",
  freshForMinutes: 12 * 60,
  serves: [IntelligenceService.method.getCompanyEnrichment],
  sources: newsFeeds.map(newsFeedSource),
  combine: ({ bySource, responses, now }) => ({
    items: corpus([...bySource.values()].flat(), now),
    readAtMs: Object.fromEntries([...responses].map(([feed, { fetchedAt }]) => [feed, BigInt(fetchedAt.getTime())])),
  }),
  count: ({ items }) => items.length,
});

/** Returns the time at which the least recently read feed was read. Undefined if no feed was read recently. */
export function readingOf({ readAtMs }: Pick<NewsCorpus, "readAtMs">, now: Date) {
  const read = newsFeeds.flatMap(({ name }) => readAtMs[name] ?? []).map(Number);
  const fresh = read.filter((at) => now.getTime() - at <= companyNews.freshForMinutes * 60_000);
  if (fresh.length === 0) return undefined;
  return { fetchedAt: new Date(Math.min(...read)), partial: fresh.length < newsFeeds.length };
}

function corpus(items: readonly NewsItem[], now: Date): NewsItem[] {
  const pages = new Map<string, NewsItem>();
  for (const item of items)
    if (Number(item.publishedAtMs) >= now.getTime() - ttlMs && !pages.has(item.url)) pages.set(item.url, item);
  return [...pages.values()].sort((a, b) => Number(b.publishedAtMs - a.publishedAtMs)).slice(0, maxItems);
}

function parseFeed({ name, license: { publisher } }: NewsFeed, text: string, now: Date): Parsed<Item> {
  const rows = new Map<string, Item>();
  const rejected: Rejection[] = [];
  const items = readFeed(publisher, text);
  for (const [place, item] of items.entries()) {
    const row = newsItem(item, publisher, now);
    if (typeof row === "string") rejected.push({ row: item.url || `#${place}`, reason: row });
    else rows.set(item.url, row);
  }
  if (rows.size === 0 && items.length > 0)
    throw new UpstreamError(`${name}: none of ${items.length} items has the known format: ${rejected[0]?.reason}`);
  return { rows: [...rows.values()], rejected };
}

function newsItem({ title, url, summary, published }: FeedItem, source: string, now: Date): Item | string {
  if (title === "") return "has no title";
  if (url === "") return "has no page";
  const publishedAt = sourceTime(published, "UTC");
  if (publishedAt === undefined || publishedAt <= 0) return `has no time of publication: ${published.slice(0, 50)}`;
  if (publishedAt > now.getTime() + aheadMs) return "is published in the future";
  return {
    url,
    title,
    summary: [...summary].slice(0, maxSummary).join(""),
    source,
    publishedAtMs: BigInt(publishedAt),
  };
}
