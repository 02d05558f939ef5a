import type { Table } from "../../contract/tables.ts";

export const crs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
const epsg4326 = "http://www.opengis.net/def/crs/EPSG/0/4326";

/** Coordinate reference systems of features and boxes: both are WGS 84, CRS84 with the longitude first. */
export const systems: readonly string[] = [crs84, epsg4326];

export function isLatitudeFirst(crs: string): boolean {
  return crs === epsg4326;
}

/** Returns the table with latitude and longitude in the order of the coordinate reference system. */
export function tableIn(crs: string, table: Table): Table {
  const { latitude, longitude } = table;
  if (!isLatitudeFirst(crs) || !latitude || !longitude) return table;
  return { ...table, latitude: longitude, longitude: latitude };
}
