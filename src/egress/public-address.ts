import ipaddr from "ipaddr.js";

/** The allocated unicast range of IPv6. */
const allocatedRange: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Azure serves internal services to every virtual machine at this address, although its range is public. */
const cloudAddresses = new Set(["168.63.129.16"]);

/** Addresses that embed IPv4 (NAT64, 6to4, Teredo) are rejected. IPv4-mapped addresses are checked as IPv4. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== "unicast" || cloudAddresses.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(allocatedRange);
}

/** Whether the service may call this address for a user: a public one, or a loopback one with `allowLoopback`. */
export function mayBeCalled(address: string, allowLoopback: boolean): boolean {
  return isPublicAddress(address) || (allowLoopback && isLoopback(address));
}

export function isLoopback(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === "loopback";
}
