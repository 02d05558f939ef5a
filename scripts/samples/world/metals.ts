import { on, swing, walk } from "./trading.ts";

const gramsPerOunce = 31.1034768;

/** Dollars and yuan per euro. */
export const dollar = walk("dollar", { level: 1.1734, drift: 0.0001, volatility: 0.0035 });
export const yuan = walk("yuan", { level: 8.241, drift: 0.0001, volatility: 0.0032 });

/** New York's futures in dollars per troy ounce, and Shanghai's premium over them. */
export const metals = {
  gold: {
    symbol: "GC=F",
    name: "Gold Futures",
    contract: "SHAU",
    title: "Gold",
    decimals: { future: 1, benchmark: 2 },
    grams: 1,
    future: walk("gold", { level: 4218.5, drift: 0.0007, volatility: 0.009 }),
    premium: swing("gold", { mean: 0.007, spread: 0.005 }),
    volume: 180_000,
  },
  silver: {
    symbol: "SI=F",
    name: "Silver Futures",
    contract: "SHAG",
    title: "Silver",
    decimals: { future: 3, benchmark: 0 },
    grams: 1000,
    future: walk("silver", { level: 46.2, drift: 0.0009, volatility: 0.015 }),
    premium: swing("silver", { mean: 0.026, spread: 0.012 }),
    volume: 65_000,
  },
} as const;

export type WorldMetal = (typeof metals)[keyof typeof metals];

/** Returns Shanghai's price on a day in yuan per unit of its contract. */
export function benchmark({ future, premium, grams }: WorldMetal, day: number): number {
  const perOunce = (on(future, day) * (1 + on(premium, day)) * on(yuan, day)) / on(dollar, day);
  return (perOunce / gramsPerOunce) * grams;
}
