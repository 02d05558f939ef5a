import { z } from "zod";
import type { SettingTable } from "../setting.ts";
import { anyText, baseUrl, cidrBlock, duration, headerName, host, listOf, oneOf, origin, port } from "../text-types.ts";

const geoHeaders = listOf(headerName, "three header names (country, region, city)").refine(
  ({ length }) => length === 0 || length === 3,
);

export const server = {
  port: { name: "PORT", type: port, default: "8080", meaning: "Port of the API. 0 selects any free port." },
  host: {
    name: "IDS_HOST",
    type: host,
    default: "127.0.0.1",
    meaning:
      "Address to listen on. Demo keys work only on a loopback address and without trusted proxies, unless `IDS_DEMO` is `on`.",
  },
  metricsPort: {
    name: "IDS_METRICS_PORT",
    type: port,
    meaning:
      "Serves only `/metrics`, without a key, on this port of `IDS_HOST`. Keep the port behind a firewall. If not set, `/metrics` is on the API's port and needs the operator's key.",
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
  drainMs: {
    name: "IDS_DRAIN_TIME",
    type: duration,
    meaning:
      "How long the process continues to serve after SIGTERM while `/readyz` returns 503, so that a load balancer can redirect requests. Set it longer than the interval of the balancer's checks times its failure threshold. If not set, the process stops immediately, as it does at SIGINT.",
  },
  logLevel: {
    name: "IDS_LOG_LEVEL",
    type: oneOf("debug", "info", "warn", "error", "silent"),
    default: "info",
    meaning: "Minimum level of logged messages.",
  },
  proxy: {
    https: {
      name: "HTTPS_PROXY",
      type: baseUrl,
      meaning: "Proxy for requests to https upstreams and webhooks, with CONNECT, such as `http://proxy.example:3128`.",
      secret: "password",
    },
    except: {
      name: "NO_PROXY",
      type: anyText,
      default: "",
      meaning: "Hosts and domains that are reached without the proxy, separated by commas; `*` for all.",
    },
  },
  purgeUrl: {
    name: "IDS_PURGE_URL",
    type: baseUrl,
    meaning:
      "URL of a shared cache in front of the service, such as `http://varnish.internal:6081`. When a dataset changes, the cache gets a `PURGE` request with the dataset's name in `Surrogate-Key`. It must then drop the responses that have this name in their own `Surrogate-Key`. A user and password in the URL are sent as basic authentication. If not set, responses stay in the cache for their `s-maxage`.",
    secret: "password",
  },
  logFormat: {
    name: "IDS_LOG_FORMAT",
    type: oneOf("json", "text"),
    meaning:
      "Format of the log: `json`, one JSON object per line, or `text` for people. If not set, `text` on a terminal and `json` elsewhere. Colors follow `NO_COLOR` and `FORCE_COLOR`.",
  },
  commit: {
    name: "IDS_COMMIT",
    type: anyText,
    default: "unknown",
    meaning: "Commit of the running program, as GetResilienceRuntimeManifest returns it.",
  },
} as const satisfies SettingTable;

const share = z.string().transform(Number).pipe(z.number().min(0).max(1)).describe("a number from 0 to 1");

export const telemetry = {
  openTelemetry: {
    endpoint: {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      type: baseUrl,
      meaning:
        "Collector that receives traces and metrics by OTLP over HTTP, such as `http://collector:4318`. Needs the OpenTelemetry packages, which read further [variables](monitoring.md#opentelemetry). If not set, nothing is recorded.",
      secret: "password",
    },
    ratio: {
      name: "OTEL_TRACES_SAMPLER_ARG",
      type: share,
      default: "0.01",
      meaning:
        "Share of the requests that are recorded. Jobs are always recorded, and so are requests that the caller records.",
    },
  },
} as const satisfies SettingTable;

export const client = {
  url: {
    name: "IDS_URL",
    type: baseUrl.describe("the address of a running service, such as http://127.0.0.1:8080"),
    meaning: "Service that the account commands call. If not set, `http://127.0.0.1` on `PORT`.",
    secret: "password",
  },
  apiKey: {
    name: "IDS_API_KEY",
    type: anyText,
    meaning: "API key of the account commands. If not set, `IDS_OPERATOR_KEY`.",
    secret: "value",
  },
} as const satisfies SettingTable;
