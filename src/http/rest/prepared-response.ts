import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { JsonObject } from "@bufbuild/protobuf";
import type { JsonBytes } from "../../contract/json.ts";
import { type Body, contentHeaders, type Exchange, send } from "../exchange.ts";
import { acceptRanges, partHeaders, selectPart } from "./byte-range.ts";
import { chooseEncoding, digestHeader, digestOf, type Encoding, entityTag, hashOf, noneMatch } from "./encoding.ts";
import { gzipOnce } from "./gzip.ts";

/** Properties of the data of a response. */
export interface DataProperties {
  /** Time of the last successful read of the data; undefined if unknown. */
  readonly readAt?: Date | undefined;
  readonly isUnconfirmed?: boolean | undefined;
  /** True if the data may be returned only with a flag: it is too old or lacks a main part. */
  readonly isExpired?: boolean | undefined;
  /** Version number of each dataset whose data the response contains. */
  readonly generations?: ReadonlyMap<string, number> | undefined;
}

export interface PreparedResponse extends DataProperties {
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
}

export interface Form {
  readonly body: Buffer;
  readonly mediaType: string;
  /** Headers in addition to those of the JSON response, as alternating names and values. */
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

/** Sends a response in the encoding that the client prefers. Files and documents support conditions and ranges. */
export function sendPrepared(exchange: Exchange, response: PreparedResponse): number | Promise<number> {
  const { acceptEncoding: accepted, ifNoneMatch: condition, range } = exchange.head;
  const isFile = response.mediaType !== undefined && response.status === 200;
  // A range selects bytes of the uncompressed file.
  if (isFile && range !== undefined) return sendPart(exchange, response, response.identity);
  const encoding = chooseEncoding(accepted, response.gzip !== undefined, response.br !== undefined);
  if (!response.gzip && isWorthGzip(response, encoding, accepted)) return sendGzip(exchange, response);
  // If the client accepts no encoding, it gets the uncompressed response, because it could not read an error either.
  const variant = response[encoding ?? "identity"] ?? response.identity;
  if (isFile) return sendPart(exchange, response, variant);
  if (condition !== undefined && (condition === variant.tag || !noneMatch(condition, response.hash)))
    return sendNotModified(exchange, variant);
  send(exchange, response.status, variant.headers.concat(exchange.headers), variant.body);
  return response.status;
}

function sendNotModified(exchange: Exchange, { notModified }: Variant): number {
  send(exchange, 304, notModified.concat(exchange.headers));
  return 304;
}

/** Sends a file, or the part of it that the client selects. */
function sendPart(exchange: Exchange, { status, hash }: PreparedResponse, variant: Variant): number {
  const { tag, length, headers } = variant;
  const part = selectPart(exchange, { tag, hash, length });
  if (part === "not modified") return sendNotModified(exchange, variant);
  if (part === "whole") {
    send(exchange, status, headers.concat(exchange.headers), variant.body);
    return status;
  }
  const bytes = bytesOf(variant).subarray(part.start, part.end + 1);
  send(exchange, 206, partHeaders(headers, part, length).concat(exchange.headers), bytes);
  return 206;
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

export interface Basis extends DataProperties {
  readonly status: number;
  /** Headers of the response in every encoding, and of its 304, as alternating names and values. */
  readonly lasting: readonly string[];
  readonly plain: () => JsonObject;
}

export function basisOf(whole: PreparedResponse): Basis {
  const { status, readAt, identity } = whole;
  return { status, readAt, lasting: lastingOf(identity), plain: () => plainOf(whole) };
}

export function finishResponse(basis: Omit<Basis, "plain">, text: JsonBytes): PreparedResponse {
  const { status, lasting, readAt, isUnconfirmed, isExpired, generations } = basis;
  const digest = digestOf(text);
  const hash = hashOf(digest);
  return {
    ...{ status, hash, readAt, isUnconfirmed, isExpired, generations },
    identity: variant(text, digest, { hash, encoding: "identity", lasting, mediaType: undefined }),
  };
}

export function finishForm({ status, lasting, readAt }: Omit<Basis, "plain">, form: Form): PreparedResponse {
  const { body, mediaType, headers } = form;
  const digest = digestOf(body);
  const hash = hashOf(digest);
  const identity = variant(body, digest, { hash, encoding: "identity", lasting: [...lasting, ...headers], mediaType });
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
  return variant(bytes, digestOf(bytes), { hash, encoding: "gzip", lasting: lastingOf(identity), mediaType });
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
  response.gzip = variant(small, digestOf(small), { hash, encoding: "gzip", lasting, mediaType });
  response.br = variant(smaller, digestOf(smaller), { hash, encoding: "br", lasting, mediaType });
}

interface VariantOptions {
  /** Start of the `ETag`, which is the same in all encodings. */
  readonly hash: string;
  readonly encoding: Encoding;
  readonly lasting: readonly string[];
  readonly mediaType: string | undefined;
}

function variant(body: Body, digest: string, { hash, encoding, lasting, mediaType }: VariantOptions): Variant {
  const { length } = body;
  const tag = entityTag(hash, encoding);
  const notModified = ["ETag", tag, ...lasting];
  const encoded = encoding === "identity" ? [] : ["Content-Encoding", encoding];
  const ranges = mediaType === undefined ? [] : acceptRanges;
  return {
    body,
    length,
    tag,
    notModified,
    // Node encodes the file name for each response again if Content-Disposition follows Content-Length.
    headers: [...notModified, ...contentHeaders(length, mediaType), ...encoded, ...ranges, ...digestHeader(digest)],
  };
}

function bytesOf({ body }: Pick<Variant, "body">): Buffer {
  return typeof body === "string" ? Buffer.from(body, "latin1") : body;
}

function lastingOf({ notModified }: Variant): readonly string[] {
  return notModified.slice(2);
}
