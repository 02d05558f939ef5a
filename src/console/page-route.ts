import { LRUCache } from "lru-cache";
import { NotFound, Overloaded } from "../errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { limitPerTick } from "../http/load/limit-per-tick.ts";
import { originOf } from "../http/origin.ts";
import type { Route } from "../http/router.ts";
import { type PreparedDocument, prepareDocument, sendDocument } from "../http/routes/document-route.ts";
import { embedHeaders, htmlType, pageHeaders } from "../http/routes/page-headers.ts";
import { networkOf } from "../interceptors/network.ts";
import { embedded, framed, type Site } from "../pages/frame/frame.ts";
import { html } from "../pages/html.ts";
import { addressOf } from "./address.ts";
import { type MakePage, Moved, type PageContext, type PageView } from "./page-context.ts";
import { createPageGate } from "./page-queue.ts";
import type { Read } from "./read-response.ts";
import { redirect } from "./session/redirect.ts";
import { instantText } from "./view/times.ts";
import type { Viewer } from "./viewer.ts";

export interface PageRouteParts {
  readonly site: Site;
  readonly readFor: (exchange: Exchange, viewer: Viewer) => Read;
  /** Returns the viewer. For an embed it is always the public. */
  readonly viewerOf: (exchange: Exchange, isEmbed: boolean) => Viewer | Promise<Viewer>;
  /** Counts a view, as one request. Throws `QuotaExceeded`. */
  readonly meter: (exchange: Exchange, viewer: Viewer) => unknown;
  readonly epoch: () => number;
  readonly pause: PageContext["pause"];
  /** When a program last asked for something, by `performance.now()`. */
  readonly requestedAt: () => number;
}

/** A signed-in viewer may see more. */
const personalHeaders = [...pageHeaders, "Vary", "Accept-Encoding, Cookie, Origin"];
/** Ages and states change even if data does not. An older page is created again after it was sent. */
const freshMs = 10_000;
/** Maximum age of a page that is sent. */
const storedMs = 60_000;
/** Bounds the memory of all kept pages. */
const maxStoredBytes = 32 * 1024 * 1024;
/** Maximum age of a page that is sent if a newer one is not created in time. The page shows its time. */
const lastResortMs = 600_000;
/** Maximum time that a visitor under load waits for a newer page. */
const newerWithinMs = 1_000;
/** A program that sent a request this recently will send another. */
const recentMs = 1_000;
/** Maximum number of waiting views that get a page in one tick of the event loop. They take some two milliseconds. */
const sentAtOnce = 8;
/** Maximum length of a query. Pages never have longer ones. */
const maxQuery = 2_000;

const embedNames = ["embed", "block"];

interface RequestedView {
  readonly exchange: Exchange;
  readonly viewer: Viewer;
  readonly make: MakePage;
  readonly isEmbed: boolean;
  readonly isCut: boolean;
  /** The parameters that the page uses. Other parameters do not create another page. */
  readonly parameters: URLSearchParams;
}

interface Renewal {
  readonly document: Promise<PreparedDocument>;
  /** For each waiting view, whether its client has disconnected. */
  readonly views: (() => boolean)[];
}

interface CachedPage {
  readonly document: PreparedDocument;
  readonly epoch: number;
  readonly madeAt: number;
}

