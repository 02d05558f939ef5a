import type { EnvHttpProxyAgent } from "undici";

/** The proxy through which a closed network is left. */
export interface ProxySettings {
  /** For https alone; every request goes out directly where there is none. */
  readonly https: string | undefined;
  /** Names that are called directly, separated by commas; `*` for all. */
  readonly except: string;
}

export const noProxy: ProxySettings = { https: undefined, except: "" };

/** What undici's agent makes of it; it would else read the environment by itself. */
export function proxyOptions({ https = "", except }: ProxySettings): EnvHttpProxyAgent.Options {
  return { httpProxy: "", httpsProxy: https, noProxy: except };
}
