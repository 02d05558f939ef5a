import { randomOf } from "../random.ts";

/** Years back and ahead that are drawn for everything. */
const [back, ahead] = [45, 3];
const memory = 0.7;

/** A slow wave round 0 with a standard deviation of about 1, by years ahead of this one; the past is below 0. */
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