/** Serves pages made of data. Those who see the same share a page for a while. */
export function pageServer(parts: PageRouteParts) {
  const stored = new LRUCache<string, CachedPage>({
    maxSize: maxStoredBytes,
    sizeCalculation: ({ document }, key) => 2 * document.length + key.length,
  });

  const gate = createPageGate(undefined, () => performance.now() - parts.requestedAt() < recentMs);
  const inOwnTurn = limitPerTick(sentAtOnce);
  const renewing = new Map<string, Renewal>();

  const keyOf = (exchange: Exchange, viewer: Viewer, requested: string) => {
    const { path } = exchange;
    const rights = `${viewer.principal?.plan.key ?? ""} ${viewer.own?.plan.key ?? ""} ${viewer.isSignedIn}`;
    return `${originOf(exchange)} ${rights} ${path}?${requested}`;
  };

  /** Without room, a view is rejected before its quota is read. */
  const requireRoom = (key: string, exchange: Exchange) => {
    if (!olderOf(key, exchange.now) && !renewing.has(key)) gate.requireRoom(callerOf(exchange));
  };

  const callerOf = (exchange: Exchange) => networkOf(exchange.address());

  const ageOf = (page: CachedPage | undefined, now: number) =>
    page?.epoch === parts.epoch() ? now - page.madeAt : Number.POSITIVE_INFINITY;

  const documentOf = async (key: string, view: RequestedView) => {
    const { exchange } = view;
    const { now } = exchange;
    const epoch = parts.epoch();
    const found = stored.get(key);
    const age = ageOf(found, now);
    if (found && age < freshMs) return found.document;
    const { document, views } = renewing.get(key) ?? remake(key, epoch, view);
    const older = olderOf(key, now);
    views.push(() => !older && exchange.isGone());
    if (!older) return document.finally(inOwnTurn);
    if (age >= storedMs) return newerOr(older, document.finally(inOwnTurn));
    // The view that waits for the page reports its failure.
    document.catch(() => undefined);
    return older;
  };

  /** Returns an older page, which is better than an error if there is no room to create one. */
  const olderOf = (key: string, now: number) => {
    const found = stored.get(key);
    return found && now - found.madeAt < lastResortMs ? found.document : undefined;
  };

  /** The older page is returned under load, unless the page is gone or has moved. */
  const newerOr = async (older: PreparedDocument, newer: Promise<PreparedDocument>) => {
    const { promise: late, resolve } = Promise.withResolvers<PreparedDocument>();
    const timer = setInterval(() => gate.isCrowded() && resolve(older), newerWithinMs);
    try {
      return await Promise.race([newer, late]);
    } catch (error) {
      if (error instanceof Overloaded) return older;
      throw error;
    } finally {
      clearInterval(timer);
    }
  };

  /** Creates a page once for all views that wait for it. */
  const remake = (key: string, epoch: number, view: RequestedView) => {
    const { exchange } = view;
    const views: Renewal["views"] = [];
    const isGone = () => views.every((hasGone) => hasGone());
    const made = gate
      .inTurn(() => documentFor(view), { caller: callerOf(exchange), isGone })
      .then(({ document, isWhole }) => {
        if (isWhole) stored.set(key, { document, epoch, madeAt: exchange.now });
        return document;
      });
    const renewal = { document: made, views };
    renewing.set(key, renewal);
    const end = () => renewing.delete(key);
    made.then(end, end);
    return renewal;
  };

  const documentFor = async ({ exchange, viewer, make, isEmbed, isCut, parameters }: RequestedView) => {
    const { path, now } = exchange;
    const origin = originOf(exchange);
    const readPart = parts.readFor(exchange, viewer);
    let isWhole = true;
    const read: Read = async (operation, requested) => {
      const response = await readPart(operation, requested);
      // A temporary rejection must not be cached.
      if (response.kind === "refused" && response.status >= 408 && response.status !== 451) isWhole = false;
      return response;
    };
    const { pause } = parts;
    const page: PageContext = {
      path,
      origin,
      now,
      viewer,
      isEmbed,
      read,
      pause,
      isCut,
      query: parameters,
      address: parameters,
    };
    const view = await make(page);
    await pause();
    if (!view) throw new NotFound("There is no page at this address");
    const caching = isWhole ? cachingOf(viewer, isEmbed) : "no-store";
    const document = isEmbed
      ? prepareDocument(embedMarkup(view, page), htmlType, embedHeaders, caching)
      : prepareDocument(pageMarkup(view, page, parts.site), htmlType, personalHeaders, caching);
    return { document, isWhole };
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
        const requested = taking(given, isEmbed ? names : ownNames);
        const isCut = lengthOf(requested) > maxQuery;
        const parameters = new URLSearchParams(isCut ? [] : requested);
        const key = keyOf(exchange, viewer, isCut ? `${isEmbed} cut` : `${parameters}`);
        requireRoom(key, exchange);
        await parts.meter(exchange, viewer);
        try {
          return sendDocument(exchange, await documentOf(key, { exchange, viewer, make, isEmbed, isCut, parameters }));
        } catch (error) {
          if (!(error instanceof Moved)) throw error;
          return redirect(exchange, error.retainsQuery ? addressOf(error.to, given) : error.to);
        }
      },
    };
  };
}

function taking(given: URLSearchParams, names: ReadonlySet<string>): [string, string][] {
  return [...given].filter(([name]) => names.has(name));
}

function lengthOf(pairs: readonly [string, string][]): number {
  return pairs.reduce((length, [name, value]) => length + `${name}=${value}&`.length, 0);
}

function cachingOf({ isSignedIn }: Viewer, isEmbed: boolean): string {
  if (isEmbed) return "public, max-age=60";
  return isSignedIn ? "private, no-cache" : "public, max-age=10";
}

function pageMarkup({ title, description, body: view }: PageView, page: PageContext, site: Site): string {
  const { path, origin, address, now } = page;
  const body = html`${view}<p class="printed">${origin}${addressOf(path, address)}, ${instantText(now)} UTC</p>`;
  return framed({ title: `${title} - Intelligence Data Service`, description, path, body }, site);
}

function embedMarkup({ title, blocks = [], hidden }: PageView, { path, origin, query }: PageContext): string {
  const wanted = query.get("block");
  const block = wanted === null ? blocks[0] : blocks.find(({ id }) => id === wanted);
  const whole = new URLSearchParams(query);
  for (const own of embedNames) whole.delete(own);
  const address = addressOf(path, whole);
  if (!block && hidden) return embedded({ title, body: hidden }, origin, address);
  if (!block) throw new NotFound("There is no such block on this page");
  return embedded({ title: `${block.title} - ${title}`, body: block.markup }, origin, address);
}
