import { isIP } from "node:net";
import { resolve } from "node:path";
import { isKeyShaped } from "../access/keys/api-key.ts";
import type { PlanLimits } from "../access/plans.ts";
import { isSecret } from "../access/secret.ts";
import { ConfigurationError } from "../errors.ts";
import { type Mask, maskOf } from "./masking.ts";
import { fallbacks } from "./settings.ts";
import { type StripeSettings, stripe, stripePrice } from "./stripe-settings.ts";

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
  /** 64 hexadecimal digits each, the one that writes first; none: kept in the data folder. */
  readonly secretKeys: readonly string[];
  /** Live keys an account may have. */
  readonly mostKeys: number;
  /** Whether demo keys are made and taken. */
  readonly demo: boolean;
  /** Origins of browsers that are let in; empty means all. */
  readonly allowedOrigins: readonly string[];
  /** CIDR blocks of the proxies whose word on the client's address is taken. */
  readonly trustedProxies: readonly string[];
  /** Bound to this machine alone, with no proxy before it. */
  readonly isLocal: boolean;
  /** Names of the headers in which a trusted edge tells country, region and city. */
  readonly geoHeaders: readonly string[];
  readonly geoipDatabase: string | undefined;
  readonly geocoder: { readonly url: string; readonly contact: string } | undefined;
  readonly flights: {
    readonly provider: "adsb" | "opensky";
    readonly scheduleUrl: string | undefined;
    readonly photoUrl: string | undefined;
    readonly contact: string | undefined;
  };
  /** Redis or Valkey, for counters that processes share. */
  readonly redisUrl: string | undefined;
  /** Limits of a plan, where they differ from the table's. */
  readonly planLimits: ReadonlyMap<string, Partial<PlanLimits>>;
  /** Whether company monitoring is served. */
  readonly companyMonitoring: boolean;
  /** Form of resilience scores. */
  readonly resilienceSchema: "1.0" | "2.0";
  /** The commit that runs. */
  readonly commit: string;
  readonly webhooks: {
    /** They may lead to this machine. */
    readonly allowLoopback: boolean;
    /** Waits between attempts, in milliseconds. */
    readonly plan: readonly number[];
    readonly timeoutMs: number;
    /** Deliveries to one of them in a second. */
    readonly perSecond: number;
    readonly mostPerAccount: number;
  };
  /** What one peer may hold of the port: so many connections, and an answer that it does not take for so long. */
  readonly peers: { readonly connections: number; readonly stalledMs: number };
  /** How many scenario jobs may wait in all, and be unfinished of one account. */
  readonly scenarios: { readonly waiting: number; readonly perAccount: number };
  /** Where callers get a higher plan: a URL, or a path of this service. */
  readonly upgradeUrl: string;
  /** The billing provider; each of its two keys opens a part of it. */
  readonly stripe: StripeSettings;
  readonly logLevel: string;
  /** Value of a source's own variable; undefined or empty means not set. */
  readonly variable: (name: string) => string | undefined;
  /** Takes every configured secret out of a text that others read. */
  readonly mask: Mask;
}

const loopback = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

