import { LRUCache } from "lru-cache";
import { asOfParameter } from "../contract/as-of.ts";
import { NotFound, Overloaded, RequestAborted } from "../errors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { RequestQueue } from "../http/load/request-queue.ts";
import { originOf } from "../http/origin.ts";
import { type PreparedResponse, sendPrepared } from "../http/rest/prepared-response.ts";
import type { Route } from "../http/router.ts";
import { prepareDocument } from "../http/routes/document-route.ts";
import { embedHeaders, htmlType, pageHeaders } from "../http/routes/page-headers.ts";
import { embedded, framed, type Site, serviceName } from "../pages/frame/frame.ts";
import { type Html, html } from "../pages/html.ts";
import { apiCatalogLink } from "../standards/discovery/api-catalog.ts";
import { addressOf, addressWith } from "./address.ts";
import { type MakePage, Moved, type PageContext, type PageView, type Sections } from "./page-context.ts";
import type { Read } from "./read-response.ts";
import { redirect } from "./session/redirect.ts";
import { unusedIn, unusedMarkup } from "./unused-parameters.ts";
import { instantText } from "./view/times.ts";
import type { Viewer } from "./viewer.ts";

export interface PageRouteParts {
  readonly sections: Sections;
  readonly site: Site;
  /** Returns the function that reads a page's data. The signal ends the reads of a page that clients do not share. */
  readonly readFor: (exchange: Exchange, viewer: Viewer, gone?: AbortSignal) => Read;
  /** Returns the viewer of a request. An embedded block is always shown as to a visitor, without a session. */
  readonly viewerOf: (exchange: Exchange, isEmbed: boolean) => Viewer | Promise<Viewer>;
  /** Counts a page view as one request. Throws `QuotaExceeded`. */
  readonly meter: (exchange: Exchange, viewer: Viewer) => unknown;
  /** Number that changes whenever data changes, so that cached pages are replaced. */
  readonly epoch: () => number;
  readonly queue: RequestQueue;
}

const jsonType = "application/json; charset=utf-8";
/** Headers of a page. `Vary` includes cookies, because a signed-in viewer may see more than others. */
const personalHeaders = [...pageHeaders, "Vary", "Accept-Encoding, Cookie, Origin", "Link", apiCatalogLink];
/**
 * Maximum age of a cached page that is still sent at once. An older one is sent and then created again, because ages on
 * it change even without new data.
 */
const freshMs = 10_000;
/** Maximum age of a cached page that may be sent. An older page is first created again. */
const storedMs = 60_000;
/** Maximum size of all cached pages in memory. */
const maxStoredBytes = 32 * 1024 * 1024;
/** Maximum age of a cached page under overload. The page shows when it was created. */
const lastResortMs = 600_000;
/** Maximum length of a query. Links and forms of pages never create longer ones. */
const maxQuery = 2_000;

/** Parameters for a page that shows only one of its blocks. */
const embedNames = ["embed", "block"];

/** The requested page or block, and its viewer. */
interface RequestedView {
  readonly exchange: Exchange;
  readonly viewer: Viewer;
  readonly make: MakePage;
  readonly isEmbed: boolean;
  readonly isCut: boolean;
  /** True if the URL has a past time, but the page shows only the present. */
  readonly isOnlyPresent: boolean;
  /** Parameters in the URL that the page does not use. A notice on the page names them. */
  readonly unused: readonly string[];
  /** The parameters of the URL that the page uses. */
  readonly parameters: URLSearchParams;
}

interface CachedPage {
  readonly document: PreparedResponse;
  readonly epoch: number;
  readonly madeAt: number;
  /** False if a read was rejected for a temporary reason. The page is then sent but not cached. */
  readonly isWhole: boolean;
}

