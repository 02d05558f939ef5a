import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";

/** One address of a name. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a name; throws when there is none. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

/** Of one question to one server; a server that never answers is asked twice. */
const questionMs = 1_000;
const questions = 2;

/**
 * Asks the machine's name servers itself, without the process's few threads for blocking calls: a name whose server never
 * answers holds up nobody else. Names of the hosts file are not found, for none of them is public.
 */
export function nameServerResolver(servers?: readonly string[]): Resolve {
  return async (host) => {
    const resolver = new Resolver({ timeout: questionMs, tries: questions });
    if (servers) resolver.setServers(servers);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason;
    const found = (family: Address["family"], response: typeof v4) =>
      response.status === "fulfilled" ? response.value.map((address) => ({ address, family })) : [];
    return [...found(4, v4), ...found(6, v6)];
  };
}

/** An address is its own; everything else is looked up within the time. */
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
