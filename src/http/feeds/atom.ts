import { xmlText } from "../xml-text.ts";

/** A feed without its entries. */
export interface Feed {
  /** URN of the feed, which does not depend on its entries. */
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string;
  /** Terms of the sources. */
  readonly rights?: string;
  /** URL of the feed; undefined if the URL must not be part of a shared response. */
  readonly self: string | undefined;
  /** URL of a page for people. */
  readonly page: string;
  readonly updatedAt: Date;
}

export interface FeedEntry {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly updatedAt: Date;
  readonly link?: string;
  readonly categories?: readonly string[];
}

/** Writes a feed in one format as parts, between which the service handles other requests. */
export interface FeedWriter<Entry> {
  readonly begin: string;
  readonly entry: (entry: Entry) => string;
  readonly separator: string;
  readonly end: string;
}

/** Writes a feed as Atom (RFC 4287). */
export function atomWriter({ id, title, subtitle, rights, self, page, updatedAt }: Feed): FeedWriter<FeedEntry> {
  return {
    begin: `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${xmlText(id)}</id><title>${xmlText(title)}</title>${element("subtitle", subtitle)}${element("rights", rights)}
${self === undefined ? "" : `<link rel="self" type="application/atom+xml" href="${xmlText(self)}"/>\n`}<link rel="alternate" type="text/html" href="${xmlText(page)}"/>
<updated>${updatedAt.toISOString()}</updated><author><name>Intelligence Data Service</name></author>
`,
    entry: entryText,
    separator: "\n",
    end: "</feed>\n",
  };
}

function entryText({ id, title, text, updatedAt, link, categories = [] }: FeedEntry): string {
  return `<entry><id>${xmlText(id)}</id><title>${xmlText(title)}</title>${link === undefined ? "" : `<link rel="alternate" href="${xmlText(link)}"/>`}
<updated>${updatedAt.toISOString()}</updated>${categories.map((term) => `<category term="${xmlText(term)}"/>`).join("")}<content type="text">${xmlText(text)}</content></entry>`;
}

function element(name: string, text: string | undefined): string {
  return text ? `<${name}>${xmlText(text)}</${name}>` : "";
}
