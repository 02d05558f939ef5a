// Written by `make generate`.
/** The aircraft, if it is currently received. */
export interface GetProviderLiveFlightResponse {
  /** Absent if no receiver currently sees the aircraft, or the provider failed (`X-Flight-Upstream: unavailable`). */
  flight?: LiveFlight;
}

/** Last signal of an aircraft and details of its flight. Unknown values are empty or 0. `missing` lists the unknown numbers of the signal. */
export interface LiveFlight {
  /** ICAO 24-bit address, lowercase. */
  icao24: string;
  /** Callsign as transmitted, such as `RYR12AB`. */
  callsign: string;
  /** Latitude in decimal degrees. North is positive. */
  lat: number;
  /** Longitude in decimal degrees. East is positive. */
  lon: number;
  /** Barometric altitude in feet. 0 on the ground. If it is not reported, it is 0 and `missing` contains `altitude`; this also applies to an aircraft that is reported on the ground but moves and climbs or descends. */
  altitude: number;
  /** Ground speed in knots. */
  speed: number;
  /** Ground track in degrees clockwise from true north. */
  heading: number;
  /** Vertical rate in feet per minute. Positive means climbing. */
  verticalRate: number;
  /** Registration, such as `EI-DCL`. */
  registration: string;
  /** ICAO type designator, such as `B738`. */
  model: string;
  /** Owner or operator of the aircraft. */
  operator: string;
  /** True if the aircraft reports that it is on the ground. */
  onGround: boolean;
  /** Time of the last received position, or of any signal if there is no position, Unix epoch seconds. */
  lastSeen: string;
  /** Departure airport, IATA code. This field and the following ones up to `arr_terminal` come from a flight schedule, if one is configured. */
  depIata: string;
  /** Arrival airport, IATA code. */
  arrIata: string;
  /** Scheduled departure, ISO 8601 in UTC. */
  depTimeUtc: string;
  /** Scheduled arrival, ISO 8601 in UTC. */
  arrTimeUtc: string;
  /** Estimated or actual departure, ISO 8601 in UTC. */
  depEstimatedUtc: string;
  /** Estimated or actual arrival, ISO 8601 in UTC. */
  arrEstimatedUtc: string;
  /** Departure delay in minutes. Negative if early. */
  depDelayedMin: number;
  /** Arrival delay in minutes. Negative if early. */
  arrDelayedMin: number;
  /** Flight status as reported by the schedule, such as `scheduled`, `en-route` or `landed`. */
  flightStatus: string;
  /** Scheduled duration in minutes. */
  flightDurationMin: number;
  /** Arrival terminal. */
  arrTerminal: string;
  /** URL of a photo of the aircraft. This field and the next two come from a photo service, if one is configured, and belong together. */
  photoUrl: string;
  /** URL of the photo's page. */
  photoLink: string;
  /** Photographer. */
  photoCredit: string;
  /** Callsign with the airline's IATA code, such as `FR12AB`. Empty if the airline is not in the airline table. */
  callsignIata: string;
  /** Airline of the callsign prefix. Empty if it is not in the airline table. */
  airlineName: string;
  /** Provider of the signal: `adsb` (adsb.lol, ODbL 1.0) or `opensky` (The OpenSky Network). */
  provider: string;
  /** Fields not reported in the signal, out of `position`, `altitude`, `speed`, `heading` and `verticalRate`. Ignore their 0. */
  missing: ("position" | "altitude" | "speed" | "heading" | "verticalRate")[];
}

export interface GetPaths {
  /** Returns the live position of one aircraft by ICAO address.
   *
   * The provider is configurable: adsb.lol (ODbL 1.0) or The OpenSky Network (research and non-commercial use). A result, including an empty one, is cached for 30 seconds. A failure is not cached. Numbers are in feet, knots, degrees and feet per minute, regardless of the provider's units. The response is `{}` if no receiver currently sees the aircraft, and also if the provider fails, then with `X-Flight-Upstream: unavailable`. Route, times and photo come from services that the operator configures. If they are not configured or fail, those fields are empty. */
  "/api/military/v1/get-provider-live-flight": {
    query: {
      /** ICAO 24-bit address, six hexadecimal digits, case-insensitive. */
      icao24: string;
    };
    answer: GetProviderLiveFlightResponse;
  };
}

