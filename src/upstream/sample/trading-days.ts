import { dayMs } from "../../reference/duration.ts";

/** `nyse` has the trading days of New York. `trade` has the days on which all compared exchanges trade. */
export type Market = "nyse" | "trade";

/** Returns whether a market is closed on a weekday. Days are counted from 1970. */
type Closed = (day: number) => boolean;

const [monday, thursday] = [1, 4];
const dated = (day: number) => new Date(day * dayMs).toISOString().slice(5, 10);
const yearOf = (day: number) => new Date(day * dayMs).getUTCFullYear();
const weekdayOf = (day: number) => new Date(day * dayMs).getUTCDay();
const fromEaster = (day: number) => day - easterSunday(yearOf(day));

const targetDays = new Set(["01-01", "05-01", "12-25", "12-26"]);

/** The ECB publishes no rates on the holidays of TARGET, the payment system of the euro. */
const targetClosed: Closed = (day) => targetDays.has(dated(day)) || [-2, 1].includes(fromEaster(day));

/** American holidays with a fixed date. If it is a Saturday, the market closes on Friday. If a Sunday, on Monday. */
const fixedDays = new Set(["01-01", "06-19", "07-04", "12-25"]);
/** American holidays on a weekday of a month. `place` is the week of the month. If negative, it counts from the end. */
const weekdayHolidays = [
  { month: 1, weekday: monday, place: 3 },
  { month: 2, weekday: monday, place: 3 },
  { month: 5, weekday: monday, place: -1 },
  { month: 9, weekday: monday, place: 1 },
  { month: 11, weekday: thursday, place: 4 },
];

const nyseClosed: Closed = (day) =>
  fixedDays.has(dated(day)) ||
  (weekdayOf(day) === monday && fixedDays.has(dated(day - 1))) ||
  // If January 1 is a Saturday, the market stays open on the Friday before.
  (weekdayOf(day) === 5 && fixedDays.has(dated(day + 1)) && dated(day + 1) !== "01-01") ||
  fromEaster(day) === -2 ||
  weekdayHolidays.some((holiday) => isHoliday(day, holiday));

function isHoliday(day: number, { month, weekday, place }: (typeof weekdayHolidays)[number]): boolean {
  const date = new Date(day * dayMs);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDay() !== weekday) return false;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate();
  return place > 0 ? Math.ceil(date.getUTCDate() / 7) === place : date.getUTCDate() + 7 > last;
}

/** Chinese holidays with fixed dates: New Year, Labor Day, National Day, and the days that follow them. */
const shanghaiDays = new Set("01-01 05-01 05-02 05-03 10-01 10-02 10-03 10-04 10-05 10-06 10-07".split(" "));
/**
 * Known Chinese holidays of the lunar calendar: the eves of the Spring Festival, which lasts eight days, and single
 * days.
 */
const springEves = ["2025-01-28", "2026-02-16", "2027-02-05", "2028-01-25", "2029-02-12", "2030-02-02"];
const springDays = 8;
const lunarDays = new Set(
  [
    ...["2025-04-04", "2025-06-02", "2025-10-08", "2026-04-06", "2026-06-19", "2026-09-25", "2027-04-05"],
    ...["2027-06-09", "2027-09-15", "2028-04-04", "2028-05-29", "2029-04-04", "2029-09-21", "2030-04-05"],
  ].map((date) => Date.parse(date) / dayMs),
);
const springFestivals = new Set(
  springEves.flatMap((eve) => Array.from({ length: springDays }, (_, after) => Date.parse(eve) / dayMs + after)),
);

const shanghaiClosed: Closed = (day) => shanghaiDays.has(dated(day)) || lunarDays.has(day) || springFestivals.has(day);

const closings: Readonly<Record<Market, readonly Closed[]>> = {
  nyse: [nyseClosed],
  trade: [targetClosed, nyseClosed, shanghaiClosed],
};

function isTradingDay(market: Market, day: number): boolean {
  const weekday = weekdayOf(day);
  return weekday !== 0 && weekday !== 6 && !closings[market].some((isClosed) => isClosed(day));
}

const walked: Readonly<Record<Market, { from: number; before: number[]; after: number[] }>> = {
  nyse: { from: Number.NaN, before: [], after: [] },
  trade: { from: Number.NaN, before: [], after: [] },
};

/** Counts `offset` trading days from a day. `offset` is not 0, because the day may not be a trading day. */
export function tradingDay(market: Market, from: number, offset: number): number {
  const known = walked[market];
  if (known.from !== from) Object.assign(known, { from, before: [], after: [] });
  const days = offset < 0 ? known.before : known.after;
  let day = days.at(-1) ?? from;
  while (days.length < Math.abs(offset)) {
    do day += Math.sign(offset);
    while (!isTradingDay(market, day));
    days.push(day);
  }
  return days[Math.abs(offset) - 1] ?? from;
}

/** Easter in days from 1970, by the anonymous Gregorian computus (Meeus, Jones and Butcher). */
function easterSunday(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const march = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(march / 31) - 1, (march % 31) + 1) / dayMs;
}
