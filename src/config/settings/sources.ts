import type { SettingTable } from "../setting.ts";
import { baseUrl, filePath, oneOf } from "../text-types.ts";

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
