import { hash } from "node:crypto";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync } from "node:zlib";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { createRedactor, type Redactor } from "../../upstream/sample/recording.ts";
import { decodeText, type ReceivedResponse, type Upstream, type UpstreamRequest } from "../../upstream/upstream.ts";
import type { SourceTerms } from "../source.ts";
import type { Upstreams } from "../upstreams.ts";

/** The response to one request of a read, without secrets. */
export interface RecordedResponse {
  readonly url: string;
  /** The form or JSON body of a POST. */
  readonly posted: string | null;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly at: Date;
  /** The body of the response; undefined if the request failed. */
  readonly body: RecordedBody | undefined;
  readonly isRedacted: boolean;
}

export interface RecordedBody {
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string;
  readonly size: number;
  /** The body, compressed with Zstandard. Null if the source forbids storage. */
  readonly bytes: Buffer | null;
}

export interface ResponseRecorder {
  readonly upstream: Upstream;
  /** Resolves to the recorded responses, in the order of their arrival, after all bodies are compressed. */
  readonly responses: () => Promise<readonly RecordedResponse[]>;
}

/** Returns whether the bytes of a source may be stored. Otherwise only their digests are. */
export function mayStoreBytes({ license }: Pick<SourceTerms, "license">): boolean {
  return license.kind !== "restricted";
}

/** Wraps an upstream to record the responses of one read. Bodies are compressed on arrival, to save memory. */
export function recordResponses(
  source: SourceTerms,
  upstream: Upstream,
  { at, redactionOf }: Pick<Upstreams, "redactionOf"> & { readonly at: Date },
): ResponseRecorder {
  const redaction = redactionOf(source);
  const redactor = redaction && createRedactor(redaction, maxSearched);
  const known = (text: string) => redactor?.known(text) ?? text;
  const recorded: Promise<RecordedResponse>[] = [];
  const isStored = mayStoreBytes(source);
  const headOf = (request: UpstreamRequest) => {
    const posted = postedText(request);
    return { url: known(request.url), posted: posted === null ? null : known(posted), at: upstream.now };
  };
  const add = (request: UpstreamRequest, { status, headers, body }: ReceivedResponse) => {
    const plain = redactor ? redacted(body, redactor) : body;
    const head = { ...headOf(request), status, headers, isRedacted: plain !== body };
    recorded.push(compressed(plain, isStored).then((compact) => ({ ...head, body: compact })));
  };
  const addFailure = (request: UpstreamRequest, { status }: UpstreamError) => {
    const none = { status: status ?? null, headers: {}, body: undefined, isRedacted: false };
    recorded.push(Promise.resolve({ ...headOf(request), ...none }));
  };
  const observed = async <T>(request: UpstreamRequest, send: (request: UpstreamRequest) => Promise<T>): Promise<T> => {
    let isReceived = false;
    const received = (response: ReceivedResponse) => {
      isReceived = true;
      add(request, response);
    };
    try {
      return await send({ ...request, received });
    } catch (error) {
      if (error instanceof UpstreamError && !isReceived) addFailure(request, error);
      throw error;
    }
  };
  return {
    upstream: {
      ...upstream,
      // The time is fixed, because a replay must get the same addresses and rows.
      now: at,
      text: (request) => observed(request, upstream.text),
      json: (request) => observed(request, upstream.json),
    },
    responses: () => Promise.all(recorded),
  };
}

/** Returns the content of a POST as text, by which a replay finds its response. Null for a GET. */
export function postedText({ form, body }: UpstreamRequest): string | null {
  if (form) return new URLSearchParams({ ...form }).toString();
  return body ? JSON.stringify(body) : null;
}

/** Maximum bytes of a body that is searched for secrets. Larger ones are data and not responses to a sign-in. */
const maxSearched = 256 * 1024;

/** Returns a body without its secrets. If it contains none, the same buffer is returned. */
function redacted(body: Buffer<ArrayBuffer>, redactor: Redactor): Buffer<ArrayBuffer> {
  const text = decodeText(body);
  redactor.learn([text]);
  const plain = redactor.body(text);
  return plain === text ? body : Buffer.from(plain);
}

const compress = promisify(zstdCompress);
/** Higher compression levels save little space and need three times the processor time. */
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Each compression in another thread counts as memory outside of the heap, so hundreds of them in succession make V8
 * collect the whole heap repeatedly. Up to this number of bytes, the calling thread compresses in a fraction of that time.
 */
const maxInThread = 64 * 1024;

async function compressed(body: Buffer<ArrayBuffer>, isStored: boolean): Promise<RecordedBody> {
  if (body.length <= maxInThread)
    return {
      sha256: hash("sha256", body),
      size: body.length,
      bytes: isStored ? zstdCompressSync(body, fastest) : null,
    };
  // The digest and the compression run in other threads, because a body may have many megabytes.
  const [digest, bytes] = await Promise.all([
    crypto.subtle.digest("SHA-256", body),
    isStored ? compress(body, { ...fastest, pledgedSrcSize: body.length }) : null,
  ]);
  return { sha256: Buffer.from(digest).toString("hex"), size: body.length, bytes };
}
