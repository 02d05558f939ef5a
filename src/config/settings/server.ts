import type { SettingTable } from "../setting.ts";
import {
  anyText,
  baseUrl,
  cidrBlock,
  count,
  duration,
  headerLine,
  headerName,
  host,
  listOf,
  oneOf,
  origin,
  port,
} from "../text-types.ts";

const geoHeaders = listOf(headerName, "three header names (country, region, city)").refine(
  ({ length }) => length === 0 || length === 3,
);

export const server = {
  port: { name: "PORT", type: port, default: "8080", meaning: "Port of the API. 0 takes any free port." },
  host: {
    name: "IDS_HOST",
    type: host,
    default: "127.0.0.1",
    meaning: "Address to listen on. Demo keys work on a loopback address only, unless `IDS_DEMO` is `on`.",
  },
  metricsPort: {
    name: "IDS_METRICS_PORT",
    type: port,
    meaning:
      "Serves `/metrics` alone, without a key, on this port of `IDS_HOST`. Keep the port behind a firewall. If not set, `/metrics` is on the API's port and needs the operator's key.",
  },
  allowedOrigins: {
    name: "IDS_ALLOWED_ORIGINS",
    type: listOf(origin, "origins such as https://example.org:8443"),
    default: "",
    meaning: "Origins whose pages may call the API from a browser. If not set, all may.",
  },
  trustedProxies: {
    name: "IDS_TRUSTED_PROXIES",
    type: listOf(cidrBlock, "CIDR blocks such as 10.0.0.0/8"),
    default: "",
    meaning:
      "Proxies whose `X-Forwarded-For` and edge headers are trusted. Without it, all callers of a proxy count as one address.",
  },
  geoHeaders: {
    name: "IDS_GEO_HEADERS",
    type: geoHeaders,
    default: "",
    meaning: "Headers in which a trusted proxy sends the caller's country, region and city.",
  },
  /** What one peer may hold of the port. */
  peers: {
    connections: {
      name: "IDS_CONNECTIONS_PER_ADDRESS",
      type: count,
      default: "2000",
      meaning:
        "Maximum open connections from one address. One more disconnects the one without a valid key that was silent longest. Trusted proxies are exempt.",
    },
    stalledMs: {
      name: "IDS_READER_TIMEOUT",
      type: duration,
      default: "60s",
      meaning:
        "Time after which a client that reads nothing of its response is disconnected. It takes at most twice this time. What a client has read shows in steps: 16 KiB over HTTP/2; over HTTP/1.1 what the operating system lets drain at once, up to about 1 MB.",
    },
  },
  drainMs: {
    name: "IDS_DRAIN_TIME",
    type: duration,
    meaning:
      "How long the process goes on serving after SIGTERM while `/readyz` is 503, so that a balancer sends requests elsewhere before connections end. Longer than the balancer takes to turn elsewhere: the interval of its checks times the failures it waits for. If not set, it stops at once, as it does at SIGINT.",
  },
  logLevel: {
    name: "IDS_LOG_LEVEL",
    type: oneOf("debug", "info", "warn", "error", "silent"),
    default: "info",
    meaning: "Lowest level of the messages that are logged.",
  },
  /** The way out of a closed network. */
  proxy: {
    https: {
      name: "HTTPS_PROXY",
      type: baseUrl,
      meaning:
        "Proxy through which https upstreams and webhooks are reached, with CONNECT, such as `http://proxy.example:3128`.",
      secret: "password",
    },
    except: {
      name: "NO_PROXY",
      type: anyText,
      default: "",
      meaning: "Hosts and domains that are reached without the proxy, separated by commas; `*` for all.",
    },
  },
  /** A shared cache in front of public reads. */
  purge: {
    url: {
      name: "IDS_PURGE_URL",
      type: baseUrl,
      meaning:
        "Address of a shared cache in front, such as `http://varnish.internal:6081`. When a dataset changes, it gets a request with the dataset's name in `Surrogate-Key`: it must then forget the responses that have this name in their own `Surrogate-Key`. If not set, responses stay in the cache for their `s-maxage`.",
      secret: "password",
    },
    method: {
      name: "IDS_PURGE_METHOD",
      type: oneOf("PURGE", "POST"),
      default: "PURGE",
      meaning: "HTTP method of the requests to `IDS_PURGE_URL`.",
    },
    header: {
      name: "IDS_PURGE_HEADER",
      type: headerLine,
      meaning: "Header that proves to `IDS_PURGE_URL` who asks, as `Name: value`.",
      secret: "value",
    },
  },
  logFormat: {
    name: "IDS_LOG_FORMAT",
    type: oneOf("json", "text"),
    meaning:
      "Form of the log: `json`, a JSON object a line, or `text` for people. If not set, `text` on a terminal and `json` elsewhere. Colors follow `NO_COLOR` and `FORCE_COLOR`.",
  },
  commit: {
    name: "IDS_COMMIT",
    type: anyText,
    default: "unknown",
    meaning: "Commit of the running program, as GetResilienceRuntimeManifest returns it.",
  },
} as const satisfies SettingTable;