/** Serves data pages. Viewers with the same access share a cached page for a short time. */
export function pageServer(parts: PageRouteParts) {
  const { queue } = parts;
  const pages = new LRUCache<string, CachedPage, RequestedView>({
    maxSize: maxStoredBytes,
    sizeCalculation: ({ document }, key) => 2 * document.identity.length + key.length,
    ignoreFetchAbort: true,
    async fetchMethod(_key, older, { context: view }) {
      try {
        return await queue.createPage(view.exchange, () => createPage(view));
      } catch (error) {
        if (error instanceof Overloaded && isUsable(older, view.exchange.now, lastResortMs)) return older;
        throw error;
      }
    },
  });

  /** Rejects a page view, before it counts, if too many pages wait to be created. */
  const requireRoom = (key: string, exchange: Exchange) => {
    if (!isUsable(pages.peek(key), exchange.now, lastResortMs)) queue.requireRoomForPage(exchange);
  };

  const documentOf = async (key: string, view: RequestedView): Promise<PreparedResponse> => {
    const { exchange } = view;
    const found = pages.get(key);
    const isCurrent = found?.epoch === parts.epoch();
    if (isCurrent && isUsable(found, exchange.now, freshMs)) return found.document;
    const allowStale = isCurrent && isUsable(found, exchange.now, storedMs);
    try {
      return (await pages.forceFetch(key, { context: view, forceRefresh: true, allowStale })).document;
    } catch (error) {
      // The client that started to create the page has disconnected, so this request starts again.
      if (error instanceof RequestAborted && !exchange.isGone()) return documentOf(key, view);
      throw error;
    }
  };

  const createPage = async (view: RequestedView): Promise<CachedPage> => {
    const { exchange, viewer, make, isEmbed, isCut, parameters } = view;
    const { path, now } = exchange;
    const epoch = parts.epoch();
    const readPart = parts.readFor(exchange, viewer);
    let isWhole = true;
    const read: Read = async (operation, requested) => {
      const response = await readPart(operation, requested);
      // These statuses are temporary, so a page with such a rejection is not cached.
      if (response.kind === "refused" && response.status >= 408 && response.status !== 451) isWhole = false;
      return response;
    };
    const page: PageContext = {
      ...parts.sections,
      ...{ path, origin: originOf(exchange), now, viewer, isEmbed, read, isCut },
      ...{ query: parameters, address: parameters },
    };
    const content = await make(page);
    if (!content) throw new NotFound("There is no page at this address");
    const caching = isWhole ? cachingOf(viewer, isEmbed) : "no-store";
    const headers = isEmbed ? embedHeaders : personalHeaders;
    const options = { type: content.json ? jsonType : htmlType, headers, caching };
    const text = content.json ? JSON.stringify(content.json) : markupOf(content, page, view, parts.site);
    const document = await prepareDocument(exchange, text, options);
    return { document, epoch, madeAt: now, isWhole };
  };

  return (name: string, make: MakePage, taken: Iterable<string> = []): Route => {
    const ownNames = new Set(taken);
    const names = new Set([...ownNames, ...embedNames]);
    return {
      ...{ name, verbs: ["GET", "HEAD"], anonymous: false },
      async serve(exchange) {
        const given = new URLSearchParams(exchange.query);
        const isEmbed = given.get("embed") === "1";
        exchange.isEmbed = isEmbed;
        const viewer = await parts.viewerOf(exchange, isEmbed);
        const known = isEmbed ? names : ownNames;
        const requested = [...given].filter(([name]) => known.has(name));
        const isCut = lengthOf(requested) > maxQuery;
        const parameters = new URLSearchParams(isCut ? [] : requested);
        const isOnlyPresent = given.has(asOfParameter) && !ownNames.has(asOfParameter);
        const unused = isEmbed ? [] : unusedIn(given, ownNames);
        const shown = `${isCut ? `${isEmbed} cut` : parameters}${isOnlyPresent ? " present" : ""} ${JSON.stringify(unused)}`;
        const key = keyOf(exchange, viewer, shown);
        requireRoom(key, exchange);
        await parts.meter(exchange, viewer);
        try {
          const view = { exchange, viewer, make, isEmbed, isCut, isOnlyPresent, unused, parameters };
          return sendPrepared(exchange, await documentOf(key, view));
        } catch (error) {
          if (!(error instanceof Moved)) throw error;
          return redirect(exchange, error.retainsQuery ? addressOf(error.to, given) : error.to);
        }
      },
    };
  };
}

const cut = html`<div class="notice bad" role="alert"><p><strong>The address is too long, so its parameters were not used.</strong> They may have ${maxQuery} characters. Use fewer or shorter ones.</p></div>`;

/** Returns the whole page with notices about its URL, or for an embed only the block. */
function markupOf(content: PageView, page: PageContext, { isOnlyPresent, isCut, unused }: RequestedView, site: Site) {
  if (page.isEmbed) return embedMarkup(content, page);
  const notices = html`${isCut && cut}${isOnlyPresent && presentMarkup(page)}${unusedMarkup(unused)}`;
  return pageMarkup({ ...content, body: html`${notices}${content.body}` }, page, site);
}

function keyOf(exchange: Exchange, viewer: Viewer, requested: string): string {
  const rights = `${viewer.principal?.plan.key ?? ""} ${viewer.own?.plan.key ?? ""} ${viewer.isSignedIn}`;
  return `${originOf(exchange)} ${rights} ${exchange.path}?${requested}`;
}

function isUsable(page: CachedPage | undefined, now: number, maxAgeMs: number): page is CachedPage {
  return page?.isWhole === true && now - page.madeAt < maxAgeMs;
}

function lengthOf(pairs: readonly [string, string][]): number {
  return pairs.reduce((length, [name, value]) => length + `${name}=${value}&`.length, 0);
}

function cachingOf({ isSignedIn }: Viewer, isEmbed: boolean): string {
  if (isEmbed) return "public, max-age=60";
  return isSignedIn ? "private, no-cache" : "public, max-age=10";
}

/** Says that the page shows only the present, because the URL has a past time. */
function presentMarkup({ path, query }: PageContext): Html {
  return html`<aside class="notice" aria-label="Time"><p>This page shows the present only. The page of a <a href="/data">dataset</a> shows its rows at an earlier time, since it was first loaded. <a href="${addressOf(path, query)}">Remove the time from the address</a></p></aside>`;
}

function pageMarkup({ title, description, body: view, head }: PageView, page: PageContext, site: Site): string {
  const { path, origin, address, now } = page;
  const body = html`${view}<p class="printed">${origin}${addressOf(path, address)}, ${instantText(now)} UTC</p>`;
  return framed({ title: `${title} - ${serviceName}`, description, path, origin, body, head }, site);
}

function embedMarkup({ title, blocks = [], hidden }: PageView, page: PageContext): string {
  const { origin } = page;
  const wanted = page.query.get("block");
  const block = wanted === null ? blocks[0] : blocks.find(({ id }) => id === wanted);
  const address = addressWith(page, { embed: undefined, block: undefined });
  if (!block && hidden) return embedded({ title, body: hidden }, origin, address);
  if (!block) throw new NotFound("There is no such block on this page");
  return embedded({ title: block.ownTitle ?? `${block.title} - ${title}`, body: block.markup }, origin, address);
}
