// Written by `make generate`.
import type { GeoCoordinates, Pagination } from "../../../ids/common/v1/common_plain.ts";
/** Matching events. */
export interface ListConflictEventsResponse {
  /** Events in the requested order, by default by time, newest first, then by id. */
  events: ConflictEvent[];
  /** `nextCursor` is always empty: use `nextAfter`. `totalCount` counts all matches, including those of other pages. */
  pagination?: Pagination;
  /** Send as `after` to get the next page. Empty on the last page. */
  nextAfter: string;
  /** Time of the last refresh of the events, ISO 8601 in UTC. */
  refreshedAt: string;
}

/** Counted events. */
export interface CountConflictEventsResponse {
  /** Sorted by number of events, highest first, then by country or type; days newest first. Empty if no event matches. */
  counts: ConflictEventCount[];
  /** Matching events of all groups. */
  totalEvents: number;
  /** Reported deaths of all groups. */
  totalFatalities: number;
}

/** An event of armed conflict or political violence. */
export interface ConflictEvent {
  /** `acled-` or `ucdp-` and the source's stable id. */
  id: string;
  /** Event class of the source, such as `Battles` or `State-based conflict`. */
  eventType: string;
  /** ISO 3166-1 alpha-2 country code. Empty if the source's country has none. */
  country: string;
  /** Location of the event. */
  location: GeoCoordinates;
  /** Midnight UTC of the day of the event, Unix epoch milliseconds. */
  occurredAt: number;
  /** Reported deaths, the source's best estimate. 0 if none are reported. */
  fatalities: number;
  /** Parties, as named by the source. */
  actors: string[];
  /** Who reported the event. */
  source: string;
  /** First-level administrative area. */
  admin1: string;
}

/** Events of one group. */
export interface ConflictEventCount {
  /** ISO 3166-1 alpha-2 code of the country, if grouped by it. Otherwise empty, also for events whose country has none. */
  country: string;
  /** Event class of the source, if grouped by it. Otherwise empty. */
  eventType: string;
  /** UTC day, `2026-03-01`, if grouped by it. Otherwise empty. */
  day: string;
  /** Number of events. */
  events: number;
  /** Reported deaths, the sources' best estimates. */
  fatalities: number;
}

export interface GetPaths {
  /** Lists armed-conflict events in a time range, newest first.
   *
   * Sources: ACLED (licensed accounts; attribution required) and UCDP GED (CC BY 4.0). If both report the same event, it appears once, with ACLED's data. Two events are the same if they are in the same country, at most 7 days and 50 km apart, and both without deaths or with deaths in a ratio of 0.5 to 2. Both sources report days, so `occurredAt` is midnight UTC. No API key is required. */
  "/api/conflict/v1/list-conflict-events": {
    query: {
      /** Earliest time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its start, UTC). Default: the start of the UTC day 30 days ago. In RPC, 0 means the default. */
      start?: Date | bigint | number | string | undefined;
      /** Latest time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its end, UTC). Default: the end of the current UTC day. In RPC, 0 means the default. */
      end?: Date | bigint | number | string | undefined;
      /** Country in any form: code or English name. Default: all countries. */
      country?: string | undefined;
      /** Event classes, comma-separated, case-insensitive. Default: all. */
      event_type?: readonly ("battles" | "explosions/remote violence" | "violence against civilians" | "state-based conflict" | "non-state conflict" | "one-sided violence")[] | undefined;
      /** Minimum reported deaths. Default: 0. */
      min_fatalities?: number | undefined;
      /** Text that the name of a party contains, case-insensitive, at most 100 characters. Default: any. */
      actor?: string | undefined;
      /** Latitude of the north-east corner of a box, decimal degrees. All four corner values or none. */
      ne_lat?: number | undefined;
      /** Longitude of the north-east corner, decimal degrees. If it is less than `sw_lon`, the box crosses 180 degrees. */
      ne_lon?: number | undefined;
      /** Latitude of the south-west corner, decimal degrees. */
      sw_lat?: number | undefined;
      /** Longitude of the south-west corner, decimal degrees. */
      sw_lon?: number | undefined;
      /** Order: `newest`, `oldest` or `fatalities` (most reported deaths first, then newest). Default: `newest`. */
      sort?: "newest" | "oldest" | "fatalities" | undefined;
      /** Maximum number of events, 1 to 5,000. Values above 5,000 mean 5,000. Default 5,000, also for values below 1. */
      limit?: number | undefined;
      /** `nextAfter` of the previous response to the same filters and order. Valid for 24 hours. Default: the first page. */
      after?: string | undefined;
      /** Only events that appeared or changed after this time: a day, from 00:00 UTC, or an RFC 3339 time. Send the `refreshedAt` of an earlier response to miss nothing; ListChanges lists events that vanished. Default: all events. */
      updated_after?: Date | string | undefined;
    };
    answer: ListConflictEventsResponse;
    file: { format: "ndjson" | "csv" | "geojson" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
  /** Counts armed-conflict events and their reported deaths, by group.
   *
   * Counts the events that ListConflictEvents lists for the same filters, without its limit. A group without events is not listed. Sources: ACLED (licensed accounts; attribution required) and UCDP GED (CC BY 4.0). No API key is required. */
  "/api/conflict/v1/count-conflict-events": {
    query: {
      /** Earliest time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its start, UTC). Default: the start of the UTC day 30 days ago. In RPC, 0 means the default. */
      start?: Date | bigint | number | string | undefined;
      /** Latest time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its end, UTC). Default: the end of the current UTC day. In RPC, 0 means the default. */
      end?: Date | bigint | number | string | undefined;
      /** Country in any form: code or English name. Default: all countries. */
      country?: string | undefined;
      /** Event classes, comma-separated, case-insensitive. Default: all. */
      event_type?: readonly ("battles" | "explosions/remote violence" | "violence against civilians" | "state-based conflict" | "non-state conflict" | "one-sided violence")[] | undefined;
      /** Minimum reported deaths. Default: 0. */
      min_fatalities?: number | undefined;
      /** Text that the name of a party contains, case-insensitive, at most 100 characters. Default: any. */
      actor?: string | undefined;
      /** Latitude of the north-east corner of a box, decimal degrees. All four corner values or none. */
      ne_lat?: number | undefined;
      /** Longitude of the north-east corner, decimal degrees. If it is less than `sw_lon`, the box crosses 180 degrees. */
      ne_lon?: number | undefined;
      /** Latitude of the south-west corner, decimal degrees. */
      sw_lat?: number | undefined;
      /** Longitude of the south-west corner, decimal degrees. */
      sw_lon?: number | undefined;
      /** What events are grouped by: `country`, `type` or `day`. Default: all events are one group. */
      group_by?: "country" | "type" | "day" | undefined;
    };
    answer: CountConflictEventsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

