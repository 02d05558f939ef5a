import { type Profile, profileOf } from "./country-profiles.ts";

const earthRadiusKm = 6371;
/** Neighbors are not nearer than this: what counts lies inland. */
const minKm = 300;
const known = new Map<string, number>();

/** Kilometers between two countries on a great circle. */
export function distanceKm(from: string, to: string): number {
  const key = from < to ? `${from} ${to}` : `${to} ${from}`;
  const reported = known.get(key);
  if (reported !== undefined) return reported;
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
