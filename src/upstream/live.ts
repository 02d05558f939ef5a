import { LRUCache } from "lru-cache";
import { fetch, type RequestInit, type Response } from "undici";
import { ConfigurationError, UpstreamError } from "../errors.ts";
import type { Upstream, UpstreamRequest } from "./upstream.ts";

/** The network as the client sees it: undici's fetch, or a test's. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;

export interface LiveOptions {
  readonly clock: () => Date;
  readonly variable: (name: string) => string | undefined;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Between 0 and 1; spreads retries. */
  readonly random: () => number;
  readonly transport?: Transport;
  /** Upper bound of every time-out. */
  readonly maxMs?: number;
}

const defaultTries = 3;
const firstDelayMs = 1_000;
/** A `Retry-After` beyond this is left to the next scheduled run. */
const maxWaitMs = 60_000;
const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 64 * 1024 * 1024;
/** Answers kept for conditional requests. */
const rememberedBytes = 64 * 1024 * 1024;

/** How we name ourselves; with a contact for upstreams that want to know whom to turn to. */
export function userAgent(contact?: string): string {
  return `intelligence-data-service/1.0${contact === undefined ? "" : ` (${contact})`}`;
}

interface Remembered {
  readonly text: string;
  readonly validators: Readonly<Record<string, string>>;
}

/** The one client to the outside: time-out, retries with jitter, `Retry-After`, size cap, conditional GET, no redirects unless a request names their host. */
export function liveUpstream(options: LiveOptions): Upstream {
  const remembered = new LRUCache<string, Remembered>({
    maxSize: rememberedBytes,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  const transport = options.transport ?? fetch;
  const text = (request: UpstreamRequest) =>
    withRetries(request.tries ?? defaultTries, options, () => once(request, transport, remembered, options));
  return {
    origin: "live",
    get now() {
      return options.clock();
    },
    text,
    json: async (request) => parseJson(request, await text(request)),
    variable(name, fallback) {
      const value = options.variable(name) ?? fallback;
      if (value === undefined) throw new ConfigurationError(`${name} is not set`);
      return value;
    },
    pause: options.wait,
  };
}

async function withRetries(tries: number, options: LiveOptions, attempt: () => Promise<string>): Promise<string> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UpstreamError) || !isPassing(error) || count === tries) throw error;
      const backoff = firstDelayMs * 2 ** (count - 1);
      const delay =
        error.retryAfterSeconds === undefined
          ? backoff / 2 + (backoff / 2) * options.random()
          : error.retryAfterSeconds * 1000;
      if (delay > maxWaitMs) throw error;
      await options.wait(delay);
    }
  }
}

/** Whether the same request may go through later: no answer at all, 429 or 5xx. */
function isPassing({ status }: UpstreamError): boolean {
  return status === undefined || status === 429 || status >= 500;
}

async function once(
  request: UpstreamRequest,
  transport: Transport,
  remembered: LRUCache<string, Remembered>,
  options: LiveOptions,
): Promise<string> {
  const timeoutMs = Math.min(request.timeoutMs ?? defaultTimeoutMs, options.maxMs ?? Number.POSITIVE_INFINITY);
  const posted = postedBody(request);
  const known = posted ? undefined : remembered.get(request.url);
  const place = new URL(request.url).host;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const asked = await transport(request.url, {
      method: posted ? "POST" : "GET",
      headers: { "user-agent": userAgent(), ...posted?.headers, ...request.headers, ...known?.validators },
      redirect: "manual",
      signal,
      ...(posted ? { body: posted.body } : {}),
    });
    const response = posted ? asked : await followed(request, asked, { transport, signal, known });
    if (response.status === 304 && known) {
      await response.body?.cancel();
      return known.text;
    }
    if (!response.ok) throw await refusal(response, place, options.clock());
    await demandMediaType(request, response, place);
    const text = await readCapped(response, request.maxBytes ?? defaultMaxBytes, place);
    if (!posted) retain(remembered, request, response, text);
    return text;
  } catch (cause) {
    if (cause instanceof UpstreamError) throw cause;
    throw new UpstreamError(
      signal.aborted ? `${place} did not answer within ${timeoutMs} ms` : `${place} broke off: ${reasonOf(cause)}`,
      { kind: "unreachable" },
    );
  }
}

