import type { Dispatcher } from "undici";
import { libraries } from "../reference/libraries.ts";
import { type ProxySettings, proxyOptions } from "./proxy.ts";
import { mayBeCalled } from "./public-address.ts";
import { addressesOf, type Resolve } from "./resolver.ts";

/** What may be called, and how long is waited for a connection. */
export interface GuardOptions {
  readonly resolve: Resolve;
  /** This machine may be called too. */
  readonly allowLoopback: boolean;
  readonly connectMs: number;
  readonly proxy: ProxySettings;
}

/** A URL of a stranger leads to an address that is not public. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * Connects to public addresses alone. A name is resolved anew for every connection, all its addresses are judged, and the
 * connection goes to one of those judged: a name that changes its answer in between changes nothing. A proxy is told that
 * address, not the name.
 */
export function guardedAgent({ resolve, allowLoopback, connectMs, proxy }: GuardOptions): Dispatcher {
  const { buildConnector, EnvHttpProxyAgent } = libraries.undici();
  const connector = buildConnector({ timeout: connectMs, allowH2: false });
  const judgedAddress = async (host: string): Promise<string> => {
    const addresses = await addressesOf(host.replace(/^\[|\]$/g, ""), resolve, connectMs);
    const [first] = addresses.toSorted((a, b) => a.family - b.family);
    if (!first || !addresses.every(({ address }) => mayBeCalled(address, allowLoopback)))
      throw new AddressRefused("the address is not public");
    return first.address;
  };
  return new EnvHttpProxyAgent({
    ...proxyOptions(proxy),
    // A connection is judged when it is made, so none is kept for later.
    pipelining: 0,
    connect(options, callback) {
      judgedAddress(options.hostname)
        // TLS still asks for the name, by `host`, and the certificate must hold it.
        .then((hostname) => connector({ ...options, hostname }, callback))
        .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null));
    },
    connectTimeout: connectMs,
    clientFactory: (origin, options) => judgedTunnels(origin, options, judgedAddress),
  });
}

/** Connections to a proxy, which lead on to judged addresses alone. */
function judgedTunnels(origin: URL, options: object, judgedAddress: (host: string) => Promise<string>): Dispatcher {
  const { Pool } = libraries.undici();
  class JudgedTunnels extends Pool {
    override async connect(requested: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
      const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(requested.path) ?? [];
      const address = await judgedAddress(host);
      return super.connect({ ...requested, path: `${address.includes(":") ? `[${address}]` : address}:${port}` });
    }
  }
  return new JudgedTunnels(origin, options);
}
