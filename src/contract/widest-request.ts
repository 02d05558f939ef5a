import type { Operation } from "./catalog.ts";

const corners = { ne_lat: 90, ne_lon: 180, sw_lat: -90, sw_lon: -180 };
/** The closest zoom level of web maps. */
export const nearZoom = 22;

/** Returns parameters for a box around the world. At a low zoom, the response leaves out minor events. */
export function wholeWorld(operation: Operation, zoom = nearZoom): Readonly<Record<string, number>> {
  return isZoomed(operation) ? { ...corners, zoom } : {};
}

export function isZoomed({ method }: Operation): boolean {
  const names = new Set(method.input.fields.map(({ name }) => name));
  return names.has("zoom") && names.has("ne_lat");
}