/** What stands at the end of so many redirects as the request allows. */
async function followed(
  request: UpstreamRequest,
  first: Response,
  parts: Parameters<typeof redirected>[2],
): Promise<Response> {
  let { url } = request;
  let response = first;
  for (let left = request.redirects ?? 1; left > 0; left--) {
    const target = redirectTarget(request, url, response);
    if (target === undefined) break;
    url = target;
    response = await redirected(response, target, parts);
  }
  return response;
}

/** Where an answer sends to, if that is the host that the request allows. */
function redirectTarget(
  { redirectsTo }: UpstreamRequest,
  from: string,
  { status, headers }: Response,
): string | undefined {
  const location = headers.get("location");
  if (redirectsTo === undefined || status < 301 || status > 308 || !location || !URL.canParse(location, from))
    return undefined;
  const target = new URL(location, from);
  return target.protocol === "https:" && target.host === redirectsTo ? target.href : undefined;
}

/** The request's own headers are for its own host: they may hold a secret. */
async function redirected(
  from: Response,
  target: string,
  { transport, signal, known }: { transport: Transport; signal: AbortSignal; known: Remembered | undefined },
): Promise<Response> {
  await from.body?.cancel();
  const headers = { "user-agent": userAgent(), ...known?.validators };
  return transport(target, { method: "GET", headers, redirect: "manual", signal });
}

function postedBody({ form, body }: UpstreamRequest) {
  if (form) return { body: new URLSearchParams({ ...form }), headers: {} };
  return body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

async function demandMediaType({ mediaType }: UpstreamRequest, response: Response, place: string): Promise<void> {
  const sent = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (mediaType === undefined || sent === mediaType) return;
  await response.body?.cancel();
  throw new UpstreamError(`${place} answered ${sent || "no media type"} instead of ${mediaType}`, {
    status: response.status,
  });
}

async function refusal(response: Response, place: string, now: Date): Promise<UpstreamError> {
  await response.body?.cancel();
  const seconds = retryAfterSeconds(response.headers.get("retry-after"), now);
  return new UpstreamError(`${place} answered ${response.status}`, {
    status: response.status,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  });
}

/** Seconds of a `Retry-After` header, which may be a number or an HTTP date. */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  // Date.parse takes nearly every number for a date: an HTTP date begins with its weekday.
  const date = /^\s*[a-z]{3,9},? /i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now.getTime()) / 1000));
}

async function readCapped(response: Response, maxBytes: number, place: string): Promise<string> {
  const tooLarge = () => new UpstreamError(`${place} sent more than ${maxBytes} bytes`, { status: response.status });
  if (Number(response.headers.get("content-length")) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return decoded(Buffer.concat(chunks));
}

/** UTF-8 without a byte order mark, which JSON does not allow; some upstreams claim it and send Windows-1252. */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function retain(
  remembered: LRUCache<string, Remembered>,
  request: UpstreamRequest,
  response: Response,
  text: string,
): void {
  const etag = response.headers.get("etag");
  const modified = response.headers.get("last-modified");
  if (etag === null && modified === null) return;
  const validators = {
    ...(etag === null ? {} : { "if-none-match": etag }),
    ...(modified === null ? {} : { "if-modified-since": modified }),
  };
  remembered.set(request.url, { text, validators });
}

function parseJson(request: UpstreamRequest, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const what = text.trimStart().startsWith("<") ? "HTML or XML, which" : "something that";
    // A 2xx with something else is a changed format: asking again does not help.
    throw new UpstreamError(`${new URL(request.url).host} answered ${what} is not JSON`, { cause, status: 200 });
  }
}

/** The socket's words, which fetch hides one level down; its own may quote a header, and with it a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error && error.cause instanceof Error)) return "the request cannot be made";
  const { cause } = error;
  return cause.message || ("code" in cause ? String(cause.code) : cause.name);
}