/** Reads the environment; the only place that does. Throws `ConfigurationError` naming the variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const optional = (name: string) => environment[name]?.trim() || undefined;
  const text = (name: string) => optional(name) ?? fallbacks.get(name) ?? "";
  const list = (name: string) =>
    text(name)
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  const data = oneOf("IDS_DATA", text("IDS_DATA"), ["live", "sample"]);
  const host = hostOf(text("IDS_HOST"));
  const proxies = list("IDS_TRUSTED_PROXIES");
  const port = portOf("PORT", text("PORT"));
  const isOn = (name: string) => oneOf(name, text(name), ["", "on", "off"]) === "on";
  const isAsked = isOn("IDS_DEMO");
  return {
    data,
    directory: resolve(text("IDS_DATA_DIR")),
    databaseUrl: databaseUrl(optional("DATABASE_URL")),
    host,
    port,
    metricsPort: metricsPort(optional("IDS_METRICS_PORT"), port),
    operatorKey: operatorKey(optional("IDS_OPERATOR_KEY")),
    secretKeys: secretKeys(list("IDS_SECRET_KEY")),
    mostKeys: positive("IDS_KEYS_PER_ACCOUNT", text("IDS_KEYS_PER_ACCOUNT")),
    isLocal: loopback.test(host) && proxies.length === 0,
    demo: data === "sample" && (loopback.test(host) || isAsked),
    allowedOrigins: list("IDS_ALLOWED_ORIGINS").map(origin),
    trustedProxies: proxies.map(cidrBlock),
    geoHeaders: geoHeaders(list("IDS_GEO_HEADERS")),
    geoipDatabase: optional("IDS_GEOIP_DB"),
    geocoder: geocoder(
      baseUrl("IDS_GEOCODER_URL", optional("IDS_GEOCODER_URL")),
      contact("IDS_GEOCODER_CONTACT", optional("IDS_GEOCODER_CONTACT")),
    ),
    flights: flights({
      provider: oneOf("IDS_FLIGHT_PROVIDER", text("IDS_FLIGHT_PROVIDER"), ["adsb", "opensky"]),
      scheduleUrl: baseUrl("IDS_FLIGHT_SCHEDULE_URL", optional("IDS_FLIGHT_SCHEDULE_URL")),
      photoUrl: baseUrl("IDS_FLIGHT_PHOTO_URL", optional("IDS_FLIGHT_PHOTO_URL")),
      contact: contact("IDS_FLIGHT_CONTACT", optional("IDS_FLIGHT_CONTACT")),
    }),
    redisUrl: redisUrl(optional("REDIS_URL")),
    planLimits: new Map(list("IDS_PLAN_LIMITS").map(planLimit)),
    companyMonitoring: isOn("IDS_COMPANY_MONITORING"),
    resilienceSchema: oneOf("IDS_RESILIENCE_SCHEMA", text("IDS_RESILIENCE_SCHEMA"), ["1.0", "2.0"]),
    commit: text("IDS_COMMIT"),
    webhooks: {
      allowLoopback: isOn("IDS_ALLOW_LOOPBACK_WEBHOOKS"),
      plan: list("IDS_WEBHOOK_RETRIES").map((item) => milliseconds("IDS_WEBHOOK_RETRIES", item)),
      timeoutMs: milliseconds("IDS_WEBHOOK_TIMEOUT", text("IDS_WEBHOOK_TIMEOUT")),
      perSecond: positive("IDS_WEBHOOK_RATE", text("IDS_WEBHOOK_RATE")),
      mostPerAccount: positive("IDS_WEBHOOKS_PER_ACCOUNT", text("IDS_WEBHOOKS_PER_ACCOUNT")),
    },
    peers: {
      connections: positive("IDS_CONNECTIONS_PER_ADDRESS", text("IDS_CONNECTIONS_PER_ADDRESS")),
      stalledMs: milliseconds("IDS_READER_TIMEOUT", text("IDS_READER_TIMEOUT")),
    },
    scenarios: {
      waiting: positive("IDS_SCENARIO_QUEUE", text("IDS_SCENARIO_QUEUE")),
      perAccount: positive("IDS_SCENARIOS_PER_ACCOUNT", text("IDS_SCENARIOS_PER_ACCOUNT")),
    },
    upgradeUrl: upgradeUrl(text("IDS_UPGRADE_URL")),
    stripe: stripe({
      secretKey: optional("IDS_STRIPE_SECRET_KEY"),
      apiUrl: text("IDS_STRIPE_API_URL"),
      webhookSecret: optional("IDS_STRIPE_WEBHOOK_SECRET"),
      prices: new Map(list("IDS_STRIPE_PRICES").map(stripePrice)),
    }),
    logLevel: oneOf("IDS_LOG_LEVEL", text("IDS_LOG_LEVEL"), ["debug", "info", "warn", "error", "silent"]),
    mask: maskOf(environment),
    variable: optional,
  };
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined)
    throw new ConfigurationError(`${name} must be one of ${allowed.filter((word) => word !== "").join(", ")}`);
  return found;
}

function portOf(name: string, text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new ConfigurationError(`${name} must be a port, 0 to 65535`);
  return port;
}

function metricsPort(text: string | undefined, main: number): number | undefined {
  if (text === undefined) return undefined;
  const port = portOf("IDS_METRICS_PORT", text);
  if (port === main && port !== 0) throw new ConfigurationError("IDS_METRICS_PORT must differ from PORT");
  return port;
}

function hostOf(host: string): string {
  const label = "[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?";
  // Four numbers that are no address are no name either.
  const isName = host.length <= 253 && new RegExp(`^${label}(\\.${label})*$`, "i").test(host) && /[a-z]/i.test(host);
  if (isIP(host) === 0 && !isName) throw new ConfigurationError("IDS_HOST must be an IP address or a host name");
  return host;
}

/** The value itself is not shown: it may hold a password. */
function databaseUrl(url: string | undefined): string | undefined {
  if (url !== undefined && !(/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)))
    throw new ConfigurationError("DATABASE_URL must be a URL that begins with postgres:// or postgresql://");
  return url;
}

