import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { settings } from "../../src/config/settings.ts";
import { ConfigurationError } from "../../src/errors.ts";
import { ids } from "./terminal.ts";

const word = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");
const none = (...taken: string[]) => word.filter((text) => !taken.includes(text.trim()));
const badPort = fc.oneof(
  fc.integer({ min: 65_536 }).map(String),
  fc.integer({ max: -1 }).map(String),
  fc.constantFrom("80.5", "0x50", "1e3", "eighty", "+80", "8 0"),
);
const badUrl = fc.constantFrom("service.example", "ftp://service.example", "https:service.example", "http://");
const notAscii = fc.constantFrom("opérateur@example.org", "ops@example.org\u0000x", "a\tb");
const octet = fc.integer({ min: 0, max: 255 });

/** Values that each setting must refuse. */
const bad: Readonly<Record<string, fc.Arbitrary<string>>> = {
  PORT: badPort,
  IDS_METRICS_PORT: badPort,
  IDS_HOST: fc.oneof(
    fc.constantFrom(
      "a b",
      "http://localhost",
      "localhost:80",
      "-a.example",
      "1.2.3",
      "256.1.1.1",
      "[::1]",
      "a..b",
      "ü",
    ),
    octet.map((number) => `1.2.3.4.${number}`),
  ),
  IDS_DATA: none("live", "sample"),
  IDS_DEMO: none("on", "off"),
  IDS_COMPANY_MONITORING: none("on", "off"),
  IDS_SECRET_KEY: none().filter((text) => !/^[0-9a-f]{64}$/i.test(text.trim())),
  IDS_KEYS_PER_ACCOUNT: fc.constantFrom("0", "-1", "1.5", "many", "1000000"),
  IDS_ALLOW_LOOPBACK_WEBHOOKS: none("on", "off", ""),
  IDS_WEBHOOK_RETRIES: fc
    .constantFrom("5", "5s,", "0s", "-5s", "5 s,1d", "1.5h", "5s;5m")
    .filter((text) => text !== "5s,"),
  IDS_WEBHOOK_TIMEOUT: fc.constantFrom("10", "0s", "-1s", "10d", "1.5s", "s", "1000000s"),
  IDS_CONNECTIONS_PER_ADDRESS: fc.constantFrom("0", "-1", "1.5", "many", "1000000"),
  IDS_READER_TIMEOUT: fc.constantFrom("10", "0s", "-1s", "10d", "1.5s", "s", "1000000s"),
  IDS_WEBHOOK_RATE: fc.constantFrom("0", "-1", "1.5", "many", "1000000"),
  IDS_WEBHOOKS_PER_ACCOUNT: fc.constantFrom("0", "-1", "1.5", "many", "1000000"),
  IDS_SCENARIO_QUEUE: fc.constantFrom("0", "-1", "1.5", "many", "1000000"),
  IDS_SCENARIOS_PER_ACCOUNT: fc.constantFrom("0", "-1", "1.5", "many", "1000000"),
  IDS_LOG_LEVEL: none("debug", "info", "warn", "error", "silent"),
  DATABASE_URL: fc.oneof(
    none().filter((text) => !text.trim().startsWith("postgres")),
    fc.constantFrom(
      "mysql://h/d",
      "postgres:h",
      "postgres//h/d",
      "postgres://h:port/d",
      "postgres://a:1,b:2/d",
      "h:5432",
    ),
  ),
  IDS_OPERATOR_KEY: fc.oneof(
    word.filter((text) => !/^ids_[0-9a-f]{40}$/.test(text.trim())),
    fc.constantFrom(`ids_${"A".repeat(40)}`, `ids_${"a".repeat(39)}`, `ids_${"a".repeat(41)}`),
  ),
  IDS_ALLOWED_ORIGINS: fc.constantFrom(
    ...["*", "null", "example.org", "https://", "https://example.org/", "https://example.org/app", "ftp://example.org"],
    ...["https://user@example.org", "https://example.org?x", "https://a.example,b.example", "https://a b", "file:///x"],
    ...["https://example.org:99999", "https://*.example.org:x"],
  ),
  IDS_TRUSTED_PROXIES: fc.oneof(
    fc.constantFrom(
      "10.0.0.0/",
      "10.0.0.0/33",
      "::/129",
      "10.0.0/8",
      "proxy.example",
      "10.0.0.0/8/8",
      "10.0.0.0/-1",
      "1/8",
    ),
    fc.tuple(octet, fc.integer({ min: 33, max: 999 })).map(([number, bits]) => `${number}.0.0.0/${bits}`),
  ),
  IDS_GEO_HEADERS: fc.constantFrom("x-country", "a,b", "a,b,c,d", "a,b,c d", "a,b,c:", "ä,b,c"),
  IDS_GEOCODER_URL: badUrl,
  IDS_GEOCODER_CONTACT: notAscii,
  IDS_RESILIENCE_SCHEMA: none("1.0", "2.0"),
  IDS_FLIGHT_PROVIDER: none("adsb", "opensky"),
  IDS_FLIGHT_SCHEDULE_URL: badUrl,
  IDS_FLIGHT_PHOTO_URL: badUrl,
  IDS_FLIGHT_CONTACT: notAscii,
  IDS_PLAN_LIMITS: fc.constantFrom(
    ...["free", "free=", "free=0", "free=-1", "free=1.5", "=60", "free:60", "free=60;pro=1"],
    ...["free=60/", "free=/60", "free=60/0", "free=60/60/60", "free=60/1.5", "free=--", "free=60/day"],
  ),
  REDIS_URL: fc.oneof(
    none().filter((text) => !text.trim().startsWith("redis")),
    fc.constantFrom(
      "redis:h",
      "redis://",
      "redis:///0",
      "redis//h",
      "redis://h:port",
      "redis://h/first",
      "http://h:6379",
    ),
  ),
  IDS_UPGRADE_URL: fc.constantFrom("plans", "//example.org", "ftp://example.org", "/a b", "javascript:alert(1)", "/ä"),
  IDS_STRIPE_SECRET_KEY: none().filter((text) => !/^(sk|rk)_[A-Za-z0-9_]+$/.test(text.trim())),
  IDS_STRIPE_API_URL: fc.constantFrom(
    "api.stripe.com",
    "ftp://s.example",
    "https://",
    "https://s.example/v1",
    "https://s?x",
  ),
  IDS_STRIPE_WEBHOOK_SECRET: none().filter((text) => !text.trim().startsWith("whsec_")),
  IDS_STRIPE_PRICES: fc.constantFrom(
    "price_1",
    "price_1=",
    "=free",
    "price_1=gold",
    "price_1=operator",
    "a=free;b=free",
  ),
};

