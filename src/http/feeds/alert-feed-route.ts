import { alertFeedsPath, isTokenShaped, tokenIn } from "../../access/feeds/feed-url.ts";
import { NotFound } from "../../errors.ts";
import { type Exchange, send, unlist } from "../exchange.ts";
import { originOf } from "../origin.ts";
import { digestOf, entityTag, hashOf, noneMatch } from "../rest/encoding.ts";
import type { Route } from "../router.ts";
import { atomWriter } from "./atom.ts";

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
  /** Counts the request against the limits of the client's address. */
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
  const { begin, entry, separator, end } = atomWriter({
    id: `urn:ids:${id}`,
    title: name,
    self: origin + path,
    page: `${origin}/alerts`,
    updatedAt: entries[0]?.at ?? createdAt,
  });
  const reported = entries.map((each) => entry({ ...each, id: `urn:ids:${each.id}`, updatedAt: each.at }));
  return begin + reported.join(separator) + end;
}
