import type { Response } from "undici";
import type { ProxySettings } from "../egress/proxy.ts";
import { UpstreamError } from "../egress/upstream-error.ts";
import { ConfigurationError } from "../errors.ts";
import { secondMs } from "../reference/duration.ts";
import type { Note, Step, Tracing } from "../telemetry/tracing.ts";
import { defaultPace, Hosts, isTooOften, maxWaitMs, type Pace, type StoredPauses } from "./hosts.ts";
import { network, type Transport } from "./network.ts";
import { type RememberedResponses, rememberedResponses } from "./remembered-responses.ts";
import { decodeText, type ReceivedResponse, readJson, type Upstream, type UpstreamRequest } from "./upstream.ts";

const ownName = "intelligence-data-service/1.0";

export interface LiveOptions {
  readonly clock: () => Date;
  readonly variable: (name: string) => string | undefined;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly random: () => number;
  readonly transport?: Transport;
  readonly maxMs?: number;
  /** The operator's contact for the user agent, if the request itself does not name one. */
  readonly contact?: string | undefined;
  readonly proxy?: ProxySettings;
  readonly rests?: StoredPauses;
  readonly tracing?: Tracing | undefined;
}

const defaultTries = 3;
const firstDelayMs = 1_000;
const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 64 * 1024 * 1024;

/** Returns the name of this program with a contact, which some upstreams require. */
export function userAgent(contact?: string): string {
  return contact === undefined ? ownName : `${ownName} (${contact})`;
}

export interface SourceLimits {
  readonly pace?: Pace | undefined;
  /** Counts a request in the daily budget of the source. Throws an `UpstreamError` if no request is left. */
  readonly takeRequest?: (() => Promise<void>) | undefined;
}

/** Creates the upstream of one source. All sources use the same client, so that it can space requests to a host. */
export type LiveClient = (limits?: SourceLimits) => Upstream;

export function liveUpstream(options: LiveOptions, limits: SourceLimits = {}): Upstream {
  return liveClient(options)(limits);
}

/**
 * Creates the HTTP client for upstreams. It sets timeouts, retries with jitter, and obeys `Retry-After`. It limits
 * sizes and sends conditional GETs. It follows redirects only to a host that the request names. It spaces requests to a
 * host, and pauses a host that rejects them.
 */
export function liveClient(options: LiveOptions): LiveClient {
  const parts: ClientParts = {
    ...options,
    transport: options.transport ?? network(options.proxy),
    responses: rememberedResponses(),
    hosts: new Hosts(options),
  };
  return (limits = {}) => {
    const text = (request: UpstreamRequest) => withRetries(request, limits, parts);
    return {
      origin: "live",
      get now() {
        return options.clock();
      },
      text,
      json: async (request) => readJson(request, await text({ accept: "application/json", ...request })),
      variable(name, fallback) {
        const value = options.variable(name) ?? fallback;
        if (value === undefined) throw new ConfigurationError(`${name} is not set`);
        return value;
      },
      pause: options.wait,
    };
  };
}

interface ClientParts extends LiveOptions {
  readonly transport: Transport;
  readonly responses: RememberedResponses;
  readonly hosts: Hosts;
}

async function withRetries(request: UpstreamRequest, limits: SourceLimits, parts: ClientParts): Promise<string> {
  const { pace = defaultPace } = limits;
  const { tries = defaultTries } = request;
  let last: UpstreamError | undefined;
  for (let count = 1; ; count++) {
    try {
      return await sendInTurn(request, limits, parts);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.unsent) throw last ?? error;
      if (!isPassing(pace, error) || count === tries) throw error;
      last = error;
      // This rejection has paused the host, so the next try waits for the end of the pause.
      if (isTooOften(pace, error.status)) continue;
      const backoff = firstDelayMs * 2 ** (count - 1);
      const delay =
        error.retryAfterSeconds === undefined
          ? backoff / 2 + (backoff / 2) * parts.random()
          : error.retryAfterSeconds * secondMs;
      if (delay > maxWaitMs) throw error;
      await parts.wait(delay);
    }
  }
}

function sendInTurn(request: UpstreamRequest, limits: SourceLimits, parts: ClientParts): Promise<string> {
  const { pace = defaultPace, takeRequest } = limits;
  const timeoutMs = Math.min(request.timeoutMs ?? defaultTimeoutMs, parts.maxMs ?? Number.POSITIVE_INFINITY);
  const hostRequest = { pace, callerWaitsMs: request.callerWaits && timeoutMs };
  return parts.hosts.call(new URL(request.url).host, hostRequest, async (waitedMs) => {
    await takeRequest?.();
    return once(request, request.callerWaits ? Math.max(timeoutMs - waitedMs, 1) : timeoutMs, parts);
  });
}

/** Returns whether a retry may succeed: after no response, too many requests, or a 5xx. */
function isPassing(pace: Pace, { status }: UpstreamError): boolean {
  return status === undefined || status >= 500 || isTooOften(pace, status);
}

