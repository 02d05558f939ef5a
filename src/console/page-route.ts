import { LRUCache } from "lru-cache";
import { NotFound } from "../errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { originOf } from "../http/origin.ts";
import type { Route } from "../http/router.ts";
import { type PreparedDocument, prepareDocument, sendDocument } from "../http/routes/document-route.ts";
import { embedHeaders, htmlType, pageHeaders } from "../http/routes/page-headers.ts";
import { embedded, framed, type Site } from "../pages/frame/frame.ts";
import type { Read } from "./reads.ts";
import type { MakePage, PageView, Viewer, Visit } from "./visit.ts";

export interface PageRouteParts {
  readonly site: Site;
  readonly readFor: (exchange: Exchange, viewer: Viewer) => Read;
  /** Who views; the public where an embed is asked for, whatever the request brings. */
  readonly viewerOf: (exchange: Exchange, isEmbed: boolean) => Viewer | Promise<Viewer>;
  /** Counts a view, as one request. Throws `QuotaExceeded`. */
  readonly meter: (exchange: Exchange, viewer: Viewer) => unknown;
  /** Changes when data has changed. */
  readonly epoch: () => number;
}

/** Who is signed in may see more. */
const personalHeaders = [...pageHeaders, "Vary", "Accept-Encoding, Cookie, Origin"];
/** Ages and states move on while data does not. */
const keptMs = 10_000;
/** Bounds the memory of all kept pages. */
const maxKeptBytes = 32 * 1024 * 1024;
/** Longer ones are no view of a page. */
const maxQuery = 2_000;

interface KeptPage {
  readonly document: PreparedDocument;
  readonly epoch: number;
  readonly until: number;
}

/** Serves pages made of data. Those who see the same share a page for a while. */
export function pageServer(parts: PageRouteParts) {
  const kept = new LRUCache<string, KeptPage>({
    maxSize: maxKeptBytes,
    sizeCalculation: ({ document }, key) => 2 * document.length + key.length,
  });

  const documentOf = async (exchange: Exchange, viewer: Viewer, make: MakePage, isEmbed: boolean) => {
    const { path, query, now } = exchange;
    const origin = originOf(exchange);
    const rights = `${viewer.principal?.plan.key ?? ""} ${viewer.isSignedIn}`;
    const key = `${origin} ${rights} ${path}?${query}`;
    const epoch = parts.epoch();
    const found = kept.get(key);
    if (found && found.epoch === epoch && now < found.until) return found.document;
    const parameters = new URLSearchParams(query.length > maxQuery ? "" : query);
    const visit: Visit = {
      ...{ path, origin, now, viewer, isEmbed, query: parameters },
      read: parts.readFor(exchange, viewer),
    };
    const view = await make(visit);
    if (!view) throw new NotFound("There is no page at this address");
    const document = isEmbed
      ? prepareDocument(embedMarkup(view, visit), htmlType, embedHeaders, "public, max-age=60")
      : prepareDocument(pageMarkup(view, visit, parts.site), htmlType, personalHeaders, cachingOf(viewer));
    kept.set(key, { document, epoch, until: now + keptMs });
    return document;
  };

  return (name: string, make: MakePage): Route => ({
    ...{ name, verbs: ["GET", "HEAD"], anonymous: false },
    async serve(exchange) {
      const isEmbed = new URLSearchParams(exchange.query).get("embed") === "1";
      const viewer = await parts.viewerOf(exchange, isEmbed);
      await parts.meter(exchange, viewer);
      return sendDocument(exchange, await documentOf(exchange, viewer, make, isEmbed));
    },
  });
}

function cachingOf({ isSignedIn }: Viewer): string {
  return isSignedIn ? "private, no-cache" : "public, max-age=10";
}

function pageMarkup({ title, description, body }: PageView, { path }: Visit, site: Site): string {
  return framed({ title: `${title} - Intelligence Data Service`, description, path, body }, site);
}

function embedMarkup({ title, blocks = [] }: PageView, { path, origin, query }: Visit): string {
  const wanted = query.get("block");
  const block = wanted === null ? blocks[0] : blocks.find(({ id }) => id === wanted);
  if (!block) throw new NotFound("There is no such block on this page");
  return embedded({ title: `${block.title} - ${title}`, body: block.markup }, origin, path);
}
