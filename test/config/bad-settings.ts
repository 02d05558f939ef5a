import fc from "fast-check";

const word = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");
const none = (...taken: string[]) => word.filter((text) => !taken.includes(text.trim()));
const badPort = fc.oneof(
  fc.integer({ min: 65_536 }).map(String),
  fc.integer({ max: -1 }).map(String),
  fc.constantFrom("80.5", "0x50", "1e3", "eighty", "+80", "8 0"),
);
const badUrl = fc.constantFrom("service.example", "ftp://service.example", "https:service.example", "http://");
const notAscii = fc.constantFrom("opérateur@example.org", "ops@example.org\u0000x", "a\tb");
const badDays = fc.constantFrom("0", "-1", "1.5", "30d", "never", "100000");
const octet = fc.integer({ min: 0, max: 255 });

/** Values that each setting must refuse. */
export const bad: Readonly<Record<string, fc.Arbitrary<string>>> = {
  PORT: badPort,
  IDS_METRICS_PORT: badPort,
  IDS_OPERATOR_ALERTS: fc.constantFrom("ops@example.org", "mailto:address", "ftp://ops.example", "https://a.example,x"),
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
  HTTPS_PROXY: badUrl,
  IDS_PURGE_URL: badUrl,
  IDS_DATA: none("live", "sample"),
  IDS_DEMO: none("on", "off"),
  IDS_PUBLIC_PAGES: none("none", "free", "pro", "api", "enterprise"),
  IDS_COMPANY_MONITORING: none("on", "off"),
  IDS_SECRET_KEY: none().filter((text) => /[^\s,]/.test(text) && !/^[0-9a-f]{64}$/i.test(text.trim())),
  IDS_KEEP_USAGE_DAYS: badDays,
  IDS_KEEP_AUDIT_DAYS: badDays,
  IDS_KEEP_HISTORY_DAYS: badDays,
  IDS_SOURCE_RETENTION_DAYS: badDays,
  IDS_SOURCE_MAX_MB: fc.string().filter((text) => text.trim() !== "" && !/^\d{1,7}$/.test(text.trim())),
  IDS_ARCHIVE: fc.constantFrom(
    ...["archive", "file:archive", "file:/", "file:////share/x", "s3:bucket", "s3://", "s3://B", "s3://bucket:9000/x"],
    ...[
      "s3://bucket?endpoint=minio:9000",
      "s3://bucket?endpoint=https://h/path",
      "s3://bucket?key=x",
      "https://bucket",
    ],
    ...["s3://bucket/a//b", "s3://bucket?region=US East"],
  ),
  AWS_ACCESS_KEY_ID: notAscii,
  AWS_SECRET_ACCESS_KEY: notAscii,
  AWS_SESSION_TOKEN: notAscii,
  IDS_ALLOW_LOOPBACK_WEBHOOKS: none("on", "off", ""),
  IDS_SMTP_URL: fc.constantFrom("mail.example", "http://mail.example", "smtp:mail", "smtp://"),
  IDS_SMTP_FROM: fc.constantFrom(
    "alerts",
    "alerts@localhost",
    "Alerts <alerts@example.org>",
    "a@b@c",
    "a b@example.org",
  ),
  IDS_DRAIN_TIME: fc.constantFrom("577h", "10", "0s", "-1s", "10d", "1.5s", "s", "1000000s"),
  IDS_LOG_FORMAT: none("json", "text"),
  IDS_LOG_LEVEL: none("debug", "info", "warn", "error", "silent"),
  IDS_READ_DATABASE_URL: fc.constantFrom("mysql://h/d", "postgres:h", "postgres://one,two/d", "h:5432"),
  OTEL_EXPORTER_OTLP_ENDPOINT: badUrl,
  OTEL_TRACES_SAMPLER_ARG: fc.constantFrom("-0.1", "1.1", "1 %", "all"),
  DATABASE_URL: fc.oneof(
    none().filter((text) => !text.trim().startsWith("postgres")),
    fc.constantFrom(
      "mysql://h/d",
      "postgres:h",
      "postgres//h/d",
      "postgres://h:port/d",
      "postgres://a:1,b:x/d",
      "h:5432",
    ),
  ),
  IDS_OPERATOR_CONTACT: fc.constantFrom(
    "ops",
    "ops@localhost",
    "javascript:alert(1)",
    "a b@example.org",
    "//h",
    "ftp://h",
    "https://h/ä",
  ),
  IDS_PRIVACY_URL: badUrl,
  IDS_PLAN_PRICES: fc.constantFrom("free", "gold=1", "free=", "=1", "operator=1"),
  IDS_OPERATOR_KEY: fc.oneof(
    word.filter((text) => !/^ids_[0-9a-f]{40}$/.test(text.trim())),
    fc.constantFrom(`ids_${"A".repeat(40)}`, `ids_${"a".repeat(39)}`, `ids_${"a".repeat(41)}`),
  ),
  IDS_ALLOWED_ORIGINS: fc.constantFrom(
    ",",
    " , ,",
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
  IDS_RESILIENCE_SCHEMA: none("1.0", "2.0"),
  IDS_FLIGHT_PROVIDER: none("adsb", "opensky"),
  IDS_FLIGHT_SCHEDULE_URL: badUrl,
  IDS_PLAN_LIMITS: fc.constantFrom(
    ...["free", "free=", "free=0", "free=-1", "free=1.5", "=60", "free:60", "free=60;pro=1"],
    ...[
      "gold=60",
      "free=60,=60",
      "free=60/",
      "free=/60",
      "free=60/0",
      "free=60/60/60/60/60/60/60/60/60",
      "free=60/1.5",
      "free=--",
      "free=60/day",
    ],
  ),
  IDS_UPGRADE_URL: fc.constantFrom("plans", "//example.org", "ftp://example.org", "/a b", "javascript:alert(1)", "/ä"),
  IDS_STRIPE_SECRET_KEY: none().filter((text) => !/^(sk|rk)_[A-Za-z0-9_]+$/.test(text.trim())),
  IDS_STRIPE_WEBHOOK_SECRET: none().filter((text) => !text.trim().startsWith("whsec_")),
  IDS_STRIPE_PRICES: fc.constantFrom(
    "price_1",
    "price_1=",
    "=free",
    "price_1=gold",
    "price_1=operator",
    "a=free;b=free",
  ),
  IDS_URL: badUrl,
};

/** Settings that any text is a value of. */
export const anyText = ["NO_PROXY", "IDS_DATA_DIR", "IDS_COMMIT", "IDS_OPERATOR_NAME", "IDS_GEOIP_DB", "IDS_API_KEY"];
