import { randomUUID } from "node:crypto";
import type { Caller } from "../access/caller.ts";
import { isKeyShaped, type Principal } from "../access/keys/api-key.ts";
import { catalog, type Operation } from "../contract/catalog.ts";
import { asBytes, type JsonBytes } from "../contract/json.ts";
import type { FailureCause } from "../error-kinds.ts";
import { RequestAborted } from "../errors.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import type { RequestSpan } from "../telemetry/tracing.ts";
import type { ClientAddress } from "./client-address.ts";
import { noteRequest } from "./load/connection-limits.ts";
import { type Request, type Response, writeHead } from "./node-message.ts";
import type { ReadRequest } from "./read-request.ts";
import { originForm, type RequestHead, readHead } from "./request-head.ts";
import { SlicedResponse } from "./sliced-response.ts";

/** One request and its response. */
export class Exchange implements ReadRequest {
  readonly request: Request;
  readonly response: Response;
  head: RequestHead;
  readonly id: string;
  /** Arrival time in Unix epoch milliseconds. Every step uses it, so that one request sees one time. */
  readonly now: number;
  /** Arrival time in milliseconds of the monotonic clock. */
  readonly startedAt = performance.now();
  /** Path of the request without a trailing slash. */
  path: string;
  /** Query without the `?`; empty if there is none. */
  query: string;
  /** Caller that a session or feed URL identifies, instead of a key. */
  known?: Principal;
  /** The session of the console, if it identifies the caller. */
  session?: NonNullable<ReadRequest["session"]>;
  /** The original target if the request was redirected internally. A failure is reported for this target. */
  requested?: { readonly path: string; readonly query: string; readonly accept: string | undefined };
  /** Whether the page is a widget that other sites embed in a frame. */
  isEmbed?: boolean;
  /**
   * Whether a cookie determines the response. After a sign-out, the next user of the browser must not find it in the
   * cache.
   */
  isOfCookie = false;
  cost?: number;
  /** Headers that even a failure has (request ID, CORS, remaining quota), as alternating names and values. */
  readonly headers: string[];
  /** Why the request failed; undefined after a success. */
  cause?: FailureCause;
  /** The trace span of the request. */
  span?: RequestSpan | undefined;
  readonly #addresses: ClientAddress;
  #caller: Principal | undefined;
  #gone: AbortController | undefined;

  constructor(request: Request, response: Response, addresses: ClientAddress, now: number) {
    this.request = request;
    this.response = response;
    this.head = readHead(request.rawHeaders);
    this.id = requestId(this.head.requestId);
    this.now = now;
    const url = originForm(request.url ?? "/");
    if (url !== request.url) request.url = url;
    const { path, query } = splitTarget(url);
    this.path = path;
    this.query = query;
    this.headers = ["X-Request-Id", this.id];
    this.#addresses = addresses;
  }

  /**
   * Replaces the target and the caller of the request by the given ones. Keeps only headers for caching, ranges, and
   * the like, so that no other header of the request selects another response.
   */
  leadTo(target: string, known: Principal): void {
    const { hosts, requestId, origin, accept, acceptEncoding, ifNoneMatch, ifMatch, range, ifRange } = this.head;
    this.requested ??= { path: this.path, query: this.query, accept };
    this.head = {
      hosts,
      ...(requestId !== undefined && { requestId }),
      ...(origin !== undefined && { origin }),
      ...(acceptEncoding !== undefined && { acceptEncoding }),
      ...(ifNoneMatch !== undefined && { ifNoneMatch }),
      ...(ifMatch !== undefined && { ifMatch }),
      ...(range !== undefined && { range }),
      ...(ifRange !== undefined && { ifRange }),
    };
    this.request.url = target;
    Object.assign(this, splitTarget(target));
    this.known = known;
  }

  get caller(): Principal | undefined {
    return this.#caller;
  }

  set caller(caller: Principal) {
    this.#caller = caller;
    noteRequest(this.request, true);
  }

  address(): string {
    return this.#addresses.addressOf(this.request);
  }

  isGone(): boolean {
    return isGone(this.request);
  }

  signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal;
    const gone = new AbortController();
    const { request, response } = this;
    const leave = () => {
      if (!response.writableFinished) gone.abort(new RequestAborted("The caller has gone"));
    };
    response.once("close", leave);
    // HTTP/2 emits no `close` event for a stream that was reset without an error while it has unread bytes.
    if ("stream" in request) request.stream.once("aborted", leave);
    this.#gone = gone;
    return gone.signal;
  }

  /** Returns whether the client leaves too many bytes of the connection's responses unread. */
  isBackedUp(): boolean {
    return this.response instanceof SlicedResponse && this.response.isBackedUp();
  }

  /** Returns whether a trusted proxy sent the request, so that its forwarded headers can be used. */
  isFromProxy(): boolean {
    return this.#addresses.isProxy(this.request.socket.remoteAddress ?? "");
  }

  /** Returns the client's location that a trusted proxy reports. */
  edge(): Caller["edge"] {
    return this.#addresses.edgeOf(this.request);
  }
}

