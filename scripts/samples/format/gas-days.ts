import { placeholder } from "./decimal.ts";

// In AGSI's responses, all numbers are text, and a day without a level has dashes.

export interface Stores {
  readonly name: string;
  readonly code: string;
  readonly url: string;
  /** Volume in terawatt-hours. */
  readonly volume: number;
  /** Terawatt-hours a number of days ago, if that had been the fullest day of the best year. */
  readonly max: (day: number) => number;
  /** Days ago without a level. */
  readonly without: readonly number[];
  readonly updated: string;
}

/** A gas day ends on the next morning and is published on that evening, so that this day is the newest all day. */
const newestGasDay = 2;
/** Estimates become confirmed values after this number of days. */
const estimatedDays = 3;

/** Returns gas days, newest first. */
export function gasDays(stores: Stores, count: number): readonly object[] {
  return Array.from({ length: count }, (_, place) => gasDay(stores, place + newestGasDay));
}

function gasDay({ name, code, url, volume, max, without, updated }: Stores, day: number) {
  const isWithout = without.includes(day);
  const shown = (value: number, digits: number) => (isWithout ? "-" : placeholder("gas", -day, value.toFixed(digits)));
  return {
    ...{ name, code, url, updatedAt: `${placeholder("day", 1 - day)} ${updated}` },
    ...{ gasDayStart: placeholder("day", -day), gasDayEnd: placeholder("day", 1 - day) },
    ...{ gasInStorage: shown(max(day), 4), consumption: (volume * 3.2).toFixed(4) },
    consumptionFull: shown((100 * max(day)) / (volume * 3.2), 2),
    // Injections and withdrawals are empty, because they would have to match the season too.
    ...{ injection: "-", withdrawal: "-" },
    ...{ workingGasVolume: volume.toFixed(4), injectionCapacity: (volume * 17).toFixed(2) },
    withdrawalCapacity: (volume * 28).toFixed(2),
    status: isWithout ? "N" : day <= estimatedDays ? "E" : "C",
    ...{ trend: "-", full: shown((100 * max(day)) / volume, 2), info: [] },
  };
}
