import { feedsPath, tokenIn } from "../../access/feeds/feed-url.ts";
import { NotAuthenticated, NotFound } from "../../errors.ts";
import type { Authenticate } from "../../interceptors/authenticate.ts";
import { type Exchange, unlist } from "../exchange.ts";
import type { Route } from "../router.ts";
import { requireRedistributable } from "./read-binder.ts";

export interface FeedRouteParts {
  readonly identify: Authenticate;
  readonly find: (path: string, verb: string) => Route | undefined;
  /** Returns the sources of a read whose rows the public must not receive. */
  readonly withheldFrom: (path: string) => readonly string[];
}

/** Serves the read that is bound to a feed URL. The query and headers of the request do not change the read. */
export function feedRoute({ identify, find, withheldFrom }: FeedRouteParts): readonly [path: string, route: Route] {
  const serve = async (exchange: Exchange) => {
    // The URL contains a secret. These headers keep it out of referrers and search engines.
    exchange.headers.push("Referrer-Policy", "no-referrer");
    unlist(exchange);
    const known = await holderOf(exchange);
    exchange.leadTo(known.feed?.target ?? "/", known);
    requireRedistributable(exchange.query, withheldFrom(exchange.path));
    const route = find(exchange.path, "GET");
    if (!route) throw unknown();
    return route.serve(exchange);
  };
  const holderOf = async (exchange: Exchange) => {
    try {
      return await identify(tokenIn(exchange.path), exchange);
    } catch (error) {
      throw error instanceof NotAuthenticated ? unknown() : error;
    }
  };
  return [feedsPath, { name: "feed", verbs: ["GET", "HEAD"], anonymous: false, serve }];
}

function unknown(): NotFound {
  return new NotFound("No such feed URL, or it has ended");
}
