import ipaddr from "ipaddr.js";

/** All unicast addresses of IPv6 that are given out. */
const givenOut: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Azure's own services answer every virtual machine there, though the address lies in a public range. */
const cloudAddresses = new Set(["168.63.129.16"]);

/**
 * Whether an address belongs to anybody on the public internet. Whatever carries an IPv4 address inside (NAT64, 6to4,
 * Teredo) is refused as a whole, but for the mapped form, which is judged as the address it means.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== "unicast" || cloudAddresses.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(givenOut);
}

/** Whether strangers may have us call an address: a public one, or with `allowLoopback` this machine's own. */
export function mayBeCalled(address: string, allowLoopback: boolean): boolean {
  return isPublicAddress(address) || (allowLoopback && isLoopback(address));
}

/** Whether an address is this machine's own. */
export function isLoopback(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === "loopback";
}
