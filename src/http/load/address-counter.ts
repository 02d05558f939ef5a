import type { Socket } from "node:net";
import { networkOf } from "../../interceptors/network.ts";
import { plain } from "../client-address.ts";

/** Counts the open connections of each address. */
export interface AddressCounter {
  /** False where an address has as many as it may; else the connection counts until it closes. */
  readonly enter: (socket: Socket) => boolean;
}

/** Proxies speak for many and are not counted. */
export function addressCounter(most: number, isProxy: (address: string) => boolean): AddressCounter {
  const open = new Map<string, number>();
  return {
    enter(socket) {
      const network = peerNetwork(socket, isProxy);
      if (network === undefined) return true;
      const others = open.get(network) ?? 0;
      if (others >= most) return false;
      open.set(network, others + 1);
      socket.once("close", () => {
        const left = (open.get(network) ?? 1) - 1;
        if (left === 0) open.delete(network);
        else open.set(network, left);
      });
      return true;
    },
  };
}

/** For whom a connection counts; undefined for a proxy, which speaks for many. */
export function peerNetwork(socket: Socket, isProxy: (address: string) => boolean): string | undefined {
  const address = plain(socket.remoteAddress ?? "");
  return isProxy(address) ? undefined : networkOf(address);
}
