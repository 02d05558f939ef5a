import { Agent, buildConnector } from "undici";
import { mayBeCalled } from "./public-address.ts";
import { addressesOf, type Resolve } from "./resolver.ts";

/** What may be called, and how long is waited for a connection. */
export interface GuardOptions {
  readonly resolve: Resolve;
  /** This machine may be called too. */
  readonly allowLoopback: boolean;
  readonly connectMs: number;
}

/** A URL of a stranger leads to an address that is not public. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * Connects to public addresses alone. A name is resolved anew for every connection, all its addresses are judged, and the
 * connection goes to one of those judged: a name that changes its answer in between changes nothing.
 */
export function guardedAgent({ resolve, allowLoopback, connectMs }: GuardOptions): Agent {
  const connector = buildConnector({ timeout: connectMs, allowH2: false });
  return new Agent({
    // A connection is judged when it is made, so none is kept for later.
    pipelining: 0,
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, "");
      addressesOf(host, resolve, connectMs)
        .then((addresses) => {
          const [first] = addresses.toSorted((a, b) => a.family - b.family);
          if (!first || !addresses.every(({ address }) => mayBeCalled(address, allowLoopback)))
            throw new AddressRefused("the address is not public");
          // TLS still asks for the name, by `host`, and the certificate must hold it.
          connector({ ...options, hostname: first.address }, callback);
        })
        .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null));
    },
  });
}
