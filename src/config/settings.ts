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
  {
    name: "REDIS_URL",
    fallback: "",
    meaning:
      "Redis or Valkey (`redis://`, or `rediss://` for TLS) in which processes count requests together; unset means in Postgres, or in memory without one",
  },
  {
    name: "IDS_OPERATOR_KEY",
    fallback: "",
    meaning:
      "The operator's key: `ids_` and 40 hexadecimal digits. Absent in live mode: the first start makes one and keeps it in `operator-key` in the data folder",
  },
  {
    name: "IDS_SECRET_KEY",
    fallback: "",
    meaning:
      "64 hexadecimal digits from which every secret at rest is derived; earlier keys may follow after commas, for reading only; required with `DATABASE_URL`, else made once in the data folder",
  },
  { name: "IDS_KEYS_PER_ACCOUNT", fallback: "5", meaning: "Live API keys an account may have" },
  { name: "IDS_DEMO", fallback: "", meaning: "`on` lets demo keys work on any address" },
  {
    name: "IDS_METRICS_PORT",
    fallback: "",
    meaning:
      "Serves `/metrics` alone, without a key, on this port of `IDS_HOST`: whoever reaches that address reads them, so keep the port behind a firewall",
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
    name: "IDS_CONNECTIONS_PER_ADDRESS",
    fallback: "2000",
    meaning: "Open connections of one address, a trusted proxy's excepted; further ones are closed at once",
  },
  {
    name: "IDS_READER_TIMEOUT",
    fallback: "60s",
    meaning: "How long a caller may take nothing of its answer; it is cut before twice that time is over",
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
  {
    name: "IDS_FLIGHT_PROVIDER",
    fallback: "adsb",
    meaning:
      "Who is asked for live flights: `adsb` (adsb.lol, ODbL) or `opensky` (The OpenSky Network, under its terms)",
  },
  {
    name: "OPENSKY_CLIENT_ID",
    fallback: "",
    meaning: "Client of an OpenSky account, for its higher quota; unset means without an account",
  },
  { name: "OPENSKY_CLIENT_SECRET", fallback: "", meaning: "Secret of that client" },
  {
    name: "IDS_FLIGHT_SCHEDULE_URL",
    fallback: "",
    meaning: "Base URL under which a callsign's schedule is found; unset means no routes and times of live flights",
  },
  {
    name: "IDS_FLIGHT_PHOTO_URL",
    fallback: "",
    meaning:
      "Base URL of a service with Planespotters' interface, such as `https://api.planespotters.net/pub/photos/hex`; unset means no pictures",
  },
  {
    name: "IDS_FLIGHT_CONTACT",
    fallback: "",
    meaning: "Address or mail the flight services' operators can reach; required with `IDS_FLIGHT_PHOTO_URL`",
  },
  {
    name: "IDS_PLAN_LIMITS",
    fallback: "",
    meaning:
      "Requests per minute of plans, and per day after a slash, `-` for unlimited: `free=60,enterprise=5000/1000000,pro_annual=-/-`",
  },
  {
    name: "IDS_COMPANY_MONITORING",
    fallback: "",
    meaning: "`on` serves company monitoring; until then its operations are 503",
  },
  {
    name: "IDS_RESILIENCE_SCHEMA",
    fallback: "2.0",
    meaning: "Form of resilience scores: `2.0`, or `1.0` without pillars",
  },
  { name: "IDS_COMMIT", fallback: "unknown", meaning: "Commit of the program, told by GetResilienceRuntimeManifest" },
  {
    name: "IDS_ALLOW_LOOPBACK_WEBHOOKS",
    fallback: "",
    meaning: "`on` lets webhooks lead to this machine, over http too: for trying them out",
  },
  {
    name: "IDS_WEBHOOK_RETRIES",
    fallback: "5s,5m,30m,2h,5h,10h,14h,20h,24h",
    meaning:
      "Waits between the attempts of a delivery, in `ms`, `s`, `m` or `h`; a webhook is switched off after the last",
  },
  { name: "IDS_WEBHOOK_TIMEOUT", fallback: "10s", meaning: "How long a webhook may take to answer" },
  { name: "IDS_WEBHOOK_RATE", fallback: "10", meaning: "Deliveries to one webhook in a second" },
  { name: "IDS_WEBHOOKS_PER_ACCOUNT", fallback: "25", meaning: "Webhooks an account may have" },
  { name: "IDS_SCENARIO_QUEUE", fallback: "100", meaning: "Scenario jobs that may wait; a further one is 429" },
  {
    name: "IDS_SCENARIOS_PER_ACCOUNT",
    fallback: "5",
    meaning: "Unfinished scenario jobs an account may have; a further one is 429",
  },
  {
    name: "IDS_UPGRADE_URL",
    fallback: "/plans",
    meaning: "Where a refusal for want of a plan sends callers: an http(s) URL, or a path of this service",
  },
  {
    name: "IDS_STRIPE_SECRET_KEY",
    fallback: "",
    meaning: "Lets Stripe be asked whether a subscription whose paid period ended was renewed",
  },
  { name: "IDS_STRIPE_API_URL", fallback: "https://api.stripe.com", meaning: "Base URL of Stripe's API" },
  {
    name: "IDS_STRIPE_WEBHOOK_SECRET",
    fallback: "",
    meaning:
      "Signing secret of Stripe's webhook; opens `/webhooks/stripe`, by which subscriptions follow Stripe's events",
  },
  {
    name: "IDS_STRIPE_PRICES",
    fallback: "",
    meaning: "Plans of Stripe's prices, such as `price_1=pro_monthly,price_2=api_starter`; required with either secret",
  },
  { name: "IDS_LOG_LEVEL", fallback: "info", meaning: "`debug`, `info`, `warn`, `error` or `silent`" },
];

/** What counts where a setting is not set, by its name. */
export const fallbacks: ReadonlyMap<string, string> = new Map(settings.map(({ name, fallback }) => [name, fallback]));
