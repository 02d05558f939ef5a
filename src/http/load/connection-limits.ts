import type { Socket } from "node:net";
import { networkOf } from "../../interceptors/network.ts";
import { plain } from "../client-address.ts";
import type { Request } from "../node-message.ts";

/** Connections that share a limit: those of one address, or all. */
interface Group {
  readonly max: number;
  open: number;
  /** Number of open HTTP/2 streams. */
  streams: number;
  /** Connections without a valid key, ordered by their last request. */
  readonly keyless: Set<Socket>;
}

/** Maps sockets and HTTP/2 sessions to limits. A session needs an entry because its `socket` is only a proxy object. */
const groupsOf = new WeakMap<object, { readonly socket: Socket; readonly groups: readonly Group[] }>();

/**
 * Returns a function that admits a connection. At a limit, it closes the connection without a valid key that has been
 * idle longest, or returns false if there is none.
 */
export function connectionLimits(
  limits: { readonly connections: number; readonly connectionsPerAddress: number },
  isProxy: (address: string) => boolean,
): (socket: Socket) => boolean {
  const all: Group = { max: limits.connections, open: 0, streams: 0, keyless: new Set() };
  const networks = new Map<string, Group>();
  return (socket) => {
    const network = peerNetwork(socket, isProxy);
    const groups = [all];
    const own = { max: limits.connectionsPerAddress, open: 0, streams: 0, keyless: new Set<Socket>() };
    if (network !== undefined) groups.push(networks.get(network) ?? own);
    if (groups.some(({ max, open, keyless }) => open >= max && keyless.size === 0)) return false;
    for (const { max, open, keyless } of groups) {
      const [oldest] = open >= max ? keyless : [];
      oldest?.destroy();
      if (oldest) leave(oldest);
    }
    if (network !== undefined) networks.set(network, groups[1] ?? own);
    groupsOf.set(socket, { socket, groups });
    for (const group of groups) {
      group.open += 1;
      // A proxy's connection is never closed to admit another one, because it serves many clients.
      if (network !== undefined) group.keyless.add(socket);
    }
    socket.once("close", () => {
      leave(socket);
      if (network !== undefined && networks.get(network)?.open === 0) networks.delete(network);
    });
    return true;
  };
}

function leave(socket: Socket): void {
  for (const group of groupsOf.get(socket)?.groups ?? []) {
    group.open -= 1;
    group.keyless.delete(socket);
  }
  groupsOf.delete(socket);
}

/** Counts a session's requests for its socket. Returns the streams of its address; undefined for a proxy. */
export function joinSession(session: object, socket: Socket): { streams: number } | undefined {
  const joined = groupsOf.get(socket);
  if (joined) groupsOf.set(session, joined);
  return joined?.groups[1];
}

/** Notes a request on its connection. A valid key protects the connection from being closed at a limit. */
export function noteRequest(request: Request, hasKey: boolean): void {
  const { socket, groups = [] } = groupsOf.get(("stream" in request && request.stream.session) || request.socket) ?? {};
  if (socket) for (const { keyless } of groups) if (keyless.delete(socket) && !hasKey) keyless.add(socket);
}

/** Returns the network of the client, for limits per network; undefined for a proxy, which serves many networks. */
export function peerNetwork(socket: Socket, isProxy: (address: string) => boolean): string | undefined {
  const address = plain(socket.remoteAddress ?? "");
  return isProxy(address) ? undefined : networkOf(address);
}
