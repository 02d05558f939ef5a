import { createServer, type IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { createServer as createSocketServer, type Server, type Socket } from "node:net";
import { helpOn } from "./errors.ts";
import { requestId } from "./exchange.ts";
import { Http2Sessions } from "./http2-sessions.ts";
import { connectionLimits } from "./load/connection-limits.ts";
import type { Request, Response } from "./node-message.ts";

/** Time before a rejected connection is cut. An immediate cut would lose the rejection if the peer is still sending. */
const lingerMs = 1_000;

/** Responds to a message that isn't HTTP, and cuts its connection. */
function rejectRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const current = "_httpMessage" in socket ? socket._httpMessage : undefined;
  if (current instanceof ServerResponse) {
    // A complete request precedes the invalid bytes, so its response is sent first.
    if (current.req.complete) {
      current.once("close", () => socket.destroySoon());
      return;
    }
    if (current.headersSent) {
      socket.destroy();
      return;
    }
  }
  const status =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "408 Request Timeout"
        : "400 Bad Request";
  const { head, body } = rejection(status.slice(4));
  const lines = [`HTTP/1.1 ${status}`, "Connection: close", ...head.map((header) => header.join(": "))];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function rejection(error: string) {
  const body = JSON.stringify({ error });
  const head = [
    ["Cache-Control", "no-store"],
    ["X-Request-Id", requestId(undefined)],
    ["Content-Type", "application/json; charset=utf-8"],
    ["Content-Length", String(body.length)],
    helpOn("message-refused"),
  ] as const;
  return { head, body };
}

function rejectExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { head, body } = rejection("Expectation Failed");
  response.writeHead(417, Object.fromEntries(head)).end(body);
}

/** A listening port for HTTP/1.1 and cleartext HTTP/2. The first bytes of a connection determine the protocol. */
export interface Listener {
  readonly port: number;
  /** Closes each HTTP/1.1 connection after its next response, so that no request is interrupted. */
  readonly drain: () => void;
  /** Accepts no new connections and lets running requests end. Cuts connections that are open after the grace time. */
  readonly close: (graceMs: number) => Promise<void>;
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** Times in milliseconds after which the server cuts a connection. */
export interface Timeouts {
  readonly firstBytesMs: number;
  readonly headMs: number;
  readonly requestMs: number;
  /** Maximum time without a request, even if the peer sends other bytes. */
  readonly idleMs: number;
  /** Maximum time in which the peer reads no bytes of a response. The check may be late by the same time. */
  readonly stalledMs: number;
  readonly lookMs: number;
}

export interface ListenerLimits extends Timeouts {
  readonly connections: number;
  /** Maximum number of connections per address, which many clients may share. */
  readonly connectionsPerAddress: number;
  /** Maximum number of HTTP/2 connections among these. Above it, the one that is idle longest is closed. */
  readonly http2PerAddress: number;
  /** Maximum number of running HTTP/2 requests per address. Further streams are reset before they are read. */
  readonly streamsPerAddress: number;
  /** The limits per address do not apply to proxies, because they serve many clients. */
  readonly isProxy: (peer: string) => boolean;
  /** Maximum number of HTTP/2 streams. Above it, the sessions with the most are closed. A stream uses about 10 kB. */
  readonly streams: number;
  /** Maximum number of unread response bytes. Above it, the connections with the most unread bytes are cut. */
  readonly unreadBytes: number;
}

export const listenerLimits: ListenerLimits = {
  firstBytesMs: 10_000,
  headMs: 15_000,
  requestMs: 30_000,
  idleMs: 65_000,
  stalledMs: 60_000,
  lookMs: 2_000,
  connections: 10_000,
  connectionsPerAddress: 2_000,
  http2PerAddress: 64,
  streamsPerAddress: 500,
  isProxy: () => false,
  streams: 5_000,
  unreadBytes: 128 * 1024 * 1024,
};

const maxHeadBytes = 16_384;
const resetAfterMs = 50;
const sumMs = 100;

export async function listen(
  host: string,
  port: number,
  handle: (request: Request, response: Response) => void,
  overrides: Partial<ListenerLimits> = {},
): Promise<Listener> {
  const limits = { ...listenerLimits, ...overrides };
  const { firstBytesMs, headMs, requestMs, idleMs, stalledMs, lookMs } = limits;
  const http1 = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      maxHeaderSize: maxHeadBytes,
      connectionsCheckingInterval: lookMs,
      // Node would reject a missing host with an empty body. The service rejects it with a JSON body.
      requireHostHeader: false,
      // Most requests are GETs without a body, so Node can skip their body stream.
      optimizeEmptyRequests: true,
    },
    handle,
  );
  const http2 = new Http2Sessions({
    idleMs,
    stalledMs,
    streams: limits.streams,
    perAddress: limits.http2PerAddress,
    streamsPerAddress: limits.streamsPerAddress,
    isProxy: limits.isProxy,
    handle(request, response) {
      cutSlowBody(request, response, requestMs);
      handle(request, response);
    },
  });
  http1.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => rejectRequest(error, socket));
  http1.on("checkExpectation", rejectExpectation);
  // Cuts a client that reads nothing, because its unread bytes use memory. Node resets the timeout for every byte that
  // is read.
  http1.timeout = stalledMs;
  // This server never listens on a port. Without the event, Node would not check for slow heads and bodies of requests.
  http1.emit("listening");

  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  const enter = connectionLimits(limits, limits.isProxy);
  const server = createSocketServer({ noDelay: true }, (socket) => {
    if (!enter(socket)) return socket.destroy();
    sockets.add(socket);
    silent.add(socket);
    const late = setTimeout(() => socket.destroy(), firstBytesMs);
    const heard = () => {
      clearTimeout(late);
      silent.delete(socket);
    };
    socket.once("close", () => {
      heard();
      sockets.delete(socket);
    });
    return dispatch(socket, (isHttp2) => {
      heard();
      if (isHttp2) http2.open(socket);
      else http1.emit("connection", socket);
    });
  });
  const watches = [
    setInterval(() => http2.look(), Math.min(stalledMs, idleMs) / 4),
    setInterval(() => cutGreediest(sockets, (socket) => http2.unreadOf(socket), limits.unreadBytes), sumMs),
  ];
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return {
    port: portOf(server),
    drain() {
      http1.prependListener("request", (_request, response) => {
        response.shouldKeepAlive = false;
      });
    },
    async close(graceMs) {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of silent) socket.destroy();
      http1.closeIdleConnections();
      const sweep = setInterval(() => http1.closeIdleConnections(), 100);
      http2.close();
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await ended;
      clearInterval(sweep);
      clearTimeout(cut);
      for (const watch of watches) clearInterval(watch);
      http1.close();
    },
  };
}

