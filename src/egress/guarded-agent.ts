import type { Dispatcher } from "undici";
import { libraries } from "../reference/libraries.ts";
import { type ProxySettings, proxyOptions } from "./proxy.ts";
import { mayBeCalled } from "./public-address.ts";
import { addressesOf, type Resolve } from "./resolver.ts";

export interface GuardOptions {
  readonly resolve: Resolve;
  readonly allowLoopback: boolean;
  readonly connectMs: number;
  readonly proxy: ProxySettings;
}

/** Thrown if a URL of a user resolves to an address that is not public. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * An agent that connects only to public addresses. It resolves and checks a name for every connection, and connects to
 * one of the checked addresses. This prevents DNS rebinding. A proxy receives the address instead of the name.
 */
export function guardedAgent({ resolve, allowLoopback, connectMs, proxy }: GuardOptions): Dispatcher {
  const { buildConnector, EnvHttpProxyAgent } = libraries.undici();
  const connector = buildConnector({ timeout: connectMs, allowH2: false });
  const checkedAddress = async (host: string): Promise<string> => {
    const addresses = await addressesOf(host.replace(/^\[|\]$/g, ""), resolve, connectMs);
    const [first] = addresses.toSorted((a, b) => a.family - b.family);
    if (!first || !addresses.every(({ address }) => mayBeCalled(address, allowLoopback)))
      throw new AddressRefused("the address is not public");
    return first.address;
  };
  return new EnvHttpProxyAgent({
    ...proxyOptions(proxy),
    // A connection is used for one request, because addresses are checked when it is opened.
    pipelining: 0,
    connect(options, callback) {
      checkedAddress(options.hostname)
        // TLS still checks the certificate for the name in `host`, although the connection uses an address.
        .then((hostname) => connector({ ...options, hostname }, callback))
        .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null));
    },
    connectTimeout: connectMs,
    clientFactory: (origin, options) => checkedTunnels(origin, options, checkedAddress),
  });
}

/** Connects through a proxy, which gets the checked address instead of the name. */
function checkedTunnels(origin: URL, options: object, checkedAddress: (host: string) => Promise<string>): Dispatcher {
  const { Pool } = libraries.undici();
  class CheckedTunnels extends Pool {
    override async connect(requested: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
      const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(requested.path) ?? [];
      const address = await checkedAddress(host);
      return super.connect({ ...requested, path: `${address.includes(":") ? `[${address}]` : address}:${port}` });
    }
  }
  return new CheckedTunnels(origin, options);
}
