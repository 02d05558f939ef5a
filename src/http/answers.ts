import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { bodyHash, type Encoding, entityTag } from "./entity-tag.ts";
import { type Body, jsonHeaders } from "./exchange.ts";

/** A success as finished bytes with the headers that never change while it is kept. */
export interface Answer {
  readonly status: number;
  readonly hash: string;
  readonly identity: Variant;
  gzip?: Variant;
  br?: Variant;
}

/** One encoding of an answer. */
interface Variant {
  readonly bytes: Buffer;
  readonly body: Body;
  readonly tag: string;
  /** Flat pairs, ready for `writeHead`. */
  readonly headers: readonly string[];
  readonly notModified: readonly string[];
}

interface Kept {
  readonly answer: Answer;
  readonly expiresAt: number;
  hits: number;
}

/** Finished answers by operation and message, dropped when any data moves and after at most ten seconds. */
export interface Answers {
  readonly get: (key: string) => Answer | undefined;
  /** `epoch` is that of before the answer was worked out: one made from data that has moved, or on another day, is not kept. */
  readonly put: (key: string, answer: Answer, epoch: number) => void;
  readonly epoch: () => number;
  readonly clear: () => void;
}

const keptForMs = 10_000;
const dayMs = 86_400_000;
/** Bounds the memory of all prepared answers. */
const capacityBytes = 64 * 1024 * 1024;
const largestBytes = 1024 * 1024;
/** Node joins a string to the head and writes both at once; beyond this, the copy costs more than a second write. */
const joinedBytes = 32 * 1024;
/** Below this, compression saves less than a packet. */
const worthCompressing = 1024;

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

export function createAnswers(clock: () => Date): Answers {
  const kept = new LRUCache<string, Kept>({
    maxSize: capacityBytes,
    maxEntrySize: 4 * largestBytes,
    // The body as bytes and as a string, and room for the compressed variants made later.
    sizeCalculation: ({ answer }, key) => 3 * answer.identity.bytes.length + key.length,
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
    get(key) {
      const found = kept.get(key);
      if (!found) return undefined;
      if (clock().getTime() >= found.expiresAt) {
        kept.delete(key);
        return undefined;
      }
      found.hits += 1;
      if (found.hits === 1 && found.answer.identity.bytes.length >= worthCompressing) void compress(found.answer);
      return found.answer;
    },
    put(key, answer, madeIn) {
      if (madeIn !== current() || answer.identity.bytes.length > largestBytes) return;
      const now = clock().getTime();
      kept.set(key, { answer, expiresAt: Math.min(now + keptForMs, (day + 1) * dayMs), hits: 0 });
    },
    epoch: current,
    clear() {
      epoch += 1;
      kept.clear();
    },
  };
}

/** Finishes a body; `lasting` are the headers that every variant and its 304 carry. */
export function finishAnswer(status: number, text: string, lasting: readonly string[]): Answer {
  const body = Buffer.from(text);
  const hash = bodyHash(body);
  return { status, hash, identity: variant(body, hash, "identity", lasting) };
}

/** The variant in an encoding worked out for one request only: gzip at its cheapest. */
export async function compressOnce(answer: Answer): Promise<Variant> {
  const { identity, hash } = answer;
  const body = await compressGzip(identity.bytes, { level: 1 });
  return variant(body, hash, "gzip", lastingOf(identity));
}

async function compress(answer: Answer): Promise<void> {
  const { identity, hash } = answer;
  const lasting = lastingOf(identity);
  const [small, smaller] = await Promise.all([
    compressGzip(identity.bytes, { level: 6 }),
    compressBrotli(identity.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ]);
  answer.gzip = variant(small, hash, "gzip", lasting);
  answer.br = variant(smaller, hash, "br", lasting);
}

function variant(bytes: Buffer, hash: string, encoding: Encoding, lasting: readonly string[]): Variant {
  const tag = entityTag(hash, encoding);
  const notModified = ["ETag", tag, ...lasting];
  const encoded = encoding === "identity" ? [] : ["Content-Encoding", encoding];
  const body = bytes.length <= joinedBytes ? bytes.toString("latin1") : bytes;
  return { bytes, body, tag, notModified, headers: [...jsonHeaders(bytes.length), ...encoded, ...notModified] };
}

function dayOf(now: Date): number {
  return Math.floor(now.getTime() / dayMs);
}

function lastingOf({ notModified }: Variant): readonly string[] {
  return notModified.slice(2);
}
