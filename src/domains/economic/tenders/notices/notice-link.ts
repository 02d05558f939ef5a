/**
 * Returns the link in its normal form, or undefined. The link must use https on one of the hosts, without credentials
 * and on the default port. A host with a leading dot, such as `.worldbank.org`, includes its subdomains.
 */
export function officialLink(url: string | undefined, hosts: readonly string[]): string | undefined {
  const link = URL.parse(url ?? "");
  if (link?.protocol !== "https:" || link.username || link.password || link.port) return undefined;
  return hosts.some((host) => isOn(host, link.hostname)) ? link.href : undefined;
}

function isOn(host: string, name: string): boolean {
  return host.startsWith(".") ? `.${name}`.endsWith(host) : name === host;
}
