import type { Market } from "../../../src/upstream/sample/trading-days.ts";
import { stepsText } from "../format/steps.ts";
import { randomOf } from "../random.ts";

/** Trading days before and after the latest Sunday that the world has prices of: `trade-140` to `trade+5`. */
const tradingDays = { before: 140, after: 5 };
/** The days of which a source tells a history: prints enough for every method, and those of this week. */
const historyPrints = 96;

/** Trading days from the oldest: -140 … -1, 1 … 5. There is no day 0. */
const days: readonly number[] = Array.from({ length: tradingDays.before + tradingDays.after }, (_, place) => {
  const day = place - tradingDays.before;
  return day < 0 ? day : day + 1;
});

/** A trading day of a market as a placeholder, in a form of its own where one is given. */
export function trade(day: number, form = "", market: Market = "trade"): string {
  return `{{${market}${day > 0 ? "+" : ""}${day}${form}}}`;
}

/** The trading days up to one, newest first; at most so many. */
export function upTo(day: number, count: number): number[] {
  return days
    .filter((other) => other <= day)
    .toReversed()
    .slice(0, count);
}

export interface Walk {
  /** The level about the latest Sunday. */
  readonly level: number;
  /** Of a day, as a share. */
  readonly drift: number;
  readonly volatility: number;
}

/** A price of each trading day: a geometric random walk that passes its level on the last day before the latest Sunday. */
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

/** A share round a mean, to which it comes back. */
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

/** The value of a day that the world has. */
export function on(values: ReadonlyMap<number, number>, day: number): number {
  const value = values.get(day);
  if (value === undefined) throw new Error(`The sample's markets have no day ${day}`);
  return value;
}

/** A history of files, one step a print from the day after it; what each print's files hold is told by its day. */
export function history(filesOf: (day: number) => Readonly<Record<string, string>>): string {
  return steps(
    days.filter((day) => day > -historyPrints),
    filesOf,
  );
}

/** What files of a market become in the course of this week. */
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
