/** Returns the network of a client. It is one IPv4 address, or a /64 of IPv6, because one client controls all of it. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [start = [], end] = address.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const gap = end ? 8 - start.length - end.length : 0;
  const groups = [...start, ...new Array<string>(Math.max(gap, 0)).fill("0"), ...(end ?? [])];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
