import { randomOf } from "../random.ts";
import { waveOf } from "./drift.ts";

/** Stores of gas: terawatt-hours that they hold, and how full they were at the turn of the season, in percent. */
export const stores: Readonly<Record<string, readonly [volume: number, full: number]>> = {
  ...{ AT: [97.4, 82.6], BE: [8.7, 79.8], BG: [5.9, 73.1], CZ: [44.1, 81], DE: [246.5, 75.9], DK: [9.6, 84.4] },
  ...{ ES: [35.9, 88.1], FR: [123.9, 86], GB: [9.6, 43.2], HR: [4.8, 70.4], HU: [67.8, 79], IT: [203.5, 93.9] },
  ...{ LV: [24.8, 65.2], NL: [144, 69.6], PL: [37.1, 96.6], PT: [3.6, 98.4], RO: [34.2, 83.4], RS: [4.8, 90.1] },
  ...{ SE: [0.1, 59.9], SK: [38.4, 76.5], UA: [323, 31] },
};

/** Days ago that filling ended and drawing began. */
const turn = 13;
/** Percentage points a day, before and after. */
const [filled, drawn] = [0.13, -0.17];
/** So much less is drawn on two days of seven, when industry rests. */
const rest = 0.07;

/** Percent, so many days ago. */
function fillOf(country: string, day: number): number {
  const [, full] = stores[country] ?? [0, 0];
  const since = turn - day;
  const level = full + (since < 0 ? filled : drawn) * since;
  const weeks = rest * Math.sin((2 * Math.PI * day) / 7);
  const own = 0.12 * waveOf("gas", country)(-day) + 0.02 * randomOf("gas", country, day).normal();
  return Math.min(99.6, level + weeks + own);
}

/** Terawatt-hours. */
export function storedIn(country: string, day: number): number {
  return ((stores[country]?.[0] ?? 0) * fillOf(country, day)) / 100;
}

export function isOfUnion(country: string): boolean {
  return !["GB", "RS", "UA"].includes(country);
}