/** Settings that any text is a value of. */
const anyText = ["IDS_DATA_DIR", "IDS_COMMIT", "IDS_GEOIP_DB", "OPENSKY_CLIENT_ID", "OPENSKY_CLIENT_SECRET"];

test("every setting is either checked or takes any text", () => {
  expect(new Set([...Object.keys(bad), ...anyText])).toEqual(new Set(settings.map(({ name }) => name)));
});

test.each(Object.entries(bad))("a bad %s is refused with its name", (name, values) => {
  fc.assert(
    fc.property(values, (value) => {
      const needed = {
        IDS_GEOCODER_CONTACT: "ops@example.org",
        IDS_FLIGHT_CONTACT: "ops@example.org",
        IDS_STRIPE_PRICES: "price_1=pro_monthly",
      };
      const environment = { ...needed, [name]: value };
      expect(() => readConfig(environment)).toThrow(ConfigurationError);
      expect(() => readConfig(environment)).toThrow(new RegExp(`\\b${name}\\b`));
    }),
  );
});

test.each([
  "DATABASE_URL",
  "REDIS_URL",
  "IDS_OPERATOR_KEY",
  "IDS_SECRET_KEY",
  "IDS_STRIPE_SECRET_KEY",
  "IDS_STRIPE_WEBHOOK_SECRET",
])("a bad %s is not repeated, for it may hold a secret", (name) => {
  expect(() => readConfig({ [name]: "topsecret" })).toThrow(/^((?!topsecret).)*$/);
});

test("nothing set gives the defaults, and blank is not set", () => {
  const blank = Object.fromEntries(settings.map(({ name }) => [name, "  "]));
  for (const environment of [{}, blank])
    expect(readConfig(environment)).toMatchObject({
      ...{ data: "live", directory: resolve(".data"), databaseUrl: undefined, host: "127.0.0.1", port: 8080 },
      ...{ metricsPort: undefined, operatorKey: undefined, demo: false, allowedOrigins: [], trustedProxies: [] },
      ...{ geoHeaders: [], geoipDatabase: undefined, geocoder: undefined, planLimits: new Map(), logLevel: "info" },
      ...{ redisUrl: undefined, secretKeys: [], mostKeys: 5, upgradeUrl: "/plans" },
      scenarios: { waiting: 100, perAccount: 5 },
      stripe: {
        ...{ secretKey: undefined, apiUrl: "https://api.stripe.com", webhookSecret: undefined, prices: new Map() },
      },
    });
});

