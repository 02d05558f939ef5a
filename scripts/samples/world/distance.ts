import { type Profile, profileOf } from "./country-profiles.ts";

const earthRadiusKm = 6371;
/** Minimum distance of two neighbors, because people and trade are not at the border. */
const minKm = 300;
const known = new Map<string, number>();

/** Returns the great-circle distance between two countries in kilometers. */
export function distanceKm(from: string, to: string): number {
  const key = from < to ? `${from} ${to}` : `${to} ${from}`;
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const distance = Math.max(minKm, greatCircleKm(profileOf(from), profileOf(to)));
  known.set(key, distance);
  return distance;
}

function greatCircleKm(from: Profile, to: Profile): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const [a, b] = [radians(from.latitude), radians(to.latitude)];
  const half =
    Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  return 2 * earthRadiusKm * Math.asin(Math.sqrt(half));
}