/** Sends one request in a trace span. The span omits the URL, which may contain a key. No trace headers are sent. */
function once(request: UpstreamRequest, timeoutMs: number, parts: ClientParts): Promise<string> {
  const step = (): Step => {
    const { host } = new URL(request.url);
    const method = postedBody(request) ? "POST" : "GET";
    return {
      name: `${method} ${host}`,
      attributes: { "http.request.method": method, "server.address": host },
      isCall: true,
    };
  };
  return parts.tracing
    ? parts.tracing.step(step, (note) => sendRequest(request, timeoutMs, parts, note))
    : sendRequest(request, timeoutMs, parts);
}

async function sendRequest(
  request: UpstreamRequest,
  timeoutMs: number,
  parts: ClientParts,
  note?: Note,
): Promise<string> {
  const { transport, responses, clock } = parts;
  const posted = postedBody(request);
  const known = posted ? undefined : responses.of(request);
  const place = new URL(request.url).host;
  const signal = AbortSignal.timeout(timeoutMs);
  const named = { "user-agent": agentOf(request, parts.contact), accept: request.accept ?? request.mediaType ?? "*/*" };
  try {
    const requested = await transport(request.url, {
      method: posted ? "POST" : "GET",
      headers: { ...named, ...posted?.headers, ...request.headers, ...known?.validators },
      signal,
      ...(posted ? { body: posted.body } : {}),
    });
    const headers = { ...named, ...known?.validators };
    const response = posted ? requested : await followed(request, requested, { transport, signal, headers });
    note?.({ "http.response.status_code": response.status });
    if (response.status === 304 && known) {
      await response.body?.cancel();
      request.received?.({ ...receivedHead(response), body: known.body });
      return decodeText(known.body);
    }
    if (!response.ok) throw await rejection(request, response, clock());
    await demandMediaType(request, response, place);
    const body = await readCapped(response, request.maxBytes ?? defaultMaxBytes, place);
    const text = decodeText(body);
    if (request.tooOften?.test(text.slice(0, 500)))
      throw new UpstreamError(`${place} reports too many requests`, { status: 429 });
    if (!posted) responses.retain(request, response.headers, body);
    request.received?.({ ...receivedHead(response), body });
    return text;
  } catch (cause) {
    if (cause instanceof UpstreamError) throw cause;
    throw new UpstreamError(
      signal.aborted ? `${place} did not answer within ${timeoutMs} ms` : `${place} broke off: ${reasonOf(cause)}`,
      { kind: "unreachable" },
    );
  }
}

/** Headers that say which edition of a document a response contains. */
const editionHeaders = ["content-type", "date", "etag", "last-modified"];

function receivedHead({ status, headers }: Response): Omit<ReceivedResponse, "body"> {
  const sent = editionHeaders.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { status, headers: Object.fromEntries(sent) };
}

function agentOf({ contact, likeBrowser }: UpstreamRequest, ofOperator: string | undefined): string {
  const named = userAgent(contact ?? ofOperator);
  return likeBrowser ? `Mozilla/5.0 (compatible; ${named})` : named;
}

async function followed(request: UpstreamRequest, first: Response, parts: RedirectParts): Promise<Response> {
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

/** Follows a redirect. The caller passes headers without secrets, because the target is another host. */
async function redirected(
  from: Response,
  target: string,
  { transport, signal, headers }: RedirectParts,
): Promise<Response> {
  await from.body?.cancel();
  return transport(target, { method: "GET", headers, signal });
}

interface RedirectParts {
  readonly transport: Transport;
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
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

async function rejection({ url }: UpstreamRequest, response: Response, now: Date): Promise<UpstreamError> {
  await response.body?.cancel();
  const { status, headers } = response;
  const seconds = retryAfterSeconds(headers.get("retry-after"), now);
  // Only the host of the redirect is reported, because its path and query may contain a secret.
  const target = status >= 301 && status <= 308 ? URL.parse(headers.get("location") ?? "", url) : null;
  const leads = target ? ` and leads to ${target.host || target.protocol}` : "";
  return new UpstreamError(`${new URL(url).host} answered ${status}${leads}`, {
    status,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  });
}

/** Returns the seconds of a `Retry-After` header, which may be a number or an HTTP date. */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  // `Date.parse` accepts nearly every number, so only text that starts with a weekday is parsed as an HTTP date.
  const date = /^\s*[a-z]{3,9},? /i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now.getTime()) / 1000));
}

async function readCapped(response: Response, maxBytes: number, place: string): Promise<Buffer<ArrayBuffer>> {
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
  return Buffer.concat(chunks);
}

/** The error for an invalid request may quote a header with a secret, so a fixed text replaces it. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!(error instanceof Error) || /INVALID_(?:ARG|CHAR|URL)/.test(code)) return "the request cannot be made";
  return error.message || code || error.name;
}
