import { rounded } from "../../../reference/rounding.ts";
import { penalised } from "../scoring/country-score.ts";
import { rules } from "./structure.ts";

/** The name of the method. It changes with the method, because intervals of other methods are not comparable. */
export const intervalMethodology = "weight-perturbation-sensitivity-v3";

/** The range of a score if the weights of its pillars vary. Both ends are rounded to one decimal. */
export interface Interval {
  readonly p05: number;
  readonly p95: number;
}

/** Computes the range of a country's score for random weights, which are the same each time. It contains the score. */
export function intervalOf(country: string, pillars: Parameters<typeof penalised>[0], overall: number): Interval {
  const { draws, spread, low, high } = rules.interval;
  const random = randomOf(country);
  const drawn = Array.from({ length: draws }, () =>
    penalised(pillars.map((pillar) => ({ ...pillar, weight: pillar.weight * (1 + spread * (2 * random() - 1)) }))),
  ).sort((a, b) => a - b);
  const at = (share: number) => rounded(drawn[Math.ceil(draws * share) - 1] ?? 0, 1);
  return {
    p05: Math.min(at(low), Math.floor(overall * 10) / 10),
    p95: Math.max(at(high), Math.ceil(overall * 10) / 10),
  };
}

/** Returns a generator of numbers from 0 to 1 (Mulberry32 by Tommy Ettinger). `seed` determines the numbers. */
function randomOf(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
