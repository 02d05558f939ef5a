import { UpstreamError } from "../../egress/upstream-error.ts";
import { months } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { gasSeason } from "../../reference/gas-season.ts";
import { type Market, tradingDay } from "./trading-days.ts";

/** How many days after the end of a month, quarter, or year a source publishes its values. */
const publishedAfterDays = { month: 10, quarter: 30, year: 180 };

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const markets: readonly Market[] = ["nyse", "trade"];
const days = ["day", ...markets, ...weekdays];
const units = ["now", "gas", ...days, "month", "quarter", "year"].join("|");
const grammar = new RegExp(
  `^(?<unit>${units})(?<offset>[+-]\\d+)?(?:\\.(?<month>[123]))?(?:\\.\\.(?<until>[+-]\\d+))?(?:T(?<time>\\d\\d:\\d\\d(?::\\d\\d)?))?(?: (?<form>.+))?$`,
);

/** The formatters are created only once, because their creation is slow. */
const writer = (parts: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat("en-US", { ...parts, timeZone: "UTC" });
  return (day: Date) => format.format(day);
};
const shortMonth = (day: Date) => months[day.getUTCMonth()] ?? "";
const twoDigits = (number: number) => String(number).padStart(2, "0");
const quarterOf = (day: Date) => Math.floor(day.getUTCMonth() / 3);

const parts: Readonly<Record<string, (day: Date) => string | number>> = {
  YYYY: (day) => day.getUTCFullYear(),
  MM: (day) => twoDigits(day.getUTCMonth() + 1),
  Month: writer({ month: "long" }),
  Mon: shortMonth,
  MON: (day) => shortMonth(day).toUpperCase(),
  DD: (day) => twoDigits(day.getUTCDate()),
  D: (day) => day.getUTCDate(),
  last: (day) => twoDigits(new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()),
  Weekday: writer({ weekday: "long" }),
  Day: writer({ weekday: "short" }),
  QQ: (day) => `Q${quarterOf(day) + 1}`,
  Qth: (day) => ["1st", "2nd", "3rd", "4th"][quarterOf(day)] ?? "",
  Q: (day) => quarterOf(day) + 1,
  serial: (day) => (day.getTime() - Date.UTC(1899, 11, 30)) / dayMs,
  ms: (day) => day.getTime(),
  s: (day) => Math.floor(day.getTime() / 1000),
};
/** Longer names are first, so that the pattern prefers `Month` to `Mon`. */
const names = Object.keys(parts).sort((a, b) => b.length - a.length);
const part = new RegExp(names.join("|"), "g");
/** The format of a placeholder consists of names such as `YYYY`, digits, and separators. */
const formGrammar = new RegExp(`^(?:${names.join("|")}|[\\dTZ ,.:/-])+$`);

const defaultForms: Readonly<Record<string, string>> = { month: "YYYY-MM", quarter: "YYYY-QQ", year: "YYYY" };

/** Replaces placeholders, such as `{{day-3}}`, with dates relative to `now`. An error names `file`. */
export function fillPlaceholders(text: string, now: Date, file: string): string {
  const known = new Map<string, string>();
  return text.replace(/\{\{(.*?)\}\}/g, (placeholder, inside: string) => {
    const date = known.get(inside) ?? dateOf(inside, now);
    if (date === undefined) throw new UpstreamError(`The sample ${file} has the unknown placeholder ${placeholder}`);
    known.set(inside, date);
    return date;
  });
}

function dateOf(inside: string, now: Date): string | undefined {
  const {
    unit = "",
    offset = "0",
    month,
    until,
    time,
    form = defaultForms[unit] ?? "YYYY-MM-DD",
  } = grammar.exec(inside)?.groups ?? {};
  const isEpoch = form === "s" || form === "ms";
  const isDay = days.includes(unit);
  if (unit === "" || !formGrammar.test(form)) return undefined;
  if ((time && !(isDay && isEpoch)) || (until && !isDay) || (month && unit !== "quarter")) return undefined;
  if (unit === "gas") return levelOf(form, beginOf("day", Number(offset), now, 1));
  const isMarket = markets.some((market) => market === unit);
  if ((unit === "now" && !isEpoch) || (isMarket && (Number(offset) === 0 || until))) return undefined;
  const begin =
    unit === "now"
      ? new Date(now.getTime() + Number(offset) * (form === "s" ? 1000 : 1))
      : beginOf(unit, Number(offset), now, Number(month ?? 1));
  if (until) return period(begin, beginOf(unit, Number(until), now, 1));
  const at = new Date(begin.getTime() + (time ? Date.parse(`1970-01-01T${time}Z`) : 0));
  return form.replace(part, (name) => String(parts[name]?.(at)));
}

/** Returns the fill level of a gas storage on a day. `fullest` is its maximum, whose decimals are used. */
function levelOf(fullest: string, day: Date): string | undefined {
  const level = Number(fullest) * gasSeason(day.getTime());
  return Number.isNaN(level) ? undefined : level.toFixed(fullest.split(".")[1]?.length ?? 0);
}

/** Returns the start of a day or period relative to now. For a quarter, `month` selects one of its three months. */
function beginOf(unit: string, offset: number, now: Date, month: number): Date {
  const today = Math.floor(now.getTime() / dayMs);
  const ago = (days: number) => new Date((today - days) * dayMs);
  switch (unit) {
    case "nyse":
    case "trade":
      return new Date(tradingDay(unit, today - now.getUTCDay(), offset) * dayMs);
    case "day":
      return ago(-offset);
    case "year":
      return new Date(Date.UTC(ago(publishedAfterDays.year).getUTCFullYear() + offset, 0));
    case "month": {
      const known = ago(publishedAfterDays.month);
      return new Date(Date.UTC(known.getUTCFullYear(), known.getUTCMonth() + offset));
    }
    case "quarter": {
      const known = ago(publishedAfterDays.quarter);
      return new Date(Date.UTC(known.getUTCFullYear(), 3 * (quarterOf(known) + offset) + month - 1));
    }
    default:
      return ago(((7 + now.getUTCDay() - weekdays.indexOf(unit)) % 7) - offset);
  }
}

/** A range in American style: `Nov 9–12, 2026`, `Nov 30 – Dec 2, 2026`. */
function period(first: Date, last: Date): string {
  const day = (date: Date) => `${shortMonth(date)} ${date.getUTCDate()}`;
  const [from, to] = [first.getUTCFullYear(), last.getUTCFullYear()];
  if (from !== to) return `${day(first)}, ${from} – ${day(last)}, ${to}`;
  const end = first.getUTCMonth() === last.getUTCMonth() ? `–${last.getUTCDate()}` : ` – ${day(last)}`;
  return `${day(first)}${end}, ${to}`;
}
