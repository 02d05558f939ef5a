import type { Box } from "../box.ts";

/** The points of the Earth up to a distance from a center in degrees. */
export interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly km: number;
}

/** Mean radius of the Earth in kilometers. */
export const earthKm = 6_371;

/** Returns a box that contains a circle. A circle around a pole has all longitudes. */
export function boxAround({ latitude, longitude, km }: Circle): Box {
  const angle = degreesOf(km / earthKm);
  const [south, north] = [latitude - angle, latitude + angle];
  if (south <= -90 || north >= 90)
    return { west: -180, east: 180, south: Math.max(south, -90), north: Math.min(north, 90) };
  const side = degreesOf(Math.asin(Math.sin(radiansOf(angle)) / Math.cos(radiansOf(latitude))));
  return { west: turned(longitude - side), east: turned(longitude + side), south, north };
}

export function isInCircle(circle: Circle, longitude: number, latitude: number): boolean {
  const [north, east] = [radiansOf(latitude - circle.latitude), radiansOf(longitude - circle.longitude)];
  const scale = Math.cos(radiansOf(circle.latitude)) * Math.cos(radiansOf(latitude));
  const half = Math.sin(north / 2) ** 2 + scale * Math.sin(east / 2) ** 2;
  return 2 * earthKm * Math.asin(Math.sqrt(Math.min(1, half))) <= circle.km;
}

function turned(longitude: number): number {
  return longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude;
}

function radiansOf(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function degreesOf(radians: number): number {
  return (radians * 180) / Math.PI;
}