/** Reads the first bytes of a connection, returns them to the socket, and detects the protocol. */
function dispatch(socket: Socket, begin: (isHttp2: boolean) => void): void {
  const onError = () => socket.destroy();
  let seen: Buffer = Buffer.alloc(0);
  socket.on("error", onError);
  const read = () => {
    const chunk: Buffer | null = socket.read();
    if (!chunk) return;
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const length = Math.min(seen.length, preface.length);
    const alike = seen.subarray(0, length).equals(preface.subarray(0, length));
    if (alike && length < preface.length) return;
    socket.off("readable", read);
    socket.off("error", onError);
    socket.unshift(seen);
    begin(alike);
  };
  socket.on("readable", read);
}

/** Cuts the connections with the most unread bytes until the total is below the limit. */
function cutGreediest(
  sockets: ReadonlySet<Socket>,
  unreadOf: (socket: Socket) => number | undefined,
  maxBytes: number,
): void {
  let total = 0;
  const holding: (readonly [Socket, number])[] = [];
  for (const socket of sockets) {
    const bytes = unreadOf(socket) ?? socket.writableLength;
    if (bytes === 0) continue;
    total += bytes;
    holding.push([socket, bytes]);
  }
  if (total <= maxBytes) return;
  for (const [socket, bytes] of holding.sort(([, a], [, b]) => b - a)) {
    socket.destroy();
    total -= bytes;
    if (total <= maxBytes) return;
  }
}

/** Rejects an HTTP/2 body that never ends and closes its stream. Node does this only for HTTP/1.1. */
function cutSlowBody(request: Http2ServerRequest, response: Http2ServerResponse, requestMs: number): void {
  const { stream } = request;
  if (stream.endAfterHeaders) return;
  const late = setTimeout(() => {
    const { head, body } = rejection("Request Timeout");
    // An immediate reset would discard response bytes that are not yet written.
    const close = () => setTimeout(() => stream.close(), resetAfterMs).unref();
    if (stream.headersSent) stream.close();
    else response.writeHead(408, Object.fromEntries(head)).end(body, close);
  }, requestMs);
  const inTime = () => clearTimeout(late);
  request.once("end", inTime);
  stream.once("close", inTime);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
