/** Returns the address range that one client controls: an IPv4 address, or the /64 network of an IPv6 address. */
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
