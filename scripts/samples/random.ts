import { createHash } from "node:crypto";

/** Numbers that look drawn and are the same in every run: they follow from what they are drawn for. */
export interface Random {
  /** From 0 up to, never reaching, 1. */
  readonly unit: () => number;
  readonly between: (low: number, high: number) => number;
  /** A whole number from `low` to `high`, both included. */
  readonly integer: (low: number, high: number) => number;
  /** Of the standard normal distribution. */
  readonly normal: () => number;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
}

/** The seed of the sample's world. */
const seed = "ids-1";

/** What is drawn for one thing, such as `("debt", "NO")`, does not change when more is drawn for others. */
export function randomOf(...subject: readonly (string | number)[]): Random {
  let state = createHash("sha256")
    .update([seed, ...subject].join("\0"))
    .digest()
    .readUInt32LE(0);
  // Mulberry32.
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
    // Box and Muller.
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
    pick: ([first, ...others]) => others[Math.floor(unit() * (others.length + 1)) - 1] ?? first,
  };
}
