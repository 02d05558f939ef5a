import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { JsonBytes } from "../../contract/json.ts";
import { type Body, contentHeaders, type Exchange, send } from "../exchange.ts";
import { chooseEncoding } from "./accept-encoding.ts";
import { bodyHash, type Encoding, entityTag, noneMatch } from "./entity-tag.ts";
import { gzipOnce } from "./gzip.ts";

/** A success as finished bytes with the headers that never change while it is kept. */
export interface PreparedResponse {
  readonly status: number;
  readonly hash: string;
  identity: Variant;
  gzip?: Variant;
  br?: Variant;
  /** It was asked for again: its bytes are laid out, and compressed beside the requests. */
  repeated?: true;
  /** What the body says, as long as nothing else needs the memory. */
  plain?: WeakRef<JsonObject>;
  /** Absent for JSON. */
  readonly mediaType?: string;
  /** When what it is made from was last read well; absent where nothing tells. */
  readonly readAt?: Date | undefined;
}

/** What a body is, where it is not this API's JSON. */
export interface Form {
  readonly body: Buffer;
  readonly mediaType: string;
  /** Headers beside those of the JSON answer, flat pairs. */
  readonly headers: readonly string[];
}

/** One encoding of an answer. */
interface Variant {
  readonly body: Body;
  /** In bytes, as it travels. */
  readonly length: number;
  readonly tag: string;
  /** Flat pairs, ready for `writeHead`. */
  readonly headers: readonly string[];
  readonly notModified: readonly string[];
}

/** Below this, compressing what is asked for again saves less than a packet. */
const worthCompressing = 1024;
/** Bodies from here on are worth a cheap compression even for a single request. */
export const worthCompressingOnce = 16_384;

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Sends an answer in the best encoding at hand, or a 304. Returns the status sent. */
export function sendPrepared(exchange: Exchange, response: PreparedResponse): number | Promise<number> {
  const { acceptEncoding: accepted, ifNoneMatch: condition } = exchange.head;
  const encoding = chooseEncoding(accepted, response.gzip !== undefined, response.br !== undefined);
  if (!response.gzip && isWorthGzip(response, encoding, accepted)) return sendGzip(exchange, response);
  // Who takes nothing at all gets the plain bytes: they can be read, a refusal could not be either.
  const variant = response[encoding ?? "identity"] ?? response.identity;
  if (condition !== undefined && (condition === variant.tag || !noneMatch(condition, response.hash))) {
    send(exchange, 304, variant.notModified.concat(exchange.headers));
    return 304;
  }
  send(exchange, response.status, variant.headers.concat(exchange.headers), variant.body);
  return response.status;
}

/** Whether one request is reason enough: it takes nothing else, or the answer is large and nobody has asked for it before. */
function isWorthGzip({ identity, repeated }: PreparedResponse, encoding: Encoding | undefined, accepted?: string) {
  if (encoding !== undefined && (repeated || identity.length < worthCompressingOnce)) return false;
  const withGzip = chooseEncoding(accepted, true, false);
  return encoding === undefined ? withGzip !== undefined : withGzip === "gzip";
}

async function sendGzip(exchange: Exchange, response: PreparedResponse): Promise<number> {
  return sendPrepared(exchange, { ...response, gzip: await compressOnce(response) });
}

/** What another form of an answer is made from. */
export interface Basis {
  readonly status: number;
  /** Headers that every variant and its 304 carry, as flat pairs. */
  readonly lasting: readonly string[];
  /** When what it is made from was last read well; absent where nothing tells. */
  readonly readAt?: Date | undefined;
  /** It says itself, or it is known otherwise, that it is no confirmed data. */
  readonly isUnconfirmed?: boolean;
  /** Its data are too old to be returned without a flag, or a main part of them was never read. */
  readonly isExpired?: boolean;
  readonly plain: () => JsonObject;
}

/** The basis of a kept JSON answer. */
export function basisOf(whole: PreparedResponse): Basis {
  const { status, readAt, identity } = whole;
  return { status, readAt, lasting: lastingOf(identity), plain: () => plainOf(whole) };
}

/** Finishes a JSON body. */
export function finishResponse({ status, lasting, readAt }: Omit<Basis, "plain">, text: JsonBytes): PreparedResponse {
  const hash = bodyHash(text);
  return { status, hash, readAt, identity: variant(text, text.length, hash, "identity", lasting) };
}

/** Finishes a body that is not JSON. */
export function finishForm({ status, lasting, readAt }: Omit<Basis, "plain">, form: Form): PreparedResponse {
  const { body, mediaType, headers } = form;
  const hash = bodyHash(body);
  const identity = variant(body, body.length, hash, "identity", [...lasting, ...headers], mediaType);
  return { status, hash, readAt, mediaType, identity };
}

/** What an answer that is an object says, read once as long as somebody needs it. */
export function plainOf(whole: PreparedResponse): JsonObject {
  const known = whole.plain?.deref();
  if (known) return known;
  const plain = readResponse(whole) as JsonObject;
  whole.plain = new WeakRef(plain);
  return plain;
}

/** What any answer says. */
export function readResponse({ identity }: PreparedResponse): JsonValue {
  return readJson(identity.body);
}

/** What a body of JSON says. */
export function readJson(body: Body): JsonValue {
  return JSON.parse(bytesOf({ body }).toString()) as JsonValue;
}

/** The variant in an encoding worked out for one request only: gzip at its cheapest. */
async function compressOnce({ identity, hash, mediaType }: PreparedResponse): Promise<Variant> {
  const bytes = await gzipOnce(bytesOf(identity));
  return variant(bytes, bytes.length, hash, "gzip", lastingOf(identity), mediaType);
}

/** For an answer that is asked for again: its bytes are laid out once, and compressed beside the requests. */
export function layOut(response: PreparedResponse): void {
  const { identity } = response;
  response.repeated = true;
  const bytes = bytesOf(identity);
  response.identity = { ...identity, body: bytes };
  if (bytes.length >= worthCompressing) void compress(response, bytes);
}

async function compress(response: PreparedResponse, bytes: Buffer): Promise<void> {
  const { identity, hash, mediaType } = response;
  const lasting = lastingOf(identity);
  const [small, smaller] = await Promise.all([
    compressGzip(bytes, { level: 6 }),
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
    // Content-Disposition comes before Content-Length: after it Node would encode the name of the file anew with each answer.
    headers: [...notModified, ...contentHeaders(length, mediaType), ...encoded],
  };
}

function bytesOf({ body }: Pick<Variant, "body">): Buffer {
  return typeof body === "string" ? Buffer.from(body, "latin1") : body;
}

function lastingOf({ notModified }: Variant): readonly string[] {
  return notModified.slice(2);
}
