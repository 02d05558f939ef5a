import { nextCursorHeader } from "../../contract/paging.ts";
import { errorCode } from "../../error-kinds.ts";
import { InvalidRequest, invalidField, NotFound } from "../../errors.ts";
import { type Failure, NotAcceptable } from "../../http/errors.ts";
import { type Exchange, headerOf, withoutHeader } from "../../http/exchange.ts";
import { originOf } from "../../http/origin.ts";
import { digestOf, hashOf } from "../../http/rest/encoding.ts";
import { preferred } from "../../http/rest/formats/file-request.ts";
import { lastSegment } from "../../http/rest/path-parameters.ts";
import { sendOnce } from "../../http/rest/send-once.ts";
import type { Route } from "../../http/router.ts";
import { documentRoute } from "../../http/routes/document-route.ts";
import { pageHeaders, htmlType as pageType } from "../../http/routes/page-headers.ts";
import type { Site } from "../../pages/frame/frame.ts";
import { apiDocument } from "./api-document.ts";
import { type Collection, type CollectionParts, collectionsOf } from "./collections.ts";
import type { Format, LinkedDocument, Requested } from "./documents.ts";
import * as documents from "./documents.ts";
import { type FeaturePage, type FeaturesRequest, readFeatures } from "./feature-walk.ts";
import { featureRequest, featuresRequest, limits, requireKnown } from "./features-query.ts";
import { documentPage } from "./html-page.ts";

export interface OgcParts extends CollectionParts {
  readonly site: Site;
  /** Counts a request that runs no read in the client's limits. Throws `QuotaExceeded`. */
  readonly meter: (exchange: Exchange) => unknown;
  /** Accepts the session of a visitor who is signed in to the console, instead of an API key. */
  readonly admitSession: (exchange: Exchange) => Promise<void>;
}

type Make = (requested: Requested) => LinkedDocument;
type MakeFeatures = (requested: Requested, collection: Collection, page: FeaturePage) => LinkedDocument;

/** Serves OGC API - Features, Part 1: each read whose rows have a key and a place is a collection. */
export function ogcRoutes(parts: OgcParts): (readonly [path: string, route: Route])[] {
  const collections = collectionsOf(parts);
  const base = "/ogc/collections";
  const reject = (): never => {
    throw new NotFound(`Unknown collection. Use one of: ${collections.map(({ id }) => id).join(", ")}`);
  };
  const known = ({ path }: Exchange) => collections.find(({ id }) => id === path.split("/")[3]) ?? reject();
  const missing = ogcRoute(async (exchange) => {
    await parts.meter(exchange);
    return reject();
  });
  const document = (path: string, make: Make, type?: string) =>
    [path, documentRoutes(parts, path, make, type)] as const;
  const features = featuresRoute(parts, documents.featureCollection, (exchange, query) => {
    const collection = known(exchange);
    const max = formatOf(exchange) === "html" ? limits.maxInHtml : limits.max;
    return { collection, request: featuresRequest(query, collection, max) };
  });
  const feature = featuresRoute(parts, documents.featureDocument, (exchange, query) => {
    const collection = known(exchange);
    return { collection, request: featureRequest(query, collection, lastSegment(exchange.path)) };
  });
  return [
    document("/ogc", documents.landingPage),
    document("/ogc/conformance", documents.conformance),
    document("/ogc/api", (requested) => apiDocument(requested, collections), documents.apiType),
    document(base, (requested) => documents.collectionList(requested, collections)),
    ...collections.map((each) =>
      document(`${base}/${each.id}`, (requested) => documents.collectionDocument(requested, each)),
    ),
    [`${base}/{collectionId}`, missing],
    [`${base}/{collectionId}/items`, features],
    [`${base}/{collectionId}/items/{featureId}`, feature],
  ];
}

/** Serves a document that is the same for all requests, because it depends only on the contract. */
function documentRoutes({ site, meter }: OgcParts, path: string, make: Make, type: string = documents.jsonType): Route {
  const routeIn = (format: Format) => {
    const headers = ["Vary", "Accept, Accept-Encoding, Origin", ...(format === "html" ? pageHeaders : [])];
    const write = (origin: string) => {
      const made = make({ origin, path, query: new URLSearchParams(), format, type });
      return format === "json" ? JSON.stringify(made) : documentPage(made, path, site);
    };
    const contentType = format === "json" ? type : pageType;
    return documentRoute({ name: "ogc", type: contentType, namesOrigin: true, headers, make: write }, meter);
  };
  const routes = { json: routeIn("json"), html: routeIn("html") };
  return ogcRoute(async (exchange) => {
    const format = await orCount({ meter }, exchange, () => {
      requireKnown(new URLSearchParams(exchange.query), ["f"]);
      return formatOf(exchange);
    });
    return routes[format].serve(exchange);
  });
}

