import type { X2jOptions } from "fast-xml-parser";
import { z } from "zod";
import { UpstreamError } from "../egress/upstream-error.ts";
import { libraries } from "../reference/libraries.ts";
import { readAs } from "./source.ts";

/** Reads XML with all values as text. Throws `UpstreamError` for other text. */
export function readXml(who: string, text: string, options: X2jOptions): unknown {
  try {
    return new (libraries.xml().XMLParser)({ parseTagValue: false, htmlEntities: true, ...options }).parse(text);
  } catch (cause) {
    throw new UpstreamError(`${who} sent no XML`, { cause });
  }
}

const rssSchema = z.object({
  rss: z.object({ channel: z.object({ item: z.array(z.unknown()).default([]) }) }),
});

/** Returns the items of an RSS feed. Throws `UpstreamError` for a truncated feed, and for other text. */
export function readRssItems(who: string, feed: string, options: X2jOptions): readonly unknown[] {
  // The parser accepts missing end tags, so a truncated feed would look like a complete feed with fewer items.
  if (!/<\/rss>\s*$/i.test(feed)) throw new UpstreamError(`${who} sent an incomplete RSS feed`);
  return readAs(who, rssSchema, readXml(who, feed, options)).rss.channel.item;
}
