import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { readXml } from "../../ingest/xml.ts";
import { plainText, webAddress } from "./fields.ts";

/** One item of an RSS or Atom feed. A member that the item lacks is empty. */
export interface FeedItem {
  readonly title: string;
  readonly url: string;
  readonly summary: string;
  /** The time of the item as the feed spells it. */
  readonly published: string;
}

/** The `accept` header, without which some publishers reject requests. */
export const feedHeaders = {
  accept: "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8",
};

const xmlOptions = {
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseAttributeValue: false,
  isArray: (name: string) => name === "item" || name === "entry" || name === "link",
};

/** Schema of the text of an element. The element may have attributes. If it occurs several times, the first is read. */
const words = z
  .preprocess(
    (value) => [value].flat()[0],
    z.union([z.string(), z.object({ "#text": z.string() }).transform((element) => element["#text"])]).optional(),
  )
  .catch(undefined);

const linkSchema = z.union([
  z.string(),
  z.object({ "#text": z.string() }).transform((element) => element["#text"]),
  z
    .object({ "@href": z.string(), "@rel": z.string().optional() })
    .transform((element) => ((element["@rel"] ?? "alternate") === "alternate" ? element["@href"] : "")),
]);

const links = z
  .array(linkSchema.catch(""))
  .default([])
  .transform((all) => all.map((link) => webAddress.parse(link)).find(Boolean) ?? "");

const itemSchema = z
  .object({ title: words, link: links, description: words, pubDate: words, "dc:date": words })
  .transform((item) => feedItem(item.title, item.link, item.description, item.pubDate ?? item["dc:date"]));

const entrySchema = z
  .object({ title: words, link: links, summary: words, content: words, published: words, updated: words })
  .transform((item) => feedItem(item.title, item.link, item.summary ?? item.content, item.published ?? item.updated));

/** The parser returns an empty text for an element without children. This converts it to an empty object. */
const filled = (value: unknown) => (value === "" ? {} : value);
const channelSchema = z.preprocess(filled, z.object({ item: z.array(itemSchema).default([]) }));
const atomSchema = z.preprocess(filled, z.object({ entry: z.array(entrySchema).default([]) }));

const feedSchema = z.union([
  z.object({ rss: z.object({ channel: channelSchema }) }).transform(({ rss }) => rss.channel.item),
  z.object({ feed: atomSchema }).transform(({ feed }) => feed.entry),
]);

export function readFeed(who: string, text: string): readonly FeedItem[] {
  // The parser accepts missing end tags, so without this check a truncated feed would count as complete.
  if (!/<\/(rss|feed)>\s*(<!--[\s\S]*?-->\s*)?$/.test(text))
    throw new UpstreamError(`${who} sent ${/^\s*<(!doctype )?html/i.test(text) ? "HTML" : "an incomplete feed"}`);
  const read = feedSchema.safeParse(readXml(who, text, xmlOptions));
  if (!read.success) throw new UpstreamError(`${who} sent neither RSS 2.0 nor Atom`);
  return read.data;
}

function feedItem(title = "", url = "", summary = "", published = ""): FeedItem {
  return { title: plainText(title), url, summary: plainText(summary), published: published.trim() };
}
