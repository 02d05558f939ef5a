import { BlockList, isIP } from "node:net";
import type { Caller } from "../access/caller.ts";

interface Arrival {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Finds the client of a request from the socket's address, or from the headers of trusted proxies. */
export interface ClientAddress {
  readonly addressOf: (request: Arrival) => string;
  readonly edgeOf: (request: Arrival) => Caller["edge"] | undefined;
  /** Returns whether the peer is a trusted proxy, which serves many clients. */
  readonly isProxy: (peer: string) => boolean;
}

/** Without trusted proxies, only the address of the socket counts, and forwarded headers are ignored. */
export function clientAddress(trustedProxies: readonly string[], geoHeaders: readonly string[]): ClientAddress {
  const trusted = blockList(trustedProxies);
  const isTrusted = (address: string) => {
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 4 ? "ipv4" : "ipv6");
  };
  const addressOf = (request: Arrival) => {
    const peer = plain(request.socket.remoteAddress ?? "");
    if (trustedProxies.length === 0 || !isTrusted(peer)) return peer;
    const hops = String(request.headers["x-forwarded-for"] ?? "")
      .split(",")
      .map((hop) => plain(hop.trim()));
    // The last address in the header that is not a trusted proxy belongs to the client.
    return hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop)) ?? peer;
  };
  const edgeOf = (request: Arrival) => {
    const [country, region, city] = geoHeaders;
    if (!country || !region || !city || !isTrusted(plain(request.socket.remoteAddress ?? ""))) return undefined;
    const text = (name: string) => String(request.headers[name] ?? "");
    return { country: text(country), region: text(region), city: text(city) };
  };
  return { addressOf, edgeOf, isProxy: (peer) => isTrusted(plain(peer)) };
}

/** Normalizes an address: removes brackets, the port, and the prefix of IPv4 addresses in IPv6 format. */
export function plain(address: string): string {
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^::ffff:(?=\d+\.)/i, "");
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(bare) ? bare.slice(0, bare.indexOf(":")) : bare;
}

function blockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = "", bits] = block.split("/");
    const isIPv4 = isIP(address) === 4;
    list.addSubnet(address, Number(bits ?? (isIPv4 ? 32 : 128)), isIPv4 ? "ipv4" : "ipv6");
  }
  return list;
}
