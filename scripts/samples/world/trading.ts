import type { Market } from "../../../src/upstream/sample/trading-days.ts";
import { stepsText } from "../format/steps.ts";
import { randomOf } from "../random.ts";

/** Number of trading days with prices before and after the latest Sunday: `trade-140` to `trade+5`. */
const tradingDays = { before: 140, after: 5 };
/** Number of prints in a history: enough for every methodology, and those of this week. */
const historyPrints = 96;

/** Trading days, oldest first: -140 … -1, 1 … 5. There is no day 0. */
const days: readonly number[] = Array.from({ length: tradingDays.before + tradingDays.after }, (_, place) => {
  const day = place - tradingDays.before;
  return day < 0 ? day : day + 1;
});

/** Returns the placeholder of a trading day of a market, in a format if one is given. */
export function trade(day: number, form = "", market: Market = "trade"): string {
  return `{{${market}${day > 0 ? "+" : ""}${day}${form}}}`;
}

/** Returns the trading days up to the given day, newest first, at most `count`. */
export function upTo(day: number, count: number): number[] {
  return days
    .filter((other) => other <= day)
    .toReversed()
    .slice(0, count);
}

export interface Walk {
  /** Level around the latest Sunday. */
  readonly level: number;
  /** Daily drift as a share. */
  readonly drift: number;
  readonly volatility: number;
}

/**
 * Returns a price for each trading day. The geometric random walk has its level on the last day before the latest
 * Sunday.
 */
export function walk(name: string, { level, drift, volatility }: Walk): ReadonlyMap<number, number> {
  const { normal } = randomOf("walk", name);
  let height = 0;
  const heights = days.map((day) => {
    height += drift + volatility * normal();
    return [day, height] as const;
  });
  const last = heights.find(([day]) => day === -1)?.[1] ?? 0;
  return new Map(heights.map(([day, value]) => [day, level * Math.exp(value - last)]));
}

/** Returns a mean-reverting share for each trading day. */
export function swing(name: string, { mean, spread }: { readonly mean: number; readonly spread: number }) {
  const { normal } = randomOf("swing", name);
  const retain = 0.9;
  let off = 0;
  return new Map(
    days.map((day) => {
      off = retain * off + Math.sqrt(1 - retain ** 2) * spread * normal();
      return [day, mean + off];
    }),
  );
}

/** Returns the value of a day. Throws if there is none. */
export function on(values: ReadonlyMap<number, number>, day: number): number {
  const value = values.get(day);
  if (value === undefined) throw new Error(`The sample's markets have no day ${day}`);
  return value;
}

/** Returns a history of files with one step per print, which begins on the day after the print. */
export function history(filesOf: (day: number) => Readonly<Record<string, string>>): string {
  return steps(
    days.filter((day) => day > -historyPrints),
    filesOf,
  );
}

/** Returns the versions of a market's files during this week. */
export function thisWeek(market: Market, filesOf: (day: number) => Readonly<Record<string, string>>): string {
  return steps(
    days.filter((day) => day > 0),
    filesOf,
    market,
  );
}

function steps(
  list: readonly number[],
  filesOf: (day: number) => Readonly<Record<string, string>>,
  market: Market = "trade",
): string {
  return stepsText(list.map((day) => ({ after: trade(day, "", market), files: filesOf(day) })));
}
