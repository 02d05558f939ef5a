import { createServer, type RequestListener, ServerResponse } from "node:http";
import {
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import { createServer as createSocketServer, type Server, type Socket } from "node:net";
import { type Request, type Response, requestId } from "./exchange.ts";

/** A listening port that speaks HTTP/1.1 and cleartext HTTP/2, told apart by the connection's first bytes. */
export interface Listener {
  readonly port: number;
  /** Takes no new connection, lets requests under way end, and cuts what is left after the grace time. */
  readonly close: (graceMs: number) => Promise<void>;
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** After how many milliseconds a peer is cut. */
export interface Patience {
  /** That says nothing. */
  readonly firstBytesMs: number;
  /** Whose head never ends. */
  readonly headMs: number;
  /** Whose request, body included, never ends. */
  readonly requestMs: number;
  /** That asks nothing more. */
  readonly idleMs: number;
  /** That takes nothing of its answer; cut at the second look. */
  readonly stalledMs: number;
  /** Time between two looks at slow heads and requests. */
  readonly lookMs: number;
}

const usualPatience: Patience = {
  firstBytesMs: 10_000,
  headMs: 15_000,
  requestMs: 30_000,
  idleMs: 65_000,
  stalledMs: 60_000,
  lookMs: 2_000,
};
/** A refused peer may still be sending; cut at once, it would lose the refusal as well. */
const lingerMs = 1_000;
/** Protects file descriptors and memory. */
const mostConnections = 10_000;
const largestHeadBytes = 16_384;
const mostStreams = 100;

export async function listen(
  host: string,
  port: number,
  handle: (request: Request, response: Response) => void,
  patience: Partial<Patience> = {},
): Promise<Listener> {
  const { firstBytesMs, headMs, requestMs, idleMs, stalledMs, lookMs } = { ...usualPatience, ...patience };
  const http1 = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      maxHeaderSize: largestHeadBytes,
      connectionsCheckingInterval: lookMs,
      // Nearly all requests are GETs: no stream is set up for a body that is not there.
      optimizeEmptyRequests: true,
    },
    handle as RequestListener,
  );
  const http2 = createHttp2Server(
    {
      maxSessionMemory: 16,
      maxHeaderListPairs: 128,
      settings: { maxConcurrentStreams: mostStreams, maxHeaderListSize: largestHeadBytes },
    },
    (request, response) => {
      cutSlowBody(request, response, requestMs);
      handle(request, response);
    },
  );
  http1.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket));
  const sessions = new Set<ServerHttp2Session>();
  http2.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.setTimeout(idleMs, () => session.destroy());
    session.on("error", () => session.destroy());
  });
  http2.on("sessionError", () => undefined);
  // The HTTP/1.1 server never listens itself; this starts its watch over slow heads and bodies.
  http1.emit("listening");

  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  const server = createSocketServer({ noDelay: true }, (socket) => {
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
    dispatch(socket, (isHttp2) => {
      heard();
      (isHttp2 ? http2 : http1).emit("connection", socket);
    });
  });
  const stopLooking = cutStalled(sockets, stalledMs);
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return {
    port: portOf(server),
    async close(graceMs) {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of silent) socket.destroy();
      http1.closeIdleConnections();
      const sweep = setInterval(() => http1.closeIdleConnections(), 100);
      for (const session of sessions) session.close();
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await ended;
      clearInterval(sweep);
      clearTimeout(cut);
      stopLooking();
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

/** Who takes nothing of what waits for it holds memory, as long as it likes. Returns what ends the looking. */
function cutStalled(sockets: ReadonlySet<Socket>, everyMs: number): () => void {
  let before = new Map<Socket, number>();
  const looking = setInterval(() => {
    const now = new Map<Socket, number>();
    for (const socket of sockets) {
      if (socket.writableLength === 0) continue;
      const taken = socket.bytesWritten - socket.writableLength;
      if (before.get(socket) === taken) socket.destroy();
      else now.set(socket, taken);
    }
    before = now;
  }, everyMs);
  return () => clearInterval(looking);
}

/** What the server of HTTP/1.1 does by itself: a body that never ends is told so, and its stream is closed. */
function cutSlowBody(request: Http2ServerRequest, response: Http2ServerResponse, requestMs: number): void {
  const { stream } = request;
  if (stream.endAfterHeaders) return;
  const late = setTimeout(() => {
    const { head, body } = refusal("Request Timeout");
    if (!stream.headersSent) response.writeHead(408, Object.fromEntries(head)).end(body);
    stream.close();
  }, requestMs);
  const inTime = () => clearTimeout(late);
  request.once("end", inTime);
  stream.once("close", inTime);
}

/** Answers what cannot be read as HTTP, and cuts it. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
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
  const { head, body } = refusal(status.slice(4));
  const lines = [`HTTP/1.1 ${status}`, "Connection: close", ...head.map((header) => header.join(": "))];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function refusal(error: string) {
  const body = JSON.stringify({ error });
  const head = [
    ["Cache-Control", "no-store"],
    ["X-Request-Id", requestId(undefined)],
    ["Content-Type", "application/json; charset=utf-8"],
    ["Content-Length", String(body.length)],
  ] as const;
  return { head, body };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