/** Adds the cost of an inner request to the outer request if the inner one was made with a key. */
export function charge(exchange: Pick<ReadRequest, "caller" | "cost">, { caller, cost = 0 }: ClientInfo): void {
  if (!caller) return;
  exchange.caller = caller;
  exchange.cost = (exchange.cost ?? 0) + cost;
}

const clientId = /^[A-Za-z0-9_-]{1,64}$/;

/** Prefix of request IDs that differs for each process: the first 24 characters of a random UUID. */
const ownPrefix = randomUUID().slice(0, 24);
let issued = 0;

/**
 * Returns the request ID of the caller if it is well formed and does not look like a key. Otherwise returns a new one:
 * random per process, with a counter.
 */
export function requestId(sent: string | undefined): string {
  if (sent !== undefined && clientId.test(sent) && !isKeyShaped(sent)) return sent;
  issued += 1;
  return ownPrefix + issued.toString(16).padStart(12, "0");
}

/** Returns the path of a target without a trailing slash, and its query without `?`. */
export function splitTarget(url: string): { readonly path: string; readonly query: string } {
  const mark = url.indexOf("?");
  return mark < 0
    ? { path: trimmed(url), query: "" }
    : { path: trimmed(url.slice(0, mark)), query: url.slice(mark + 1) };
}

/** Returns the operation at a target; undefined if no operation has its path. */
export function operationAt(target: string): Operation | undefined {
  const { path } = splitTarget(target);
  return catalog.find((operation) => operation.path === path || operation.aliases.includes(path));
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

export type Body = Buffer | JsonBytes;

/** Sends a complete response. Leaves out the body if HTTP forbids one. The response to HEAD contains the length. */
export function send(exchange: Exchange, status: number, headers: readonly string[], body?: Body): void {
  const { request, response } = exchange;
  if (response.destroyed || response.headersSent) return;
  writeHead(response, status, exchange.known ? privately(headers, exchange.isOfCookie) : headers);
  if (body && request.method !== "HEAD" && status !== 304) response.end(body, "latin1");
  else response.end();
}

/**
 * Makes caching private for a caller that the URL identifies: a shared cache would serve the response after that access
 * has ended.
 */
function privately(headers: readonly string[], isOfCookie: boolean): string[] {
  const reported = [...headers];
  for (let index = reported.length - 2; index >= 0; index -= 2) {
    const name = reported[index];
    const value = reported[index + 1] ?? "";
    if (name === "CDN-Cache-Control") reported.splice(index, 2);
    else if (name === "Cache-Control" && isOfCookie) reported[index + 1] = "private, no-store";
    else if (name === "Cache-Control" && !/private|no-store/.test(value))
      reported[index + 1] = `private, ${/max-age=\d+/.exec(value)?.[0] ?? "no-cache"}`;
  }
  return reported;
}

/** Asks search engines not to list the response. */
export function unlist({ headers }: Pick<Exchange, "headers">): void {
  if (!headers.includes("X-Robots-Tag")) headers.push("X-Robots-Tag", "noindex");
}

/** Returns the value of a header in an array of alternating names and values. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  const index = headers.indexOf(name);
  return index < 0 ? undefined : headers[index + 1];
}

/** Removes a header from an array of alternating names and values. */
export function withoutHeader(headers: readonly string[], name: string): readonly string[] {
  const index = headers.indexOf(name);
  return index < 0 ? headers : headers.toSpliced(index, 2);
}

/** Sends a small JSON body that must not be cached. */
export function sendJson(
  exchange: Exchange,
  status: number,
  body: unknown,
  headers: readonly string[] = [],
  mediaType = rejectedType,
): void {
  // A string body lets Node write the head and the body in one packet.
  const bytes = asBytes(JSON.stringify(body));
  send(
    exchange,
    status,
    [...contentHeaders(bytes.length, mediaType), "Cache-Control", "no-store", ...exchange.headers, ...headers],
    bytes,
  );
}

/**
 * The media type of rejections in the first version. Other bodies have the plain type, because clients compare it with
 * the contract.
 */
const rejectedType = "application/json; charset=utf-8";

/** Returns the content headers of a body as alternating names and values. The default media type is JSON. */
export function contentHeaders(length: number, mediaType = "application/json"): string[] {
  return ["Content-Type", mediaType, "Content-Length", String(length), "X-Content-Type-Options", "nosniff"];
}

/** Returns whether the client has disconnected: its stream was reset, or its connection closed. */
export function isGone(request: Request): boolean {
  return "stream" in request ? request.stream.closed || request.stream.destroyed : request.socket.destroyed;
}
