import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { JsonObject } from "@bufbuild/protobuf";
import type { JsonBytes } from "../../contract/json.ts";
import { type Body, contentHeaders, type Exchange, send } from "../exchange.ts";
import { bodyHash, chooseEncoding, type Encoding, entityTag, noneMatch } from "./encoding.ts";
import { gzipOnce } from "./gzip.ts";

export interface PreparedResponse {
  readonly status: number;
  readonly hash: string;
  identity: Variant;
  gzip?: Variant;
  br?: Variant;
  /** True after a second request: the bytes are then contiguous, and compressed in another thread. */
  repeated?: true;
  /** The parsed body. A weak reference lets the garbage collector free it. */
  plain?: WeakRef<JsonObject>;
  /** Media type; undefined for JSON. */
  readonly mediaType?: string;
  /** Time of the last successful read of the data; undefined if unknown. */
  readonly readAt?: Date | undefined;
}

export interface Form {
  readonly body: Buffer;
  readonly mediaType: string;
  /** Headers in addition to those of the JSON response, as flat pairs. */
  readonly headers: readonly string[];
}

interface Variant {
  readonly body: Body;
  readonly length: number;
  readonly tag: string;
  readonly headers: readonly string[];
  readonly notModified: readonly string[];
}

/** Minimum size of a cached response that is compressed. Below it, compression saves less than a packet. */
const worthCompressing = 1024;
/** Minimum size of a response that is compressed for a single request, with the fastest level. */
export const worthCompressingOnce = 16_384;

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

export function sendPrepared(exchange: Exchange, response: PreparedResponse): number | Promise<number> {
  const { acceptEncoding: accepted, ifNoneMatch: condition } = exchange.head;
  const encoding = chooseEncoding(accepted, response.gzip !== undefined, response.br !== undefined);
  if (!response.gzip && isWorthGzip(response, encoding, accepted)) return sendGzip(exchange, response);
  // If the client accepts no encoding, it gets the uncompressed response, because it could not read an error either.
  const variant = response[encoding ?? "identity"] ?? response.identity;
  if (condition !== undefined && (condition === variant.tag || !noneMatch(condition, response.hash))) {
    send(exchange, 304, variant.notModified.concat(exchange.headers));
    return 304;
  }
  send(exchange, response.status, variant.headers.concat(exchange.headers), variant.body);
  return response.status;
}

/**
 * Returns whether to compress for a single request: the client accepts nothing else, or the response is large and new.
 */
function isWorthGzip({ identity, repeated }: PreparedResponse, encoding: Encoding | undefined, accepted?: string) {
  if (encoding !== undefined && (repeated || identity.length < worthCompressingOnce)) return false;
  const withGzip = chooseEncoding(accepted, true, false);
  return encoding === undefined ? withGzip !== undefined : withGzip === "gzip";
}

async function sendGzip(exchange: Exchange, response: PreparedResponse): Promise<number> {
  return sendPrepared(exchange, { ...response, gzip: await compressOnce(response) });
}

export interface Basis {
  readonly status: number;
  /** Headers of the response in every encoding, and of its 304, as flat pairs. */
  readonly lasting: readonly string[];
  /** Time of the last successful read of the data; undefined if unknown. */
  readonly readAt?: Date | undefined;
  readonly isUnconfirmed?: boolean;
  /** True if the data may be returned only with a flag: it is too old or lacks a main part. */
  readonly isExpired?: boolean;
  readonly plain: () => JsonObject;
}

export function basisOf(whole: PreparedResponse): Basis {
  const { status, readAt, identity } = whole;
  return { status, readAt, lasting: lastingOf(identity), plain: () => plainOf(whole) };
}

export function finishResponse({ status, lasting, readAt }: Omit<Basis, "plain">, text: JsonBytes): PreparedResponse {
  const hash = bodyHash(text);
  return { status, hash, readAt, identity: variant(text, text.length, hash, "identity", lasting) };
}

export function finishForm({ status, lasting, readAt }: Omit<Basis, "plain">, form: Form): PreparedResponse {
  const { body, mediaType, headers } = form;
  const hash = bodyHash(body);
  const identity = variant(body, body.length, hash, "identity", [...lasting, ...headers], mediaType);
  return { status, hash, readAt, mediaType, identity };
}

export function plainOf(whole: PreparedResponse): JsonObject {
  const known = whole.plain?.deref();
  if (known) return known;
  const plain = readResponse(whole);
  whole.plain = new WeakRef(plain);
  return plain;
}

export function readResponse({ identity }: PreparedResponse): JsonObject {
  return readJson(identity.body);
}

export function readJson(body: Body): JsonObject {
  return JSON.parse(bytesOf({ body }).toString());
}

/** Compresses a response for one request, with gzip at the lowest level. */
async function compressOnce({ identity, hash, mediaType }: PreparedResponse): Promise<Variant> {
  const bytes = await gzipOnce(bytesOf(identity));
  return variant(bytes, bytes.length, hash, "gzip", lastingOf(identity), mediaType);
}

/**
 * Prepares a response for repeated requests: makes its bytes contiguous and compresses them in another thread. Resolves
 * when they are compressed.
 */
export async function layOut(response: PreparedResponse): Promise<void> {
  const { identity } = response;
  response.repeated = true;
  const bytes = bytesOf(identity);
  response.identity = { ...identity, body: bytes };
  if (bytes.length >= worthCompressing) await compress(response, bytes);
}

async function compress(response: PreparedResponse, bytes: Buffer): Promise<void> {
  const { identity, hash, mediaType } = response;
  const lasting = lastingOf(identity);
  const [small, smaller] = await Promise.all([
    compressGzip(bytes, { level: 7 }),
    compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ]);
  response.gzip = variant(small, small.length, hash, "gzip", lasting, mediaType);
  response.br = variant(smaller, smaller.length, hash, "br", lasting, mediaType);
}

function variant(
  body: Body,
  length: number,
  hash: string,
  encoding: Encoding,
  lasting: readonly string[],
  mediaType?: string,
): Variant {
  const tag = entityTag(hash, encoding);
  const notModified = ["ETag", tag, ...lasting];
  const encoded = encoding === "identity" ? [] : ["Content-Encoding", encoding];
  return {
    body,
    length,
    tag,
    notModified,
    // Node encodes the file name for each response again if Content-Disposition follows Content-Length.
    headers: [...notModified, ...contentHeaders(length, mediaType), ...encoded],
  };
}

function bytesOf({ body }: Pick<Variant, "body">): Buffer {
  return typeof body === "string" ? Buffer.from(body, "latin1") : body;
}

function lastingOf({ notModified }: Variant): readonly string[] {
  return notModified.slice(2);
}
