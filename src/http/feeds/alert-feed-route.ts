import { alertFeedsPath, isTokenShaped, tokenIn } from "../../access/feeds/feed-url.ts";
import { NotFound } from "../../errors.ts";
import { type Exchange, send, unlist } from "../exchange.ts";
import { originOf } from "../origin.ts";
import { digestOf, entityTag, hashOf, noneMatch } from "../rest/encoding.ts";
import type { Route } from "../router.ts";

interface Feed {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Entries of the feed, newest first. */
  readonly entries: readonly {
    readonly id: string;
    readonly at: Date;
    readonly title: string;
    readonly text: string;
  }[];
}

export interface AlertFeedParts {
  readonly find: (requested: { readonly token: string; readonly now: number }) => Promise<Feed | undefined>;
  /** Counts each request for the client's address. */
  readonly meter: (exchange: Exchange) => unknown;
}

const headers = [
  ...["Content-Type", "application/atom+xml; charset=utf-8", "Cache-Control", "private, max-age=60"],
  ...["Referrer-Policy", "no-referrer"],
];

export function alertFeedRoute({ find, meter }: AlertFeedParts): readonly [path: string, route: Route] {
  const serve = async (exchange: Exchange) => {
    // The URL contains a secret. This header and the referrer policy keep it out of search engines and referrers.
    unlist(exchange);
    await meter(exchange);
    const token = tokenIn(exchange.path) ?? "";
    const feed = isTokenShaped(token) ? await find({ token, now: exchange.now }) : undefined;
    if (!feed) throw new NotFound("No such feed, or it has ended");
    const body = Buffer.from(atom(feed, originOf(exchange), exchange.path));
    const hash = hashOf(digestOf(body));
    const reported = ["ETag", entityTag(hash, "identity"), ...exchange.headers, ...headers];
    const condition = exchange.head.ifNoneMatch;
    const status = condition !== undefined && !noneMatch(condition, hash) ? 304 : 200;
    send(exchange, status, reported, body);
    return status;
  };
  return [alertFeedsPath, { name: "alert-feed", verbs: ["GET", "HEAD"], anonymous: false, serve }];
}

function atom({ id, name, createdAt, entries }: Feed, origin: string, path: string): string {
  const updated = entries[0]?.at ?? createdAt;
  const reported = entries.map(
    (entry) => `<entry><id>urn:ids:${entry.id}</id><title>${escaped(entry.title)}</title>
<updated>${entry.at.toISOString()}</updated><content type="text">${escaped(entry.text)}</content></entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:ids:${id}</id><title>${escaped(name)}</title>
<link rel="self" type="application/atom+xml" href="${escaped(origin + path)}"/>
<link rel="alternate" type="text/html" href="${escaped(`${origin}/alerts`)}"/>
<updated>${updated.toISOString()}</updated><author><name>Intelligence Data Service</name></author>
${reported.join("\n")}</feed>
`;
}

/** XML does not allow other control characters or half of a surrogate pair, so these are removed. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(notInXml, "\u{fffd}");
}
