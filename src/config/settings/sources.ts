import type { SettingTable } from "../setting.ts";
import { baseUrl, filePath, mailAddress, oneOf, onOff, smtpUrl } from "../text-types.ts";

export const sources = {
  data: {
    name: "IDS_DATA",
    type: oneOf("live", "sample"),
    default: "live",
    meaning: "`live` requests data from the upstreams; `sample` uses invented sample data. `make serve` uses `sample`.",
  },
  geoipDatabase: {
    name: "IDS_GEOIP_DB",
    type: filePath,
    meaning: "MMDB file (MaxMind or DB-IP format) for GetIpGeo.",
  },
  geocoderUrl: {
    name: "IDS_GEOCODER_URL",
    type: baseUrl,
    meaning: "Base URL of a Nominatim-compatible geocoder. If not set, places are found offline.",
    secret: "password",
  },
  flights: {
    provider: {
      name: "IDS_FLIGHT_PROVIDER",
      type: oneOf("adsb", "opensky"),
      default: "adsb",
      meaning: "Source of live flights: `adsb` (adsb.lol, ODbL) or `opensky` (The OpenSky Network, under its terms).",
    },
    scheduleUrl: {
      name: "IDS_FLIGHT_SCHEDULE_URL",
      type: baseUrl,
      meaning: "Base URL of an API for schedules by callsign. If not set, live flights have no routes and times.",
      secret: "password",
    },
  },
} as const satisfies SettingTable;

export const features = {
  companyMonitoring: {
    name: "IDS_COMPANY_MONITORING",
    type: onOff,
    default: "off",
    meaning: "If `on`, company monitoring is served. If `off`, its operations return 503.",
  },
  resilienceSchema: {
    name: "IDS_RESILIENCE_SCHEMA",
    type: oneOf("1.0", "2.0"),
    default: "2.0",
    meaning: "Schema version of the resilience scores. `1.0` has no pillars.",
  },
  webhooks: {
    allowLoopback: {
      name: "IDS_ALLOW_LOOPBACK_WEBHOOKS",
      type: onOff,
      default: "off",
      meaning:
        "If `on`, webhooks may call loopback addresses such as `127.0.0.1`, also over plain HTTP. For testing only.",
    },
  },
  mail: {
    url: {
      name: "IDS_SMTP_URL",
      type: smtpUrl,
      meaning:
        "Mail server that sends the alerts of rules, such as `smtps://user:password@mail.example.org`. If not set, e-mail is off.",
      secret: "password",
    },
    from: {
      name: "IDS_SMTP_FROM",
      type: mailAddress,
      meaning: "Sender address of the alerts of rules. Required with `IDS_SMTP_URL`.",
    },
  },
} as const satisfies SettingTable;
