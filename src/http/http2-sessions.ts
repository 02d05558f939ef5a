import { constants, createServer, type Http2ServerRequest, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { SlicedResponse } from "./sliced-response.ts";

/** The HTTP/2 half of a listening port. */
export interface Http2Sessions {
  /** Speaks HTTP/2 on a connection. */
  readonly open: (socket: Socket) => void;
  /** Bytes that a connection holds for its reader; undefined for one that speaks something else. */
  readonly unreadOf: (socket: Socket) => number | undefined;
  /** Ends what its reader has stalled, and sessions that do nothing. */
  readonly look: () => void;
  /** Takes no new request, lets those under way end. */
  readonly close: () => void;
}

export interface Http2Options {
  readonly handle: (request: Http2ServerRequest, response: SlicedResponse) => void;
  readonly idleMs: number;
  readonly stalledMs: number;
}

interface Session {
  readonly session: ServerHttp2Session;
  readonly responses: Set<SlicedResponse>;
  /** When its last request ended, milliseconds of the monotonic clock. */
  idleSince: number;
}

const largestHeadBytes = 16_384;
const mostStreams = 100;
/** What a stream costs beside its bytes, roughly. */
const streamBytes = 8_192;

export function http2Sessions({ handle, idleMs, stalledMs }: Http2Options): Http2Sessions {
  const sessions = new Map<Socket, Session>();
  const bySession = new WeakMap<object, Session>();
  const server = createServer(
    {
      maxSessionMemory: 16,
      maxHeaderListPairs: 128,
      settings: { maxConcurrentStreams: mostStreams, maxHeaderListSize: largestHeadBytes },
      Http2ServerResponse: SlicedResponse,
    },
    (request, response) => {
      const { stream } = request;
      const known = stream.session && bySession.get(stream.session);
      if (!known || !(response instanceof SlicedResponse)) return stream.destroy();
      known.responses.add(response);
      response.connectionUnread = () => unreadIn(known);
      stream.once("close", () => {
        known.responses.delete(response);
        if (known.responses.size === 0) known.idleSince = performance.now();
      });
      return handle(request, response);
    },
  );
  server.on("sessionError", () => undefined);

  return {
    open(socket) {
      // Told at once, before `emit` returns.
      const opened = (session: ServerHttp2Session) => {
        const known = { session, responses: new Set<SlicedResponse>(), idleSince: performance.now() };
        sessions.set(socket, known);
        bySession.set(session, known);
        // A session that was closed in peace leaves its connection to the peer to end.
        socket.once("close", () => sessions.delete(socket));
        session.setTimeout(idleMs, () => session.destroy());
        session.on("error", () => session.destroy());
      };
      server.once("session", opened);
      server.emit("connection", socket);
      server.off("session", opened);
    },
    unreadOf(socket) {
      const known = sessions.get(socket);
      return known && unreadIn(known) + known.responses.size * streamBytes;
    },
    look() {
      const now = performance.now();
      for (const [socket, known] of sessions) {
        // What the peer sends besides requests does not count: a ping keeps nothing alive.
        if (known.responses.size === 0 && now - known.idleSince >= idleMs) end(known, socket);
        else if (cutStalled(known, now - stalledMs)) end(known, socket);
      }
    },
    close() {
      for (const { session } of sessions.values()) session.close();
    },
  };

  /** At first the peer is told to ask nothing more, what it has asked goes on; at the next look it is cut. */
  function end({ session }: Session, socket: Socket): void {
    if (session.closed) {
      session.destroy();
      socket.destroy();
    } else session.close();
  }
}

function unreadIn({ responses }: Session): number {
  let bytes = 0;
  for (const { unread } of responses) bytes += unread;
  return bytes;
}

/** Resets each stream of whose answer nothing was taken since; whether there was one. */
function cutStalled({ responses }: Session, since: number): boolean {
  let isAny = false;
  for (const { unread, movedAt, stream } of responses) {
    if (unread === 0 || movedAt > since) continue;
    isAny = true;
    stream.close(constants.NGHTTP2_CANCEL);
    // Its bytes are let go even where the reset itself cannot be sent.
    stream.destroy();
  }
  return isAny;
}
