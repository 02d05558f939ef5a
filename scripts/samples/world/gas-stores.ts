import { randomOf } from "../random.ts";
import { waveOf } from "./drift.ts";

/** Gas stores: their volume in terawatt-hours, and their level in percent on the fullest day of the best year. */
export const stores: Readonly<Record<string, readonly [volume: number, full: number]>> = {
  ...{ AT: [97.4, 90.6], BE: [8.7, 87.8], BG: [5.9, 81.1], CZ: [44.1, 89.0], DE: [246.5, 83.9], DK: [9.6, 92.4] },
  ...{ ES: [35.9, 96.1], FR: [123.9, 94.0], GB: [9.6, 43.2], HR: [4.8, 78.4], HU: [67.8, 87.0], IT: [203.5, 99.2] },
  ...{ LV: [24.8, 73.2], NL: [144, 77.6], PL: [37.1, 99.2], PT: [3.6, 99.2], RO: [34.2, 91.4], RS: [4.8, 98.1] },
  ...{ SE: [0.1, 59.9], SK: [38.4, 84.5], UA: [323, 31] },
};

/** Amplitude of the weekly cycle in percentage points, because industry rests on weekends. */
const rest = 0.06;

/** Returns the level in percent a number of days ago. */
function fillOf(country: string, day: number): number {
  const [, full] = stores[country] ?? [0, 0];
  const weeks = rest * Math.sin((2 * Math.PI * day) / 7);
  const own = 0.05 * waveOf("gas", country)(-day) + 0.02 * randomOf("gas", country, day).normal();
  return Math.min(99.6, full + weeks + own);
}

/** Returns the gas in terawatt-hours if the day were the fullest one of the best year. */
export function maxIn(country: string, day: number): number {
  return ((stores[country]?.[0] ?? 0) * fillOf(country, day)) / 100;
}

export function isOfUnion(country: string): boolean {
  return !["GB", "RS", "UA"].includes(country);
}
