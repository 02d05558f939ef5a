import { LRUCache } from "lru-cache";
import { isForEveryOrigin } from "../cors.ts";
import type { Exchange } from "../exchange.ts";
import { originOf } from "../origin.ts";
import { finishForm, layOut, type PreparedResponse, sendPrepared } from "../rest/prepared-response.ts";
import { fetchShared } from "../rest/shared-fetch.ts";
import type { Route } from "../router.ts";

export interface FixedDocument {
  readonly name: string;
  readonly type: string;
  readonly make: (origin: string, exchange: Exchange) => string | Buffer | Promise<string | Buffer>;
  readonly namesOrigin?: boolean;
  /** Number that changes whenever the content may change. By default, the content never changes. */
  readonly epoch?: () => number;
  /** True if a change of the content also changes the URL, so that caches can store it for long. */
  readonly lasting?: boolean;
  /** Headers in addition to type, tag, and caching, as alternating names and values. */
  readonly headers?: readonly string[];
}

/** Maximum number of cached origins per document, because a request may contain any host name. */
const maxOrigins = 20;

/** Serves a document. `meter` counts each request by address; assets of pages have none. */
export function documentRoute(
  { name, type, make, namesOrigin = false, epoch = () => 0, lasting = false, headers = [] }: FixedDocument,
  meter?: (exchange: Exchange) => unknown,
): Route {
  const caching = lasting ? forever : aWhile;
  const documents = new LRUCache<string, PreparedResponse, () => Promise<PreparedResponse>>({
    max: maxOrigins,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: prepare }) => prepare(),
  });
  const documentFor = (exchange: Exchange): Promise<PreparedResponse> => {
    const origin = namesOrigin ? originOf(exchange) : "";
    const prepare = async () => prepareDocument(exchange, await make(origin, exchange), { type, headers, caching });
    return fetchShared(documents, `${epoch()} ${origin}`, prepare, () => exchange.isGone());
  };
  const serve = async (exchange: Exchange) => {
    await meter?.(exchange);
    return sendPrepared(exchange, await documentFor(exchange));
  };
  return { name, verbs: ["GET", "HEAD"], anonymous: false, serve };
}

const aWhile = "public, max-age=300";
const forever = "public, max-age=31536000, immutable";

export interface DocumentOptions {
  readonly type: string;
  /** Headers of the response as alternating names and values. */
  readonly headers: readonly string[];
  /** Value of `Cache-Control`. */
  readonly caching?: string;
}

/** Prepares a document: it is compressed once and then sent many times. */
export async function prepareDocument(
  exchange: Exchange,
  content: string | Buffer,
  { type, headers, caching = aWhile }: DocumentOptions,
): Promise<PreparedResponse> {
  const vary = isForEveryOrigin(exchange.headers) ? "Accept-Encoding" : "Accept-Encoding, Origin";
  const lasting = ["Cache-Control", caching, ...(headers.includes("Vary") ? [] : ["Vary", vary]), ...headers];
  const form = { body: Buffer.from(content), mediaType: type, headers: [] };
  const response = finishForm({ status: 200, lasting }, form);
  await layOut(response);
  return response;
}
