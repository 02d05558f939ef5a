import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";
import type { JsonBytes } from "../../contract/json.ts";
import { dayMs } from "../../reference/duration.ts";
import { type Body, jsonHeaders } from "../exchange.ts";
import { bodyHash, type Encoding, entityTag } from "./entity-tag.ts";
import { gzipOnce } from "./gzip.ts";

/** A success as finished bytes with the headers that never change while it is kept. */
export interface PreparedResponse {
  readonly status: number;
  readonly hash: string;
  identity: Variant;
  gzip?: Variant;
  br?: Variant;
  /** What the body says, as long as nothing else needs the memory. */
  plain?: WeakRef<JsonObject>;
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

interface CacheEntry {
  readonly answer: PreparedResponse;
  readonly expiresAt: number;
  hits: number;
}

/** Finished answers by operation and message, dropped when any data moves and after at most ten seconds. */
export interface ResponseCache {
  readonly get: (key: string, now: number) => PreparedResponse | undefined;
  /**
   * `epoch` is that of before the answer was worked out: one made from data that has moved, or on another day, is not kept.
   * One made from another kept answer, its `source`, is kept no longer than that.
   */
  readonly put: (key: string, answer: PreparedResponse, epoch: number, source?: string) => void;
  readonly epoch: () => number;
  readonly clear: () => void;
}

const ttlMs = 10_000;
/** Bounds the memory of all prepared answers. */
const capacityBytes = 64 * 1024 * 1024;
const maxBytes = 1024 * 1024;
/** Below this, compression saves less than a packet. */
const worthCompressing = 1024;

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

export function createResponseCache(clock: () => Date): ResponseCache {
  const kept = new LRUCache<string, CacheEntry>({
    maxSize: capacityBytes,
    maxEntrySize: 3 * maxBytes,
    // The body and room for the compressed variants made later.
    sizeCalculation: ({ answer }, key) => 2 * answer.identity.length + key.length,
  });
  let epoch = 0;
  let day = dayOf(clock());
  /** Windows relative to now are cut to the UTC day, so no answer outlives its day. */
  const current = () => {
    const today = dayOf(clock());
    if (today !== day) epoch += 1;
    day = today;
    return epoch;
  };
  return {
    get(key, now) {
      const found = kept.get(key);
      if (!found) return undefined;
      if (now >= found.expiresAt) {
        kept.delete(key);
        return undefined;
      }
      found.hits += 1;
      if (found.hits === 1) prepare(found.answer);
      return found.answer;
    },
    put(key, answer, madeIn, source) {
      if (madeIn !== current() || answer.identity.length > maxBytes) return;
      const now = clock().getTime();
      const sourceUntil = source === undefined ? Number.POSITIVE_INFINITY : (kept.peek(source)?.expiresAt ?? now);
      kept.set(key, { answer, expiresAt: Math.min(now + ttlMs, (day + 1) * dayMs, sourceUntil), hits: 0 });
    },
    epoch: current,
    clear() {
      epoch += 1;
      kept.clear();
    },
  };
}

/** Finishes a body; `lasting` are the headers that every variant and its 304 carry. */
export function finishAnswer(status: number, text: JsonBytes, lasting: readonly string[]): PreparedResponse {
  const hash = bodyHash(text);
  return { status, hash, identity: variant(text, text.length, hash, "identity", lasting) };
}

/** An answer with a body made from what another's says; whatever else that one says holds for it too. */
export function deriveAnswer(whole: PreparedResponse, make: (plain: JsonObject) => JsonBytes): PreparedResponse {
  return finishAnswer(whole.status, make(plainOf(whole)), lastingOf(whole.identity));
}

/** What an answer that is an object says, read once as long as somebody needs it. */
export function plainOf(whole: PreparedResponse): JsonObject {
  const known = whole.plain?.deref();
  if (known) return known;
  const plain = readAnswer(whole) as JsonObject;
  whole.plain = new WeakRef(plain);
  return plain;
}

/** What any answer says. */
export function readAnswer({ identity }: PreparedResponse): JsonValue {
  return JSON.parse(bytesOf(identity).toString()) as JsonValue;
}

/** The variant in an encoding worked out for one request only: gzip at its cheapest. */
export async function compressOnce({ identity, hash }: PreparedResponse): Promise<Variant> {
  const bytes = await gzipOnce(bytesOf(identity));
  return variant(bytes, bytes.length, hash, "gzip", lastingOf(identity));
}

/** An answer that is asked for again: its bytes are laid out once, and compressed beside the requests. */
function prepare(answer: PreparedResponse): void {
  const { identity } = answer;
  const bytes = bytesOf(identity);
  answer.identity = { ...identity, body: bytes };
  if (bytes.length >= worthCompressing) void compress(answer, bytes);
}

async function compress(answer: PreparedResponse, bytes: Buffer): Promise<void> {
  const { identity, hash } = answer;
  const lasting = lastingOf(identity);
  const [small, smaller] = await Promise.all([
    compressGzip(bytes, { level: 6 }),
    compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ]);
  answer.gzip = variant(small, small.length, hash, "gzip", lasting);
  answer.br = variant(smaller, smaller.length, hash, "br", lasting);
}

function variant(body: Body, length: number, hash: string, encoding: Encoding, lasting: readonly string[]): Variant {
  const tag = entityTag(hash, encoding);
  const notModified = ["ETag", tag, ...lasting];
  const encoded = encoding === "identity" ? [] : ["Content-Encoding", encoding];
  return { body, length, tag, notModified, headers: [...jsonHeaders(length), ...encoded, ...notModified] };
}

function bytesOf({ body }: Variant): Buffer {
  return typeof body === "string" ? Buffer.from(body, "latin1") : body;
}

function dayOf(now: Date): number {
  return Math.floor(now.getTime() / dayMs);
}

function lastingOf({ notModified }: Variant): readonly string[] {
  return notModified.slice(2);
}
