import type { EnvHttpProxyAgent } from "undici";

export interface ProxySettings {
  /** Proxy for https. If undefined, every request is sent directly. */
  readonly https: string | undefined;
  /** Comma-separated names that are called directly; `*` means all. */
  readonly except: string;
}

export const noProxy: ProxySettings = { https: undefined, except: "" };

/** Returns the options of undici's agent. All are set because undici would read the environment otherwise. */
export function proxyOptions({ https = "", except }: ProxySettings): EnvHttpProxyAgent.Options {
  return { httpProxy: "", httpsProxy: https, noProxy: except };
}
