import { dayMs } from "../../reference/duration.ts";

/** Closing days of TARGET, on which no market of the sample trades either: the same each year, as `MM-DD`. */
const closed = new Set(["01-01", "05-01", "12-25", "12-26"]);
/** Those that move: Good Friday and Easter Monday, in days from Easter Sunday. */
const aroundEaster = [-2, 1];

/** A day, counted from 1970, on which the markets of the sample trade. */
function isTradingDay(day: number): boolean {
  const date = new Date(day * dayMs);
  const weekday = date.getUTCDay();
  return (
    weekday !== 0 &&
    weekday !== 6 &&
    !closed.has(date.toISOString().slice(5, 10)) &&
    !aroundEaster.includes(day - easterSunday(date.getUTCFullYear()))
  );
}

/** Trading days before and after a day, in the order of their distance, as far as they were asked for. */
const walked = { from: Number.NaN, before: [] as number[], after: [] as number[] };

/** The trading day so many before or after a day that is none; `offset` is not 0. */
export function tradingDay(from: number, offset: number): number {
  if (walked.from !== from) Object.assign(walked, { from, before: [], after: [] });
  const days = offset < 0 ? walked.before : walked.after;
  let day = days.at(-1) ?? from;
  while (days.length < Math.abs(offset)) {
    do day += Math.sign(offset);
    while (!isTradingDay(day));
    days.push(day);
  }
  return days[Math.abs(offset) - 1] ?? from;
}

/** In days from 1970; by the anonymous Gregorian computus (Meeus, Jones and Butcher). */
function easterSunday(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const march = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(march / 31) - 1, (march % 31) + 1) / dayMs;
}
