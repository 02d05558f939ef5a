import type { EnvHttpProxyAgent } from "undici";

export interface ProxySettings {
  /** URL of the proxy for https requests; undefined if requests are sent directly. */
  readonly https: string | undefined;
  /** Comma-separated host names that are requested without the proxy; `*` means all. */
  readonly except: string;
}

export const noProxy: ProxySettings = { https: undefined, except: "" };

/** Returns the options of undici's agent. All are set, because undici would read missing ones from the environment. */
export function proxyOptions({ https = "", except }: ProxySettings): EnvHttpProxyAgent.Options {
  return { httpProxy: "", httpsProxy: https, noProxy: except };
}
