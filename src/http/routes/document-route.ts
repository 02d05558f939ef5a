import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { isForEveryOrigin } from "../cors.ts";
import { type Exchange, send } from "../exchange.ts";
import { originOf } from "../origin.ts";
import { chooseEncoding } from "../rest/accept-encoding.ts";
import { bodyHash, type Encoding, entityTag, noneMatch } from "../rest/entity-tag.ts";
import type { Route } from "../router.ts";

export interface FixedDocument {
  readonly name: string;
  readonly type: string;
  readonly make: (origin: string) => string | Buffer | Promise<Buffer>;
  readonly namesOrigin?: boolean;
  /** Whether its URL changes with its content. */
  readonly lasting?: boolean;
  /** Headers in addition to type, tag, and caching, as flat pairs. */
  readonly headers?: readonly string[];
}

/** Maximum number of origins per document. A service has few names, but a request may contain any name. */
const maxOrigins = 20;

/** It is created and compressed at the first request. `meter` counts by address, except assets of pages. */
export function documentRoute(
  { name, type, make, namesOrigin = false, lasting = false, headers = [] }: FixedDocument,
  meter?: (exchange: Exchange) => unknown,
): Route {
  const made = new LRUCache<string, PreparedDocument>({ max: maxOrigins });
  const serve = async (exchange: Exchange) => {
    await meter?.(exchange);
    const origin = namesOrigin ? originOf(exchange) : "";
    const document = made.get(origin) ?? prepareDocument(await make(origin), type, headers, lasting ? forever : aWhile);
    made.set(origin, document);
    return sendDocument(exchange, document);
  };
  return { name, verbs: ["GET", "HEAD"], anonymous: false, serve };
}

/** A document with its tag. Each encoding is compressed at most once. */
export interface PreparedDocument {
  readonly type: string;
  readonly headers: readonly string[];
  readonly hash: string;
  readonly length: number;
  readonly caching: string;
  readonly bytesOf: (encoding: Encoding) => Promise<Buffer>;
}

export async function sendDocument(exchange: Exchange, document: PreparedDocument): Promise<number> {
  const { type, headers, hash, caching, bytesOf } = document;
  const encoding = chooseEncoding(exchange.head.acceptEncoding, true, true) ?? "identity";
  const common = [
    ...["ETag", entityTag(hash, encoding), "Cache-Control", caching, "X-Content-Type-Options", "nosniff"],
    ...(headers.includes("Vary")
      ? []
      : ["Vary", isForEveryOrigin(exchange.headers) ? "Accept-Encoding" : "Accept-Encoding, Origin"]),
    ...headers,
    ...exchange.headers,
  ];
  const condition = exchange.head.ifNoneMatch;
  if (condition !== undefined && !noneMatch(condition, hash)) {
    send(exchange, 304, common);
    return 304;
  }
  const bytes = await bytesOf(encoding);
  const encoded = encoding === "identity" ? [] : ["Content-Encoding", encoding];
  send(exchange, 200, ["Content-Type", type, "Content-Length", `${bytes.length}`, ...encoded, ...common], bytes);
  return 200;
}

const aWhile = "public, max-age=300";
const forever = "public, max-age=31536000, immutable";

const compress = {
  identity: async (bytes: Buffer) => bytes,
  // This runs once per document in another thread, so it uses the best level.
  gzip: (bytes: Buffer) => compressGzip(bytes, { level: constants.Z_BEST_COMPRESSION }),
  // Each higher level takes several times longer and saves only a few percent.
  br: (bytes: Buffer) => compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
};
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export function prepareDocument(
  content: string | Buffer,
  type: string,
  headers: readonly string[] = [],
  caching = aWhile,
): PreparedDocument {
  const body = Buffer.from(content);
  const stored = new Map<Encoding, Promise<Buffer>>();
  return {
    type,
    headers,
    caching,
    length: body.length,
    hash: bodyHash(body),
    bytesOf(encoding) {
      const bytes = stored.get(encoding) ?? compress[encoding](body);
      stored.set(encoding, bytes);
      return bytes;
    },
  };
}
