import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

/** One address of a name. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a name; throws when there is none. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

/** What this machine's resolver says. */
export const systemResolver: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));

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
