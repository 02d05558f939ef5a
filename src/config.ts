import { resolve } from "node:path";
import { ConfigurationError } from "./errors.ts";

/** Everything that is set from outside. */
export interface Config {
  /** Where the sources' answers come from. */
  readonly data: "live" | "sample";
  readonly directory: string;
  readonly databaseUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  /** Port of `/metrics` alone; without it they are served on the main port to the operator's key. */
  readonly metricsPort: number | undefined;
  readonly operatorKey: string | undefined;
  /** Whether demo keys are made and taken. */
  readonly demo: boolean;
  /** Origins of browsers that are let in; empty means all. */
  readonly allowedOrigins: readonly string[];
  /** CIDR blocks of the proxies whose word on the client's address is taken. */
  readonly trustedProxies: readonly string[];
  /** Names of the headers in which a trusted edge tells country, region and city. */
  readonly geoHeaders: readonly string[];
  readonly geoipDatabase: string | undefined;
  readonly geocoder: { readonly url: string; readonly contact: string } | undefined;
  /** Requests per 60 seconds of a plan, where they differ from the table's. */
  readonly planLimits: ReadonlyMap<string, number>;
  readonly logLevel: string;
  /** Value of a source's own variable; undefined or empty means not set. */
  readonly variable: (name: string) => string | undefined;
}

/** One setting, for the table in the documentation and for `ids doctor`. */
export interface Setting {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
}

/** Every setting but the sources' own variables, which the datasets declare. */
export const settings: readonly Setting[] = [
  { name: "PORT", fallback: "8080", meaning: "Port of the API" },
  {
    name: "IDS_HOST",
    fallback: "127.0.0.1",
    meaning: "Address to listen on; demo keys work on a loopback address only",
  },
  {
    name: "IDS_DATA",
    fallback: "live",
    meaning:
      "`live` asks the upstreams, `sample` plays the illustrative sample answers (`make serve` chooses `sample`)",
  },
  { name: "IDS_DATA_DIR", fallback: ".data", meaning: "Folder of the embedded database and the demo keys" },
  { name: "DATABASE_URL", fallback: "", meaning: "Postgres 15 or newer; unset means the embedded database" },
  { name: "IDS_OPERATOR_KEY", fallback: "", meaning: "Fixes the operator's key: `ids_` and 40 hexadecimal digits" },
  { name: "IDS_DEMO", fallback: "", meaning: "`on` lets demo keys work on any address" },
  {
    name: "IDS_METRICS_PORT",
    fallback: "",
    meaning: "Serves `/metrics` alone, without a key, on this port of the same address",
  },
  {
    name: "IDS_ALLOWED_ORIGINS",
    fallback: "",
    meaning: "Origins of browsers let in, separated by commas; unset means all",
  },
  {
    name: "IDS_TRUSTED_PROXIES",
    fallback: "",
    meaning: "CIDR blocks of proxies whose `X-Forwarded-For` and edge headers are believed",
  },
  {
    name: "IDS_GEO_HEADERS",
    fallback: "",
    meaning: "Names of a trusted edge's headers for country, region and city, separated by commas",
  },
  { name: "IDS_GEOIP_DB", fallback: "", meaning: "Path of an MMDB file (MaxMind or DB-IP shape) for GetIpGeo" },
  {
    name: "IDS_GEOCODER_URL",
    fallback: "",
    meaning: "Base URL of a Nominatim-compatible geocoder; unset means the offline lookup",
  },
  {
    name: "IDS_GEOCODER_CONTACT",
    fallback: "",
    meaning: "Address or mail the geocoder's operator can reach; required with `IDS_GEOCODER_URL`",
  },
  { name: "IDS_PLAN_LIMITS", fallback: "", meaning: "Requests per minute of plans, such as `free=60,enterprise=5000`" },
  { name: "IDS_LOG_LEVEL", fallback: "info", meaning: "`debug`, `info`, `warn`, `error` or `silent`" },
];

const fallbacks = new Map(settings.map(({ name, fallback }) => [name, fallback]));
const loopback = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

/** Reads the environment; the only place that does. Throws `ConfigurationError` naming the variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const text = (name: string) => environment[name] || fallbacks.get(name) || "";
  const optional = (name: string) => text(name) || undefined;
  const list = (name: string) =>
    text(name)
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  const host = text("IDS_HOST");
  const geoHeaders = list("IDS_GEO_HEADERS").map((name) => name.toLowerCase());
  if (geoHeaders.length !== 0 && geoHeaders.length !== 3)
    throw new ConfigurationError("IDS_GEO_HEADERS must name three headers: country, region, city");
  const metricsPort = optional("IDS_METRICS_PORT");
  return {
    data: oneOf("IDS_DATA", text("IDS_DATA"), ["live", "sample"]),
    directory: resolve(text("IDS_DATA_DIR")),
    databaseUrl: optional("DATABASE_URL"),
    host,
    port: portOf("PORT", text("PORT")),
    metricsPort: metricsPort === undefined ? undefined : portOf("IDS_METRICS_PORT", metricsPort),
    operatorKey: operatorKey(optional("IDS_OPERATOR_KEY")),
    demo: text("IDS_DATA") === "sample" && (loopback.test(host) || text("IDS_DEMO") === "on"),
    allowedOrigins: list("IDS_ALLOWED_ORIGINS"),
    trustedProxies: list("IDS_TRUSTED_PROXIES"),
    geoHeaders,
    geoipDatabase: optional("IDS_GEOIP_DB"),
    geocoder: geocoder(optional("IDS_GEOCODER_URL"), optional("IDS_GEOCODER_CONTACT")),
    planLimits: new Map(list("IDS_PLAN_LIMITS").map(planLimit)),
    logLevel: oneOf("IDS_LOG_LEVEL", text("IDS_LOG_LEVEL"), ["debug", "info", "warn", "error", "silent"]),
    variable: (name) => environment[name] || undefined,
  };
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new ConfigurationError(`${name} must be one of ${allowed.join(", ")}`);
  return found;
}

function portOf(name: string, text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new ConfigurationError(`${name} must be a port, 0 to 65535`);
  return port;
}

function operatorKey(key: string | undefined): string | undefined {
  if (key !== undefined && !/^ids_[0-9a-f]{40}$/.test(key))
    throw new ConfigurationError("IDS_OPERATOR_KEY must be ids_ and 40 lower-case hexadecimal digits");
  return key;
}

function geocoder(url: string | undefined, contact: string | undefined): Config["geocoder"] {
  if (url === undefined) return undefined;
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new ConfigurationError("IDS_GEOCODER_URL must be an http(s) URL");
  if (contact === undefined) throw new ConfigurationError("IDS_GEOCODER_CONTACT must be set with IDS_GEOCODER_URL");
  return { url: url.replace(/\/+$/, ""), contact };
}

function planLimit(text: string): [plan: string, perMinute: number] {
  const [, plan, perMinute] = /^([a-z_]+)=([1-9]\d{0,8})$/.exec(text) ?? [];
  if (!plan || !perMinute) throw new ConfigurationError(`IDS_PLAN_LIMITS: ${text} is not plan=requests`);
  return [plan, Number(perMinute)];
}
