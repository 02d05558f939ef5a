import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Caller } from "../access/caller.ts";
import { isKeyShaped, type Principal } from "../access/keys/api-key.ts";
import { asBytes, type JsonBytes } from "../contract/json.ts";
import { RequestAborted } from "../errors.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import type { RequestSpan } from "../telemetry/tracing.ts";
import type { ClientAddress } from "./client-address.ts";
import type { Cause } from "./failure-cause.ts";
import { noteRequest } from "./load/connection-limits.ts";
import type { Request, Response } from "./node-message.ts";
import type { ReadRequest } from "./read-request.ts";
import { originForm, type RequestHead, readHead } from "./request-head.ts";
import { SlicedResponse } from "./sliced-response.ts";

/** One request and the answer to it. */
export class Exchange implements ReadRequest {
  readonly request: Request;
  readonly response: Response;
  head: RequestHead;
  readonly id: string;
  /** When it came, Unix epoch milliseconds: the one reading of the clock that every step goes by. */
  readonly now: number;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt = performance.now();
  /** Without a trailing slash. */
  path: string;
  /** Without `?`; empty when there is none. */
  query: string;
  /** Who asks by something else than a key. */
  known?: Principal;
  /** Set with it for who is signed in to the console. */
  session?: NonNullable<ReadRequest["session"]>;
  /** What it was before it was led elsewhere: a failure is told to who asked that. */
  requested?: { readonly path: string; readonly query: string; readonly accept: string | undefined };
  /** A block that pages of others show within themselves. */
  isEmbed?: boolean;
  /** A cookie decides what is answered: who signs out, and who comes after, must not find it in the browser. */
  isOfCookie = false;
  cost?: number;
  /** Headers of whatever is answered, failures too, as flat pairs: id, CORS, and what is left of the quota once it is known. */
  readonly headers: string[];
  /** Whose the failure is that was answered; absent where none was. */
  cause?: Cause;
  /** Where it is recorded. */
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

  /** Becomes the request of who is known, for another address; of the headers that choose an answer those of caching stay. */
  leadTo(target: string, known: Principal): void {
    const { hosts, requestId, origin, accept, acceptEncoding, ifNoneMatch } = this.head;
    this.requested ??= { path: this.path, query: this.query, accept };
    this.head = {
      hosts,
      ...(requestId !== undefined && { requestId }),
      ...(origin !== undefined && { origin }),
      ...(acceptEncoding !== undefined && { acceptEncoding }),
      ...(ifNoneMatch !== undefined && { ifNoneMatch }),
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

  /** Where the request came from. */
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
    // A stream that was reset without an error waits for bytes that nobody takes before it closes.
    if ("stream" in request) request.stream.once("aborted", leave);
    this.#gone = gone;
    return gone.signal;
  }

  /** More of the connection's answers wait for their reader than may. */
  isBackedUp(): boolean {
    return this.response instanceof SlicedResponse && this.response.isBackedUp();
  }

  /** Whether one of our proxies sent it, whose forwarded headers count. */
  isFromProxy(): boolean {
    return this.#addresses.isProxy(this.request.socket.remoteAddress ?? "");
  }

  /** What trusted proxies say of the place it came from. */
  edge(): Caller["edge"] {
    return this.#addresses.edgeOf(this.request);
  }
}

/** A request pays for what was asked within it by who has its key. */
export function charge(exchange: Pick<ReadRequest, "caller" | "cost">, { caller, cost = 0 }: ClientInfo): void {
  if (!caller) return;
  exchange.caller = caller;
  exchange.cost = (exchange.cost ?? 0) + cost;
}

const clientId = /^[A-Za-z0-9_-]{1,64}$/;

/** Tells this process's ids from those of all others: the first 24 characters of a UUID. */
const ownPrefix = randomUUID().slice(0, 24);
let issued = 0;

/** The caller's own request id when it is well formed and no key that was put there by mistake, else a new one: random per process, counted within it. */
export function requestId(sent: string | undefined): string {
  if (sent !== undefined && clientId.test(sent) && !isKeyShaped(sent)) return sent;
  issued += 1;
  return ownPrefix + issued.toString(16).padStart(12, "0");
}

/** The path of a target, without a trailing slash, and its query, without `?`. */
export function splitTarget(url: string): { readonly path: string; readonly query: string } {
  const mark = url.indexOf("?");
  return mark < 0
    ? { path: trimmed(url), query: "" }
    : { path: trimmed(url.slice(0, mark)), query: url.slice(mark + 1) };
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** The bytes of a body. */
export type Body = Buffer | JsonBytes;

/** Sends a whole answer. The body is left out where HTTP forbids one; its length is still told on HEAD. */
export function send(exchange: Exchange, status: number, headers: readonly string[], body?: Body): void {
  const { request, response } = exchange;
  if (response.destroyed || response.headersSent) return;
  // Both kinds of response take flat pairs; their types have no common signature.
  (response as ServerResponse).writeHead(
    status,
    (exchange.known ? privately(headers, exchange.isOfCookie) : headers) as string[],
  );
  if (body && request.method !== "HEAD" && status !== 304) response.end(body, "latin1");
  else response.end();
}

/** Caching headers of who is known by the address alone: shared caches would keep an answer beyond the end of that. */
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

/** The value of a header among flat pairs. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  const index = headers.indexOf(name);
  return index < 0 ? undefined : headers[index + 1];
}

/** Flat pairs without one of that name. */
export function withoutHeader(headers: readonly string[], name: string): readonly string[] {
  const index = headers.indexOf(name);
  return index < 0 ? headers : headers.toSpliced(index, 2);
}

/** Sends a small JSON body that nobody may keep. */
export function sendJson(exchange: Exchange, status: number, body: unknown, headers: readonly string[] = []): void {
  // One text with its head is one write.
  const bytes = asBytes(JSON.stringify(body));
  send(
    exchange,
    status,
    [...contentHeaders(bytes.length, rejectedType), "Cache-Control", "no-store", ...exchange.headers, ...headers],
    bytes,
  );
}

/** Of refusals, as callers of the first hour know it. Others are the plain type: clients compare it with the contract's. */
const rejectedType = "application/json; charset=utf-8";

/** Type and length of a JSON body. */
export function jsonHeaders(length: number): string[] {
  return contentHeaders(length);
}

/** Type and length of a body, JSON unless said otherwise. */
export function contentHeaders(length: number, mediaType = "application/json"): string[] {
  return ["Content-Type", mediaType, "Content-Length", String(length), "X-Content-Type-Options", "nosniff"];
}

/** Nobody waits for the answer any more: its stream was reset, or its connection closed. */
export function isGone(request: Request): boolean {
  return "stream" in request ? request.stream.closed || request.stream.destroyed : request.socket.destroyed;
}
