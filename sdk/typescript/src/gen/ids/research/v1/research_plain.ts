// Written by `make generate`.
/** Matching events. */
export interface ListTechEventsResponse {
  /** True if data is available. */
  success: boolean;
  /** Number of events in the response. */
  count: number;
  /** Number of those events that are conferences. */
  conferenceCount: number;
  /** Number of those events, of any type, that have coordinates and are not virtual. */
  mappableCount: number;
  /** Time when the most recent feed data was read, ISO 8601 in UTC. Empty if none was read. */
  lastUpdated: string;
  /** Sorted by first day, then last day, title and id. */
  events: TechEvent[];
  /** Reason if `success` is false. Otherwise empty. */
  error: string;
}

/** A technology event. */
export interface TechEvent {
  /** Id from the source. If the source provides none, a hash of title and first day. A slug for curated events. */
  id: string;
  /** Name, as written by the source. */
  title: string;
  /** `conference`, `earnings`, `ipo` or `other`. */
  type: "conference" | "earnings" | "ipo" | "other";
  /** Place, as written by the source. Empty if the source names none. */
  location: string;
  /** Coordinates of the place. Absent if unknown. */
  coords?: TechEventCoordinates;
  /** First day, YYYY-MM-DD. */
  startDate: string;
  /** Last day, YYYY-MM-DD. Equals the first day for a one-day event. */
  endDate: string;
  /** URL of the event. Empty if the source provides none. */
  url: string;
  /** `techmeme`, `dev.events` or `curated`. */
  source: string;
  /** Description of the event. Empty except for curated events. */
  description: string;
}

/** Place of an event. */
export interface TechEventCoordinates {
  /** Latitude in decimal degrees. North is positive. 0 if virtual. */
  lat: number;
  /** Longitude in decimal degrees. East is positive. 0 if virtual. */
  lng: number;
  /** ISO 3166-1 alpha-2 country code. Empty if virtual. */
  country: string;
  /** The text that was looked up. */
  original: string;
  /** True if the event takes place online only. */
  virtual: boolean;
}

export interface GetPaths {
  /** Lists upcoming technology events, soonest first.
   *
   * An event is listed until the end of its last day (UTC). Filters apply in this order: `type`, `mappable`, `days`, `limit`. Sources: Techmeme's event calendar, the dev.events feed and a curated list. An event in several sources appears once. Places are looked up in GeoNames (CC BY 4.0). If no feed was ever read, or none lists an upcoming event, `success` is false and `error` states which. If the filters match nothing, the result is a success without events. */
  "/api/research/v1/list-tech-events": {
    query: {
      /** Type of event. Default: all types. */
      type?: "all" | "conference" | "earnings" | "ipo" | "other" | undefined;
      /** If true, returns only events with coordinates that are not virtual. */
      mappable?: boolean | undefined;
      /** Maximum number of events. Clamped to 1–200. Default 50. 0 is clamped to 1; it does not mean unlimited. */
      limit?: number | undefined;
      /** Latest start, in days from the current UTC day. Clamped to 1–365. Default 90. 0 is clamped to 1. */
      days?: number | undefined;
      /** Country in any form: code or English name. Leaves out events without coordinates. Default: all. */
      country_code?: string | undefined;
    };
    answer: ListTechEventsResponse;
    file: { format: "ndjson" | "csv" | "geojson" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

