import type { Socket } from "node:net";
import { networkOf } from "../../interceptors/network.ts";
import { plain } from "../client-address.ts";
import type { Request } from "../node-message.ts";

/** Connections that share a limit. */
interface Group {
  readonly max: number;
  open: number;
  /** Open HTTP/2 streams. */
  streams: number;
  /** Those without a valid key, in the order of their last requests. */
  readonly keyless: Set<Socket>;
}

/** Limits open connections. A valid key protects its connection: idle ones without a key can't lock it out. */
export interface ConnectionLimits {
  /** At a limit, disconnects the keyless connection whose last request is oldest. False if there is none. */
  readonly enter: (socket: Socket) => boolean;
}

/** By socket or HTTP/2 session: the `socket` of a session is a proxy object. */
const groupsOf = new WeakMap<object, { readonly socket: Socket; readonly groups: readonly Group[] }>();

export function connectionLimits(
  limits: { readonly connections: number; readonly connectionsPerAddress: number },
  isProxy: (address: string) => boolean,
): ConnectionLimits {
  const all: Group = { max: limits.connections, open: 0, streams: 0, keyless: new Set() };
  const networks = new Map<string, Group>();
  return {
    enter(socket) {
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
        // A trusted proxy speaks for many clients.
        if (network !== undefined) group.keyless.add(socket);
      }
      socket.once("close", () => {
        leave(socket);
        if (network !== undefined && networks.get(network)?.open === 0) networks.delete(network);
      });
      return true;
    },
  };
}

function leave(socket: Socket): void {
  for (const group of groupsOf.get(socket)?.groups ?? []) {
    group.open -= 1;
    group.keyless.delete(socket);
  }
  groupsOf.delete(socket);
}

/** Requests of the session count for its connection. Returns the streams of its address; undefined for a proxy. */
export function joinSession(session: object, socket: Socket): { streams: number } | undefined {
  const joined = groupsOf.get(socket);
  if (joined) groupsOf.set(session, joined);
  return joined?.groups[1];
}

/** Notes a request on its connection: one with a valid key protects it. */
export function noteRequest(request: Request, hasKey: boolean): void {
  const { socket, groups = [] } = groupsOf.get(("stream" in request && request.stream.session) || request.socket) ?? {};
  if (socket) for (const { keyless } of groups) if (keyless.delete(socket) && !hasKey) keyless.add(socket);
}

/** The network that a connection counts for; undefined for a proxy, which speaks for many. */
export function peerNetwork(socket: Socket, isProxy: (address: string) => boolean): string | undefined {
  const address = plain(socket.remoteAddress ?? "");
  return isProxy(address) ? undefined : networkOf(address);
}
