// Written by `make generate`.
/** Position in a list and its total size. */
export interface Pagination {
  /** Cursor of the next page. Empty on the last page. */
  nextCursor: string;
  /** Total number of matching items. 0 can also mean that the total is unknown. */
  totalCount: number;
}

/** Point on the WGS84 ellipsoid. */
export interface GeoCoordinates {
  /** Latitude in decimal degrees, -90 to 90. North is positive. */
  latitude: number;
  /** Longitude in decimal degrees, -180 to 180. East is positive. */
  longitude: number;
}

