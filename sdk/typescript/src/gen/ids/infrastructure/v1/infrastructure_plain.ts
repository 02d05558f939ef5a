// Written by `make generate`.
import type { GeoCoordinates, Pagination } from "../../../ids/common/v1/common_plain.ts";
/** Matching outages. */
export interface ListInternetOutagesResponse {
  /** Sorted by detection time, newest first, then by id. */
  outages: InternetOutage[];
  /** `nextCursor` is always empty. `totalCount` is the number of rows. */
  pagination?: Pagination;
}

/** Counted outages. */
export interface CountInternetOutagesResponse {
  /** Sorted by number of outages, highest first, then by country or type; days newest first. Empty if none matches. */
  counts: InternetOutageCount[];
  /** Matching outages of all groups. */
  totalOutages: number;
}

/** Country and place at the point. All four fields are empty if there is none. */
export interface ReverseGeocodeResponse {
  /** English short name of the country or territory. */
  country: string;
  /** ISO 3166-1 alpha-2 code of the country. `XK` for Kosovo. */
  code: string;
  /** Nearest populated place within 50 km and the country. The country alone if there is no such place. */
  displayName: string;
  /** Empty on success. If a configured provider failed, a description of the failure. */
  error: string;
}

/** Registered location of the caller's IP address. */
export interface GetIpGeoResponse {
  /** ISO 3166-1 alpha-2 country code. `XX` if unknown. */
  country: string;
  /** Name of the first-level subdivision. Empty if unknown. */
  region: string;
  /** Name of the city. Empty if unknown. */
  city: string;
}

/** An outage in one country. */
export interface InternetOutage {
  /** `cf-`, the upstream ID, `-`, and the lowercase country code. An outage of several countries has one row for each. */
  id: string;
  /** What is affected and where, such as `Homs Governorate outage in Syria`. */
  title: string;
  /** URL of the report. If the upstream provides none, the page of its outage center. */
  link: string;
  /** Description from the upstream. Empty if it provides none. */
  description: string;
  /** Detection time, Unix epoch milliseconds. */
  detectedAt: number;
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** Region within the country, for regional outages. Otherwise empty. */
  region: string;
  /** A point within the country, for maps. Absent if the country's position is unknown. */
  location?: GeoCoordinates;
  /** Extent of the outage within the country. */
  severity: OutageSeverity;
  /** Source, cause, type and the first two affected networks, as words. */
  categories: string[];
  /** Cause code from the upstream, such as `POWER_OUTAGE`. Empty if undetermined. */
  cause: string;
  /** Type code from the upstream: `NATIONWIDE`, `REGIONAL`, `NETWORK` or another. */
  outageType: string;
  /** End time, Unix epoch milliseconds. 0 while the outage is ongoing. */
  endedAt: number;
}

/** Outages of one group. */
export interface InternetOutageCount {
  /** ISO 3166-1 alpha-2 code of the country, if grouped by it. Otherwise empty. */
  country: string;
  /** Type code from the upstream, such as `REGIONAL`, if grouped by it. Otherwise empty. */
  outageType: string;
  /** UTC day of detection, `2026-03-01`, if grouped by it. Otherwise empty. */
  day: string;
  /** Number of outages. */
  outages: number;
  /** Those that have not ended. */
  ongoing: number;
}

/** Extent of an outage within a country. */
export type OutageSeverity = "OUTAGE_SEVERITY_UNSPECIFIED" | "OUTAGE_SEVERITY_PARTIAL" | "OUTAGE_SEVERITY_MAJOR" | "OUTAGE_SEVERITY_TOTAL";

export interface GetPaths {
  /** Lists internet outages, most recently detected first.
   *
   * Covers the last twelve weeks, and older outages that are still stored. Each row is one country: an outage in several countries appears once in each. Source: Cloudflare Radar annotations (CC BY-NC 4.0). The feed is curated and sparse, so an empty list is a valid result. If the store cannot be read, the operation returns 503. */
  "/api/infrastructure/v1/list-internet-outages": {
    query: {
      /** Earliest detection time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its start, UTC). Absent, in RPC also 0, means no lower bound. If it is later than `end`, the list is empty. */
      start?: Date | bigint | number | string | undefined;
      /** Latest detection time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its end, UTC). Absent, in RPC also 0, means no upper bound. */
      end?: Date | bigint | number | string | undefined;
      /** Country in any form: code or English name. Default: all countries. */
      country?: string | undefined;
      /** Extents, comma-separated: `partial`, `major`, `total`. Default: all. */
      severity?: readonly Exclude<OutageSeverity, "OUTAGE_SEVERITY_UNSPECIFIED">[] | undefined;
      /** If true, only outages without an end; if false, only those that ended. Default: both. */
      ongoing?: boolean | undefined;
    };
    answer: ListInternetOutagesResponse;
    file: { format: "ndjson" | "csv" | "geojson" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Counts internet outages, by group.
   *
   * Counts the outages that ListInternetOutages lists for the same filters. A group without outages is not listed. Source: Cloudflare Radar annotations (CC BY-NC 4.0). */
  "/api/infrastructure/v1/count-internet-outages": {
    query: {
      /** Earliest detection time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its start, UTC). Absent, in RPC also 0, means no lower bound. */
      start?: Date | bigint | number | string | undefined;
      /** Latest detection time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its end, UTC). Absent, in RPC also 0, means no upper bound. */
      end?: Date | bigint | number | string | undefined;
      /** Country in any form: code or English name. Default: all countries. */
      country?: string | undefined;
      /** Extents, comma-separated: `partial`, `major`, `total`. Default: all. */
      severity?: readonly Exclude<OutageSeverity, "OUTAGE_SEVERITY_UNSPECIFIED">[] | undefined;
      /** If true, only outages without an end; if false, only those that ended. Default: both. */
      ongoing?: boolean | undefined;
      /** What outages are grouped by: `country`, `type` or `day` of detection. Default: all outages are one group. */
      group_by?: "country" | "type" | "day" | undefined;
    };
    answer: CountInternetOutagesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns the country and the nearest populated place of a point.
   *
   * The lookup is offline (country-coder boundaries; Natural Earth land; GeoNames places, CC BY 4.0) or uses a configured Nominatim-compatible provider. A country extends 24 nautical miles (44 km) out to sea. For the open sea, Antarctica and unclaimed land, all four strings are empty; this is not an error. Disputed areas follow the boundary data, corrected by the table at `/places`. */
  "/api/infrastructure/v1/reverse-geocode": {
    query: {
      /** Latitude in decimal degrees, -90 to 90. North is positive. */
      lat: number;
      /** Longitude in decimal degrees, -180 to 180. East is positive. */
      lon: number;
    };
    answer: ReverseGeocodeResponse;
    file: { format: "ndjson" | "csv" | "geojson" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns the location of the caller's IP address.
   *
   * The location comes from the operator's own database (MMDB) or from headers of a trusted edge. The operation never fails and is never cached: a private, reserved or unknown address returns country `XX`. */
  "/api/infrastructure/v1/get-ip-geo": {
    query: Record<never, never>;
    answer: GetIpGeoResponse;
  };
}

