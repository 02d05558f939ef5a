import { randomOf } from "../random.ts";
import { placeholder } from "./decimal.ts";

// Gas days of AGSI: all numbers are text, and a day without a level has dashes.

export interface Stores {
  readonly name: string;
  readonly code: string;
  readonly url: string;
  /** Terawatt-hours. */
  readonly volume: number;
  /** So many days ago. */
  readonly stored: (day: number) => number;
  /** Days ago without a level. */
  readonly without: readonly number[];
  readonly updated: string;
}

/** A gas day ends in the morning of the next day and is told of in its evening: all day long this one is the newest. */
const newestGasDay = 2;
/** Estimates become confirmed values on the third day after. */
const estimatedDays = 3;

/** The newest days first. */
export function gasDays(stores: Stores, count: number): readonly object[] {
  return Array.from({ length: count }, (_, place) => gasDay(stores, place + newestGasDay));
}

function gasDay({ name, code, url, volume, stored, without, updated }: Stores, day: number) {
  const isWithout = without.includes(day);
  const shown = (value: number, digits: number) => (isWithout ? "-" : value.toFixed(digits));
  const full = (at: number) => Number(((100 * stored(at)) / volume).toFixed(2));
  const { between } = randomOf("gas day", code, day);
  const change = (stored(day) - stored(day + 1)) * 1000;
  const turnover = volume * between(0.1, 0.5);
  return {
    ...{ name, code, url, updatedAt: `${placeholder("day", 1 - day)} ${updated}` },
    ...{ gasDayStart: placeholder("day", -day), gasDayEnd: placeholder("day", 1 - day) },
    ...{ gasInStorage: shown(stored(day), 4), consumption: (volume * 3.2).toFixed(4) },
    consumptionFull: shown((100 * stored(day)) / (volume * 3.2), 2),
    injection: shown(Math.max(change, 0) + turnover, 1),
    withdrawal: shown(Math.max(-change, 0) + turnover, 1),
    ...{ workingGasVolume: volume.toFixed(4), injectionCapacity: (volume * 17).toFixed(2) },
    withdrawalCapacity: (volume * 28).toFixed(2),
    status: isWithout ? "N" : day <= estimatedDays ? "E" : "C",
    ...{ trend: shown(full(day) - full(day + 1), 2), full: shown(full(day), 2), info: [] },
  };
}
