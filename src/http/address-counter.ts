import type { Socket } from "node:net";
import { networkOf } from "../interceptors/network.ts";
import { plain } from "./client-address.ts";

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
      const address = plain(socket.remoteAddress ?? "");
      if (isProxy(address)) return true;
      const network = networkOf(address);
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
