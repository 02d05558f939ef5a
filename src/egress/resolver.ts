import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Returns all addresses of a host name. Throws if it has none. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

/** Timeout of a query to a name server. If the server does not respond, it is queried once more. */
const queryMs = 1_000;
const maxQueries = 2;

/** Resolves names with name servers, so that a slow one blocks no other lookup. Ignores the hosts file. */
export function nameServerResolver(servers?: readonly string[]): Resolve {
  return async (host) => {
    const resolver = new Resolver({ timeout: queryMs, tries: maxQueries });
    if (servers) resolver.setServers(servers);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason;
    const found = (family: Address["family"], response: typeof v4) =>
      response.status === "fulfilled" ? response.value.map((address) => ({ address, family })) : [];
    return [...found(4, v4), ...found(6, v6)];
  };
}

/** Returns the addresses of a host within a time limit. An address is returned unchanged. */
export async function addressesOf(host: string, resolve: Resolve, withinMs: number): Promise<readonly Address[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the name was not resolved in time")), withinMs);
  });
  try {
    return await Promise.race([resolve(host), late]);
  } finally {
    clearTimeout(timer);
  }
}
