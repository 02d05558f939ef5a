/** The roles that a database URL can require of a host, with the names of libpq. */
export const wantedHosts = ["any", "primary", "read-write", "standby", "read-only", "prefer-standby"] as const;
export type WantedHost = (typeof wantedHosts)[number];

/**
 * The hosts of a database URL, which may be a list as in libpq:
 * `postgres://user@one:5432,two:5432/ids?target_session_attrs=primary`.
 */
export interface Hosts {
  readonly addresses: readonly string[];
  readonly wanted: WantedHost;
}

export function meansPrimary(wanted: WantedHost): boolean {
  return wanted === "primary" || wanted === "read-write";
}

const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/;

/** Returns the hosts of a database URL. Undefined if the text is not such a URL. */
export function hostsOf(url: string): Hosts | undefined {
  const [, head = "", list = "", path = "", query = ""] = parts.exec(url) ?? [];
  if (head === "") return undefined;
  const parameters = new URLSearchParams(query);
  const attributes = parameters.get("target_session_attrs") ?? "any";
  parameters.delete("target_session_attrs");
  const rest = parameters.size > 0 ? `${path}?${parameters}` : path;
  const addresses = list.split(",").map((host) => `${head}${host}${rest}`);
  const known = wantedHosts.find((each) => each === attributes);
  return known !== undefined && addresses.every((address) => URL.canParse(address))
    ? { addresses, wanted: known }
    : undefined;
}