type ReadQuery = (exchange: Exchange, query: URLSearchParams) => { collection: Collection; request: FeaturesRequest };

/** Serves features, with the access and limits of their read. */
function featuresRoute(parts: OgcParts, make: MakeFeatures, readQuery: ReadQuery): Route {
  return ogcRoute(async (exchange) => {
    const { path } = exchange;
    const query = new URLSearchParams(exchange.query);
    const { format, collection, request } = await orCount(parts, exchange, () => {
      return { ...readQuery(exchange, query), format: formatOf(exchange) };
    });
    await parts.admitSession(exchange);
    const page = await readFeatures(exchange, collection, request);
    const requested = { origin: originOf(exchange), path, query, format, type: documents.geojsonType };
    const made = make(requested, collection, page);
    const links = made.links?.map(({ href, rel, type }) => `<${href}>; rel="${rel}"; type="${type}"`) ?? [];
    const stable = JSON.stringify(made);
    const timeStamp = new Date(exchange.now).toISOString();
    const isHtml = format === "html";
    const text = isHtml
      ? documentPage({ ...made, timeStamp }, path, parts.site)
      : `${stable.slice(0, -1)},"timeStamp":"${timeStamp}"}`;
    return sendOnce(exchange, {
      headers: [...headersOf(page), "Link", links.join(", "), ...(isHtml ? pageHeaders : [])],
      body: Buffer.from(text),
      mediaType: isHtml ? pageType : documents.geojsonType,
      hash: hashOf(digestOf(Buffer.from(`${format} ${stable}`))),
    });
  });
}

/** Runs a check of the request. If the check fails, the request is counted here, because no read will count it. */
async function orCount<T>({ meter }: Pick<OgcParts, "meter">, exchange: Exchange, check: () => T): Promise<T> {
  try {
    return check();
  } catch (error) {
    await meter(exchange);
    throw error;
  }
}

function ogcRoute(serve: Route["serve"]): Route {
  return { name: "ogc", verbs: ["GET", "HEAD"], anonymous: false, failureBody, serve };
}

/** Returns an error in the format of the standard: a code, and a description for people. */
function failureBody(error: unknown, body: Failure["body"]): Failure["body"] {
  const { error: reason, message, ...rest } = body;
  const text = error instanceof InvalidRequest ? error.message : (message ?? reason);
  return { ...rest, code: errorCode(error), description: typeof text === "string" ? text : JSON.stringify(text) };
}

/** Returns the format that `f` names, or that the `Accept` header prefers. Throws if there is none. */
function formatOf({ query, head: { accept } }: Exchange): Format {
  const named = new URLSearchParams(query).get("f");
  if (named === "json" || named === "html") return named;
  if (named !== null) throw invalidField("f", "value must be json or html");
  if (accept === undefined) return "json";
  const format = preferred<Format>(accept, (type) => {
    if (/^(?:\*\/\*|application\/(?:\*|(?:[\w.-]+\+)?json))$/.test(type)) return "json";
    return /^(?:text\/(?:\*|html)|application\/xhtml\+xml)$/.test(type) ? "html" : undefined;
  });
  if (format) return format;
  throw new NotAcceptable("json, html");
}

/**
 * Returns the headers of a page, from those of the read. Clients must check each page for changes, because its `next`
 * link becomes invalid with new data.
 */
function headersOf({ headers, crs }: FeaturePage): readonly string[] {
  const caching = headerOf(headers, "Cache-Control") ?? "no-store";
  const scope = caching.includes("public") ? "public" : "private";
  const own = ["ETag", "Cache-Control", "CDN-Cache-Control", nextCursorHeader];
  const rest = own.reduce((left, name) => withoutHeader(left, name), headers);
  const cacheControl = caching.includes("no-store") ? caching : `${scope}, no-cache`;
  return [...rest, "Cache-Control", cacheControl, "Content-Crs", `<${crs}>`];
}