test("good values are taken, without the blanks round them", () => {
  const config = readConfig({
    PORT: " 0 ",
    IDS_METRICS_PORT: "9100",
    IDS_HOST: "ids.internal",
    IDS_ALLOWED_ORIGINS: "https://Example.org:443, http://localhost:3000",
    IDS_TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8, 192.0.2.7",
    IDS_GEO_HEADERS: "CF-IPCountry, cf-region, cf-ipcity",
    IDS_GEOCODER_URL: "https://nominatim.example/",
    IDS_GEOCODER_CONTACT: "ops@example.org",
    IDS_PLAN_LIMITS: "free=60, enterprise=5000/1000000, pro_annual=-/9, api_starter=7/-",
    IDS_UPGRADE_URL: "https://example.org/plans?from=api",
    IDS_STRIPE_SECRET_KEY: "rk_live_1",
    IDS_STRIPE_WEBHOOK_SECRET: "whsec_1",
    IDS_STRIPE_PRICES: "price_1=pro_monthly, price_2=api_starter",
  });
  expect(config).toMatchObject({
    ...{ port: 0, metricsPort: 9100, host: "ids.internal" },
    allowedOrigins: ["https://example.org", "http://localhost:3000"],
    trustedProxies: ["10.0.0.0/8", "fd00::/8", "192.0.2.7"],
    geoHeaders: ["cf-ipcountry", "cf-region", "cf-ipcity"],
    geocoder: { url: "https://nominatim.example", contact: "ops@example.org" },
  });
  expect([...config.planLimits]).toEqual([
    ["free", { perMinute: 60 }],
    ["enterprise", { perMinute: 5000, perDay: 1_000_000 }],
    ["pro_annual", { perMinute: undefined, perDay: 9 }],
    ["api_starter", { perMinute: 7, perDay: undefined }],
  ]);
  expect(config).toMatchObject({ upgradeUrl: "https://example.org/plans?from=api" });
  expect(config.stripe).toMatchObject({ secretKey: "rk_live_1", webhookSecret: "whsec_1" });
  expect(Object.fromEntries(config.stripe.prices)).toEqual({ price_1: "pro_monthly", price_2: "api_starter" });
});

test.each(["redis://cache.internal", "rediss://user:p%40ss@cache.internal:6380/3", "redis://[::1]:6379"])(
  "%s is a place to count in",
  (url) => {
    expect(readConfig({ REDIS_URL: url }).redisUrl).toBe(url);
  },
);

test.each([
  "postgres://ids@db.internal/ids",
  "postgresql://ids:p%40ss@127.0.0.1:5432/ids?sslmode=require",
  "postgres:///ids?host=/run/postgresql",
])("%s is a Postgres URL", (url) => {
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

test("settings that contradict each other are refused", () => {
  expect(() => readConfig({ PORT: "8080", IDS_METRICS_PORT: "8080" })).toThrow("IDS_METRICS_PORT must differ");
  expect(() => readConfig({ IDS_GEOCODER_URL: "https://nominatim.example" })).toThrow("IDS_GEOCODER_CONTACT");
  expect(() => readConfig({ IDS_STRIPE_SECRET_KEY: "sk_1" })).toThrow("IDS_STRIPE_PRICES must be set");
  expect(() => readConfig({ IDS_STRIPE_WEBHOOK_SECRET: "whsec_1" })).toThrow("IDS_STRIPE_PRICES must be set");
});

test.each([
  [{ IDS_DATA: "sample" }, true],
  [{ IDS_DATA: "sample", IDS_HOST: "::1" }, true],
  [{ IDS_DATA: "sample", IDS_HOST: "0.0.0.0" }, false],
  [{ IDS_DATA: "sample", IDS_HOST: "0.0.0.0", IDS_DEMO: "on" }, true],
  [{ IDS_DATA: "live", IDS_DEMO: "on" }, false],
] as const)("with %j demo keys are taken: %s", (environment, taken) => {
  expect(readConfig(environment).demo).toBe(taken);
});

test("a source's own variable is read without the blanks round it, and a blank one is not set", () => {
  const { variable } = readConfig({ A_TOKEN: " secret\n", B_TOKEN: " " });
  expect([variable("A_TOKEN"), variable("B_TOKEN"), variable("C_TOKEN")]).toEqual(["secret", undefined, undefined]);
});

test("on the command line a bad setting is one line that names it, and exit status 1", async () => {
  for (const command of ["serve", "work", "migrate", "ingest", "doctor"])
    expect(await ids({ PORT: "eighty" }, command)).toEqual({
      out: "",
      err: "ids: PORT must be a port, 0 to 65535\n",
      status: 1,
    });
});
