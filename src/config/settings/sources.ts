import { ownName } from "../../reference/own-name.ts";
import type { SettingTable } from "../setting.ts";
import { asciiText, baseUrl, filePath, oneOf } from "../text-types.ts";

export const sources = {
  /** Where the sources' answers come from. */
  data: {
    name: "IDS_DATA",
    type: oneOf("live", "sample"),
    default: "live",
    meaning:
      "`live` asks the upstreams; `sample` runs on sample data, whose values are invented. `make serve` chooses `sample`.",
  },
  userAgent: {
    name: "IDS_USER_AGENT",
    type: asciiText,
    default: ownName,
    meaning:
      "Name with which the upstreams are asked, best with an address at which you can be reached: `example-observatory/1.0 (data@example.org)`.",
  },
  geoipDatabase: {
    name: "IDS_GEOIP_DB",
    type: filePath,
    meaning: "MMDB file (MaxMind or DB-IP format) for GetIpGeo.",
  },
  geocoder: {
    url: {
      name: "IDS_GEOCODER_URL",
      type: baseUrl,
      meaning: "Base URL of a Nominatim-compatible geocoder. If not set, places are found offline.",
      secret: "password",
    },
    contact: {
      name: "IDS_GEOCODER_CONTACT",
      type: asciiText,
      meaning: "Web or mail address at which the geocoder's operator can reach you. Required with `IDS_GEOCODER_URL`.",
      secret: "value",
    },
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
      meaning:
        "Base URL under which a callsign's schedule is found. If not set, live flights have no routes and times.",
      secret: "password",
    },
  },
} as const satisfies SettingTable;
