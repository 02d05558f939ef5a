import { geoArea, geoCentroid } from "d3-geo";

/** Longitude and latitude. */
export type Position = [number, number, ...number[]];
/** Its outline, and then its holes. */
export type Polygon = readonly Position[][];

/** The center of gravity of areas on the globe, wherever the 180th meridian cuts them. */
export function centerOf(polygons: readonly Polygon[]): { latitude: number; longitude: number } {
  const [longitude, latitude] = geoCentroid({ type: "MultiPolygon", coordinates: polygons.map(wound) });
  const rounded = (degrees: number) => Number(degrees.toFixed(6));
  return { latitude: rounded(latitude), longitude: rounded(longitude) };
}

/** The inside of a ring is on the side that its direction says, and sources differ: an outline has the smaller side inside. */
function wound(rings: Polygon): Position[][] {
  const hasSmallerInside = (ring: Position[]) => geoArea({ type: "Polygon", coordinates: [ring] }) < 2 * Math.PI;
  return rings.map((ring, place) => (hasSmallerInside(ring) === (place === 0) ? ring : ring.toReversed()));
}
