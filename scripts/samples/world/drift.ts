import { randomOf } from "../random.ts";

/** Every wave covers these years before and after the current one. */
const [back, ahead] = [45, 3];
const memory = 0.7;

/**
 * Returns a slow wave around 0 with a standard deviation of about 1. Year 0 is the current one, and past years are
 * negative.
 */
export function waveOf(...subject: readonly (string | number)[]): (year: number) => number {
  const { normal } = randomOf("wave", ...subject);
  const values: number[] = [];
  let value = normal();
  for (let year = -back; year <= ahead; year += 1) {
    values.push(value);
    value = memory * value + Math.sqrt(1 - memory ** 2) * normal();
  }
  return (year) => values[Math.round(year) + back] ?? 0;
}

export function clamped(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
