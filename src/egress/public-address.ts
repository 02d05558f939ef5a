import ipaddr from "ipaddr.js";

/** Range of IPv6 from which public addresses are assigned. */
const allocatedRange: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Azure uses this address for internal services on every virtual machine, although it is in a public range. */
const cloudAddresses = new Set(["168.63.129.16"]);

/** Returns whether an address is public. Mapped IPv4 is checked as IPv4; other embedded IPv4 is rejected. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== "unicast" || cloudAddresses.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(allocatedRange);
}

/** Returns whether the service may call an address for a user: it is public, or loopback and `allowLoopback` is set. */
export function mayBeCalled(address: string, allowLoopback: boolean): boolean {
  return isPublicAddress(address) || (allowLoopback && isLoopback(address));
}

export function isLoopback(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === "loopback";
}
