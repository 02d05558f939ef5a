import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { RequestHead } from "./request-head.ts";

export type Request = IncomingMessage | Http2ServerRequest;
export type Response = ServerResponse | Http2ServerResponse;

/** One request and the answer to it. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly head: RequestHead;
  readonly id: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly path: string;
  /** Without `?`; empty when there is none. */
  readonly query: string;
  /** Headers of whatever is answered, failures too, as flat pairs: id, CORS, and what is left of the quota once it is known. */
  readonly headers: string[];
}

const clientId = /^[A-Za-z0-9_-]{1,64}$/;

/** Tells this process's ids from those of all others: the first 24 characters of a UUID. */
const ownPrefix = randomUUID().slice(0, 24);
let issued = 0;

/** The caller's own request id when it is well formed, else a new one: random per process, counted within it. */
export function requestId(sent: string | undefined): string {
  if (sent !== undefined && clientId.test(sent)) return sent;
  issued += 1;
  return ownPrefix + issued.toString(16).padStart(12, "0");
}

/** The bytes of a body; as a string, one character a byte. */
export type Body = Buffer | string;

/** Sends a whole answer. The body is left out where HTTP forbids one; its length is still told on HEAD. */
export function send(exchange: Exchange, status: number, headers: readonly string[], body?: Body): void {
  const { request, response } = exchange;
  if (response.destroyed || response.headersSent) return;
  // Both kinds of response take flat pairs; their types have no common signature.
  (response as ServerResponse).writeHead(status, headers as string[]);
  if (body && request.method !== "HEAD" && status !== 304) response.end(body, "latin1");
  else response.end();
}

/** Sends a small JSON body that nobody may keep. */
export function sendJson(exchange: Exchange, status: number, body: unknown, headers: readonly string[] = []): void {
  const bytes = Buffer.from(JSON.stringify(body));
  send(
    exchange,
    status,
    [...jsonHeaders(bytes.length), "Cache-Control", "no-store", ...exchange.headers, ...headers],
    bytes,
  );
}

/** Type and length of a JSON body. */
export function jsonHeaders(length: number): string[] {
  return [
    "Content-Type",
    "application/json; charset=utf-8",
    "Content-Length",
    String(length),
    "X-Content-Type-Options",
    "nosniff",
  ];
}
