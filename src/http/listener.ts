import { createServer, type RequestListener } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Session } from "node:http2";
import { createServer as createSocketServer, type Server, type Socket } from "node:net";
import type { Request, Response } from "./exchange.ts";

/** A listening port that speaks HTTP/1.1 and cleartext HTTP/2, told apart by the connection's first bytes. */
export interface Listener {
  readonly port: number;
  /** Takes no new connection, lets requests under way end, and cuts what is left after the grace time. */
  readonly close: (graceMs: number) => Promise<void>;
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** A connection that says nothing, a head that never ends, a body that trickles: each is cut after this. */
const firstBytesMs = 10_000;
const headMs = 15_000;
const requestMs = 30_000;
const idleMs = 65_000;
/** Protects file descriptors and memory. */
const mostConnections = 10_000;
const largestHeadBytes = 16_384;
const mostStreams = 100;

export async function listen(
  host: string,
  port: number,
  handle: (request: Request, response: Response) => void,
): Promise<Listener> {
  const http1 = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      maxHeaderSize: largestHeadBytes,
      connectionsCheckingInterval: 2_000,
    },
    handle as RequestListener,
  );
  const http2 = createHttp2Server(
    {
      maxSessionMemory: 16,
      maxHeaderListPairs: 128,
      settings: { maxConcurrentStreams: mostStreams, maxHeaderListSize: largestHeadBytes },
    },
    handle,
  );
  http1.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket));
  const sessions = new Set<ServerHttp2Session>();
  http2.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.setTimeout(idleMs, () => session.close());
    session.on("error", () => session.destroy());
  });
  http2.on("sessionError", () => undefined);
  // The HTTP/1.1 server never listens itself; this starts its watch over slow heads and bodies.
  http1.emit("listening");

  const sockets = new Set<Socket>();
  const server = createSocketServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    dispatch(socket, (isHttp2) => (isHttp2 ? http2 : http1).emit("connection", socket));
  });
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return {
    port: portOf(server),
    async close(graceMs) {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      http1.closeIdleConnections();
      const sweep = setInterval(() => http1.closeIdleConnections(), 100);
      for (const session of sessions) session.close();
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await ended;
      clearInterval(sweep);
      clearTimeout(cut);
      http1.close();
    },
  };
}

/** Reads the first bytes, puts them back and says which protocol they begin. */
function dispatch(socket: Socket, begin: (isHttp2: boolean) => void): void {
  const onError = () => socket.destroy();
  let seen: Buffer = Buffer.alloc(0);
  socket.on("error", onError);
  socket.setTimeout(firstBytesMs, onError);
  const read = () => {
    const chunk: Buffer | null = socket.read();
    if (!chunk) return;
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const length = Math.min(seen.length, preface.length);
    const alike = seen.subarray(0, length).equals(preface.subarray(0, length));
    if (alike && length < preface.length) return;
    socket.off("readable", read);
    socket.off("error", onError);
    socket.setTimeout(0);
    socket.unshift(seen);
    begin(alike);
  };
  socket.on("readable", read);
}

function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const status =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "408 Request Timeout"
        : "400 Bad Request";
  const body = JSON.stringify({ error: status.slice(4) });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nCache-Control: no-store\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
