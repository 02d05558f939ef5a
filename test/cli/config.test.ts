import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readClientConfig, readConfig } from "../../src/config/config.ts";
import { settings } from "../../src/config/settings.ts";
import { ConfigurationError } from "../../src/errors.ts";
import { anyText, bad } from "../config/bad-settings.ts";
import { ids } from "./terminal.ts";

test("every setting is either checked or takes any text", () => {
  expect(new Set([...Object.keys(bad), ...anyText])).toEqual(new Set(settings.map(({ name }) => name)));
});

test.each(Object.entries(bad))("a bad %s is refused with its name", (name, values) => {
  fc.assert(
    fc.property(values, (value) => {
      const needed = {
        IDS_OPERATOR_CONTACT: "ops@example.org",
        IDS_STRIPE_PRICES: "price_1=pro_monthly",
      };
      const environment = { ...needed, [name]: value };
      const read = () => (name === "IDS_URL" ? readClientConfig(environment) : readConfig(environment));
      expect(read).toThrow(ConfigurationError);
      expect(read).toThrow(new RegExp(`\\b${name}\\b`));
    }),
  );
});

const secret = settings.filter(({ secret }) => secret !== undefined).map(({ name }) => name);

test.each(secret)("a bad %s is not repeated, for it may hold a secret", (name) => {
  // Not a value of any type: no URL, no key, and not ASCII.
  const environment = { [name]: "töpsecret" };
  const read = () => (name === "IDS_URL" ? readClientConfig(environment) : readConfig(environment));
  if (!anyText.includes(name))
    expect(read).toThrow(new RegExp(`^((?!töpsecret)[^])*\\b${name}\\b((?!töpsecret)[^])*$`));
});

test("nothing set gives the defaults, and blank is not set", () => {
  const blank = Object.fromEntries(settings.map(({ name }) => [name, "  "]));
  for (const environment of [{}, blank])
    expect(readConfig(environment)).toMatchObject({
      ...{ data: "live", directory: resolve(".data"), databaseUrl: undefined, host: "127.0.0.1", port: 8080 },
      ...{ metricsPort: undefined, operatorKey: undefined, demo: false, allowedOrigins: [], trustedProxies: [] },
      ...{ geoHeaders: [], geoipDatabase: undefined, geocoderUrl: undefined, planLimits: new Map(), logLevel: "info" },
      ...{ secretKeys: [], upgradeUrl: "/plans" },
      stripe: { secretKey: undefined, webhookSecret: undefined, prices: new Map() },
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
    IDS_OPERATOR_CONTACT: "ops@example.org",
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
    geocoderUrl: "https://nominatim.example",
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

test.each([
  "postgres://ids@db.internal/ids",
  "postgresql://ids:p%40ss@127.0.0.1:5432/ids?sslmode=require",
  "postgres:///ids?host=/run/postgresql",
])("%s is a Postgres URL", (url) => {
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

test("settings that contradict each other are refused", () => {
  expect(() => readConfig({ PORT: "8080", IDS_METRICS_PORT: "8080" })).toThrow("IDS_METRICS_PORT must differ");
  expect(() => readConfig({ IDS_GEOCODER_URL: "https://nominatim.example" })).toThrow("IDS_OPERATOR_CONTACT");
  expect(() => readConfig({ IDS_STRIPE_SECRET_KEY: "sk_1" })).toThrow("IDS_STRIPE_PRICES must be set");
  expect(() => readConfig({ IDS_STRIPE_WEBHOOK_SECRET: "whsec_1" })).toThrow("IDS_STRIPE_PRICES must be set");
});

test.each([
  [{ IDS_DATA: "sample" }, true],
  [{ IDS_DATA: "sample", IDS_HOST: "::1" }, true],
  [{ IDS_DATA: "sample", IDS_HOST: "0.0.0.0" }, false],
  [{ IDS_DATA: "sample", IDS_HOST: "0.0.0.0", IDS_DEMO: "on" }, true],
  [{ IDS_DATA: "sample", IDS_TRUSTED_PROXIES: "127.0.0.1/32" }, false],
  [{ IDS_DATA: "sample", IDS_TRUSTED_PROXIES: "127.0.0.1/32", IDS_DEMO: "on" }, true],
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
      err: 'ids: PORT must be a port, 0 to 65535, not "eighty"\n',
      status: 1,
    });
});
