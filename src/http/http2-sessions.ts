import type { EventEmitter } from "node:events";
import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import { joinSession, peerNetwork } from "./load/connection-limits.ts";
import { SlicedResponse } from "./sliced-response.ts";

export interface Http2Options {
  readonly handle: (request: Http2ServerRequest, response: SlicedResponse) => void;
  readonly idleMs: number;
  readonly stalledMs: number;
  /** Maximum number of open streams of all sessions. If exceeded, the sessions with the most streams are closed. */
  readonly streams: number;
  /** Maximum number of sessions of one address, and of their open streams. Proxies are exempt. */
  readonly perAddress: number;
  readonly streamsPerAddress: number;
  readonly isProxy: (peer: string) => boolean;
}

interface Session {
  readonly session: ServerHttp2Session;
  readonly network: string | undefined;
  readonly ofAddress: ReturnType<typeof joinSession>;
  readonly responses: Set<SlicedResponse>;
  /** End of the session's last request, in milliseconds of the monotonic clock. */
  idleSince: number;
}

const maxHeadBytes = 16_384;
const maxStreams = 100;

/** The HTTP/2 sessions of a port. */
export class Http2Sessions {
  readonly #options: Http2Options;
  readonly #sessions = new Map<Socket, Session>();
  readonly #bySession = new WeakMap<object, Session>();
  readonly #server: EventEmitter;
  #streams = 0;

  constructor(options: Http2Options) {
    this.#options = options;
    this.#server = createServer(
      {
        maxSessionMemory: 16,
        maxHeaderListPairs: 128,
        settings: { maxConcurrentStreams: maxStreams, maxHeaderListSize: maxHeadBytes },
        Http2ServerResponse: SlicedResponse,
      },
      (request, response) => this.#accept(request, response),
    );
    this.#server.on("sessionError", () => undefined);
    rejectStreams(this.#server, ({ session }) => {
      const ofAddress = session && this.#bySession.get(session)?.ofAddress;
      return ofAddress !== undefined && ofAddress.streams >= options.streamsPerAddress;
    });
  }

  /**
   * Starts HTTP/2 on a connection. If its address has the maximum number of connections, the session that is idle
   * longest ends. If none is idle, the new one is closed with `ENHANCE_YOUR_CALM`.
   */
  open(socket: Socket): void {
    const opened = (session: ServerHttp2Session) => this.#begin(session, socket);
    // Node emits this event synchronously, within the `emit` below.
    this.#server.once("session", opened);
    this.#server.emit("connection", socket);
    this.#server.off("session", opened);
  }

  /** Returns the unread bytes of a connection. Undefined for another protocol. */
  unreadOf(socket: Socket): number | undefined {
    const known = this.#sessions.get(socket);
    return known && unreadIn(known);
  }

  /** Closes idle sessions and resets unread responses. The listener calls it at intervals. */
  look(): void {
    const now = performance.now();
    const { idleMs, stalledMs } = this.#options;
    for (const [socket, known] of this.#sessions) {
      // Only requests count as activity, so a client cannot keep an idle session open by pings.
      if (known.responses.size === 0 && now - known.idleSince >= idleMs) end(known, socket);
      else if (cutStalled(known, now - stalledMs)) end(known, socket);
    }
  }

  /** Ends all sessions: they accept no new requests, but running requests may end. */
  close(): void {
    for (const { session } of this.#sessions.values()) session.close();
  }

  #accept(request: Http2ServerRequest, response: Http2ServerResponse): void {
    const { stream } = request;
    const known = stream.session && this.#bySession.get(stream.session);
    if (!known || !(response instanceof SlicedResponse)) {
      stream.destroy();
      return;
    }
    const { ofAddress, responses } = known;
    responses.add(response);
    this.#streams += 1;
    if (ofAddress) ofAddress.streams += 1;
    response.connectionUnread = () => unreadIn(known);
    stream.once("close", () => {
      if (ofAddress) ofAddress.streams -= 1;
      if (responses.delete(response)) this.#streams -= 1;
      if (responses.size === 0) known.idleSince = performance.now();
    });
    if (this.#streams > this.#options.streams) this.#cutBusiest();
    this.#options.handle(request, response);
  }

  #begin(session: ServerHttp2Session, socket: Socket): void {
    const network = peerNetwork(socket, this.#options.isProxy);
    if (!this.#hasRoom(network)) {
      session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      // The session is destroyed after this tick, because Node first passes the received bytes to it.
      setImmediate(() => session.destroy());
      return;
    }
    const responses = new Set<SlicedResponse>();
    const known = {
      session,
      network,
      ofAddress: joinSession(session, socket),
      responses,
      idleSince: performance.now(),
    };
    this.#sessions.set(socket, known);
    this.#bySession.set(session, known);
    // The connection stays known after its session has closed, until the peer ends the connection.
    socket.once("close", () => this.#sessions.delete(socket));
    session.setTimeout(this.#options.idleMs, () => session.destroy());
    session.on("error", () => session.destroy());
  }

  /** Returns whether the address may open a session. Closed sessions don't count: they only wait for the peer. */
  #hasRoom(network: string | undefined): boolean {
    if (network === undefined) return true;
    const own = [...this.#sessions.values()].filter((each) => each.network === network && !each.session.closed);
    if (own.length < this.#options.perAddress) return true;
    const idle = own.filter(({ responses }) => responses.size === 0);
    const idlest = idle.reduce<Session | undefined>((a, b) => (a && a.idleSince <= b.idleSince ? a : b), undefined);
    idlest?.session.close();
    return idlest !== undefined;
  }

  #cutBusiest(): void {
    let busiest: readonly [Socket, Session] | undefined;
    for (const each of this.#sessions) if (each[1].responses.size > (busiest?.[1].responses.size ?? 0)) busiest = each;
    if (!busiest) return;
    const [socket, { session, responses }] = busiest;
    this.#streams -= responses.size;
    responses.clear();
    session.destroy();
    socket.destroy();
  }
}

/** Closes a session in two steps. The first call accepts no more requests; the second also ends running ones. */
function end({ session }: Session, socket: Socket): void {
  if (session.closed) {
    session.destroy();
    socket.destroy();
  } else session.close();
}

/** Resets excess streams before Node creates requests for them. HTTP/2 clients may safely repeat such requests. */
function rejectStreams(server: EventEmitter, isRejected: (stream: ServerHttp2Stream) => boolean): void {
  const listeners = server.listeners("stream");
  server.removeAllListeners("stream");
  server.on("stream", (stream: ServerHttp2Stream, ...rest: unknown[]) => {
    if (isRejected(stream)) stream.on("error", () => undefined).close(constants.NGHTTP2_REFUSED_STREAM);
    else for (const listener of listeners) listener(stream, ...rest);
  });
}

function unreadIn({ responses }: Session): number {
  let bytes = 0;
  for (const { unread } of responses) bytes += unread;
  return bytes;
}

/** Resets each stream whose response has not been read since the given time. Returns whether there was any. */
function cutStalled({ responses }: Session, since: number): boolean {
  let isAny = false;
  for (const { unread, movedAt, stream } of responses) {
    if (unread === 0 || movedAt > since) continue;
    isAny = true;
    stream.close(constants.NGHTTP2_CANCEL);
    // Destroying the stream frees its memory even if the client does not receive the reset.
    stream.destroy();
  }
  return isAny;
}
