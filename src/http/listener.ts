import { createServer, type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { createServer as createSocketServer, type Server, type Socket } from "node:net";
import { helpOn } from "./error-guide.ts";
import { requestId } from "./exchange.ts";
import { http2Sessions } from "./http2-sessions.ts";
import { connectionLimits } from "./load/connection-limits.ts";
import type { Request, Response } from "./node-message.ts";

/** A refused peer may still be sending; cut at once, it would lose the refusal as well. */
const lingerMs = 1_000;

/** Answers what cannot be read as HTTP, and cuts it. */
function rejectRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const current = "_httpMessage" in socket ? socket._httpMessage : undefined;
  if (current instanceof ServerResponse) {
    // What follows a whole request is broken: the answer to that request goes out first.
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

/** Head and body of an answer to what is no request. */
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

/** An `Expect` that nothing here can meet. */
function rejectExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { head, body } = rejection("Expectation Failed");
  response.writeHead(417, Object.fromEntries(head)).end(body);
}

/** A listening port that speaks HTTP/1.1 and cleartext HTTP/2, told apart by the connection's first bytes. */
export interface Listener {
  readonly port: number;
  /** From now on each connection of HTTP/1 ends with its next answer, so that none is cut under a request. */
  readonly drain: () => void;
  /** Takes no new connection, lets requests under way end, and cuts what is left after the grace time. */
  readonly close: (graceMs: number) => Promise<void>;
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** After how many milliseconds a peer is cut. */
export interface Timeouts {
  /** That says nothing. */
  readonly firstBytesMs: number;
  /** Whose head never ends. */
  readonly headMs: number;
  /** Whose request, body included, never ends. */
  readonly requestMs: number;
  /** That asks nothing more, whatever else it sends. */
  readonly idleMs: number;
  /** That takes nothing of an answer; cut before twice that time is over. */
  readonly stalledMs: number;
  /** Time between two looks at slow heads and requests. */
  readonly lookMs: number;
}

/** What a port takes upon itself: memory and file descriptors. */
export interface ListenerLimits extends Timeouts {
  readonly connections: number;
  /** Of one address, which many clients may share. */
  readonly connectionsPerAddress: number;
  /** Of these over HTTP/2: one more ends the one that is idle longest. */
  readonly http2PerAddress: number;
  /** Requests in progress over HTTP/2, of all sessions of an address: further streams are rejected unread. */
  readonly streamsPerAddress: number;
  /** Proxies speak for many: theirs are bounded by the number of all alone. */
  readonly isProxy: (peer: string) => boolean;
  /** Requests under way over HTTP/2, of all connections: beyond it those with most are cut. Each holds some 10 kB. */
  readonly streams: number;
  /** Bytes of answers that wait for their readers, of all connections: beyond it those that hold most are cut. */
  readonly unreadBytes: number;
}

/** Where nothing else is given. */
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
/** Between an answer and the reset of the stream that it ends. */
const resetAfterMs = 50;
/** How often what waits for readers is summed up. */
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
      // Refused like every other fault of a message: with a body.
      requireHostHeader: false,
      // Nearly all requests are GETs: no stream is set up for a body that is not there.
      optimizeEmptyRequests: true,
    },
    handle as RequestListener,
  );
  const http2 = http2Sessions({
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
  // Cuts who takes nothing of what waits for it: it would hold memory as long as it likes. Node sees every byte that is taken.
  http1.timeout = stalledMs;
  // The HTTP/1.1 server never listens itself; this starts its watch over slow heads and bodies.
  http1.emit("listening");

  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  const { enter } = connectionLimits(limits, limits.isProxy);
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
    setInterval(http2.look, Math.min(stalledMs, idleMs) / 4),
    setInterval(() => cutGreediest(sockets, http2.unreadOf, limits.unreadBytes), sumMs),
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

/** Reads the first bytes, puts them back and says which protocol they begin. */
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

/** While more waits for readers than may in all, whoever has most waiting is cut. */
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

/** What the server of HTTP/1.1 does by itself: a body that never ends is told so, and its stream is closed. */
function cutSlowBody(request: Http2ServerRequest, response: Http2ServerResponse, requestMs: number): void {
  const { stream } = request;
  if (stream.endAfterHeaders) return;
  const late = setTimeout(() => {
    const { head, body } = rejection("Request Timeout");
    // A reset overtakes what is still to be written.
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
