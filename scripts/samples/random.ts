import { createHash } from "node:crypto";

/**
 * Numbers that look random and are the same in every run, because they depend only on the subject they are drawn for.
 */
export interface Random {
  /** From 0, inclusive, to 1, exclusive. */
  readonly unit: () => number;
  readonly between: (low: number, high: number) => number;
  /** An integer from `low` to `high`, both included. */
  readonly integer: (low: number, high: number) => number;
  /** A number from the standard normal distribution. */
  readonly normal: () => number;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
}

/** The seed of the sample's world. */
const seed = "ids-1";

/**
 * Returns random numbers for one subject, such as `("debt", "NO")`. They do not depend on the numbers of other
 * subjects.
 */
export function randomOf(...subject: readonly (string | number)[]): Random {
  let state = createHash("sha256")
    .update([seed, ...subject].join("\0"))
    .digest()
    .readUInt32LE(0);
  // This is the Mulberry32 generator.
  const unit = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + (high - low) * unit();
  return {
    unit,
    between,
    integer: (low, high) => Math.floor(between(low, high + 1)),
    // This is the Box-Muller transform.
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
    pick: ([first, ...others]) => others[Math.floor(unit() * (others.length + 1)) - 1] ?? first,
  };
}