/** Shown neither, for the same reason. */
function redisUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const parsed = /^rediss?:\/\//.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed?.hostname) throw new ConfigurationError("REDIS_URL must be a URL that begins with redis:// or rediss://");
  if (!/^\/?\d*$/.test(parsed.pathname))
    throw new ConfigurationError("REDIS_URL: the path must be a database's number");
  return url;
}

function operatorKey(key: string | undefined): string | undefined {
  if (key !== undefined && !isKeyShaped(key))
    throw new ConfigurationError("IDS_OPERATOR_KEY must be ids_ and 40 lower-case hexadecimal digits");
  return key;
}

/** The value itself is not shown. */
function secretKeys(texts: readonly string[]): readonly string[] {
  if (!texts.every(isSecret))
    throw new ConfigurationError(
      "IDS_SECRET_KEY must be 64 hexadecimal digits (openssl rand -hex 32); earlier keys may follow after commas",
    );
  return texts;
}

function positive(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new ConfigurationError(`${name} must be a whole number from 1 to 999999`);
  return Number(text);
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** A time such as `250ms`, `5s`, `30m` or `24h`. */
function milliseconds(name: string, text: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})(ms|s|m|h)$/.exec(text) ?? [];
  if (!unit) throw new ConfigurationError(`${name}: ${text} is not a time such as 250ms, 5s, 30m or 24h`);
  return Number(count) * unitMs[unit as keyof typeof unitMs];
}

/** In the form browsers send: without a path, a default port and upper case. */
function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:\/\/[^/?#@\\\s]+$/i.test(text) || url.origin === "null")
    throw new ConfigurationError(`IDS_ALLOWED_ORIGINS: ${text} is not an origin such as https://example.org:8443`);
  return url.origin;
}

function cidrBlock(block: string): string {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(block) ?? [];
  const family = isIP(address);
  if (family === 0 || Number(bits ?? 0) > (family === 4 ? 32 : 128))
    throw new ConfigurationError(`IDS_TRUSTED_PROXIES: ${block} is not a CIDR block`);
  return block;
}

function geoHeaders(names: readonly string[]): readonly string[] {
  if ((names.length !== 0 && names.length !== 3) || !names.every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)))
    throw new ConfigurationError("IDS_GEO_HEADERS must name three headers: country, region, city");
  return names.map((name) => name.toLowerCase());
}

function geocoder(url: string | undefined, contact: string | undefined): Config["geocoder"] {
  if (url === undefined) return undefined;
  if (contact === undefined) throw new ConfigurationError("IDS_GEOCODER_CONTACT must be set with IDS_GEOCODER_URL");
  return { url, contact };
}

function flights(settings: Config["flights"]): Config["flights"] {
  if (settings.photoUrl !== undefined && settings.contact === undefined)
    throw new ConfigurationError("IDS_FLIGHT_CONTACT must be set with IDS_FLIGHT_PHOTO_URL");
  return settings;
}

/** To which paths are added. */
function baseUrl(name: string, url: string | undefined): string | undefined {
  if (url !== undefined && (!URL.canParse(url) || !/^https?:\/\//.test(url)))
    throw new ConfigurationError(`${name} must be an http(s) URL`);
  return url?.replace(/\/+$/, "");
}

/** It is sent in a header. */
function contact(name: string, text: string | undefined): string | undefined {
  if (text !== undefined && !/^[\x20-\x7e]+$/.test(text)) throw new ConfigurationError(`${name} must be plain ASCII`);
  return text;
}

function planLimit(text: string): [plan: string, limits: Partial<PlanLimits>] {
  const [, plan, perMinute, perDay] = /^([a-z_]+)=(-|[1-9]\d{0,8})(?:\/(-|[1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (!plan || !perMinute)
    throw new ConfigurationError(`IDS_PLAN_LIMITS: ${text} is not plan=perMinute or plan=perMinute/perDay`);
  const limit = (number: string) => (number === "-" ? undefined : Number(number));
  return [plan, { perMinute: limit(perMinute), ...(perDay ? { perDay: limit(perDay) } : {}) }];
}

function upgradeUrl(url: string): string {
  // It is handed to callers as it is.
  if (!/^(https?:\/)?\/[\x21-\x7e]*$/.test(url) || url.startsWith("//") || !URL.canParse(url, "http://localhost"))
    throw new ConfigurationError("IDS_UPGRADE_URL must be an http(s) URL, or a path that begins with /");
  return url;
}
