import { months } from "../../reference/months.ts";

const monthNames = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
const ordinals = ["1st", "2nd", "3rd", "4th"];
const dayMs = 86_400_000;

/**
 * Moves the periods of a sample so that the reference day's becomes the one that now is in. Days move by whole months or
 * quarters and stay the first, last or same one of their month; `2026-10-31`, `31-Oct-2026`, the serial days in a table's
 * head (`Date,46327,…`), and `"year":"2026","period":"M10"` and `2026-Q3`, whose months and quarters move by their own
 * kind. By quarters, so does `"quarter":3` with the `"year":2026` after it in the same object. By months,
 * `"2026-09"` alone between quotes, `"yearMonth":"202609"`, and `"year":"2026","month":"09"` (also `"calendarYear"`, with the
 * `"marketYear"` before it by whole years).
 */
export function shiftPeriods(text: string, by: "months" | "quarters", referenceDay: string, now: Date): string {
  const from = monthOf(new Date(referenceDay));
  const to = monthOf(now);
  const quarters = Math.floor(to / 3) - Math.floor(from / 3);
  const moved = by === "months" ? to - from : 3 * quarters;
  const days = shiftHead(shiftIso(shiftWritten(text, moved), moved), moved);
  const shifted = shiftQuarters(shiftNamed(days, to - from, quarters), quarters);
  return by === "quarters" ? shiftNumbered(shifted, quarters) : shiftMonthNumbers(shifted, moved);
}

/**
 * Moves the years of `"date":"2025"`, `"period":"2025"`, `"refYear":2025`, `"TimeDim":2025`, of members named by a year
 * (`"2025":`) and of lines like `Norway,NOR,2025,` by the years from the reference day to now.
 */
export function shiftYears(text: string, referenceDay: string, now: Date): string {
  const by = now.getUTCFullYear() - new Date(referenceDay).getUTCFullYear();
  if (by === 0) return text;
  const years =
    /(?<="(?:date|period)":\s*")\d{4}(?=")|(?<="(?:refYear|TimeDim)":\s*)\d{4}(?!\d)|(?<=[{,]\s*")(?:19|20)\d\d(?="\s*:)|(?<=^[^,"\n]+,[A-Z_]*,)\d{4}(?=,)/gm;
  return text.replace(years, (year) => String(Number(year) + by));
}

/** Moves Unix times of this century, in seconds and in milliseconds, so that the reference day's midnight becomes now. */
export function shiftInstants(text: string, referenceDay: string, now: Date): string {
  const by = now.getTime() - Date.parse(referenceDay);
  return text.replace(/(?<![\w.-])1\d{9}(\d{3})?(?![\w])/g, (time, milliseconds) =>
    String(milliseconds === undefined ? Number(time) + Math.floor(by / 1000) : Number(time) + by),
  );
}

/** Months since the year 0. */
function monthOf(day: Date): number {
  return 12 * day.getUTCFullYear() + day.getUTCMonth();
}

function shiftIso(text: string, by: number): string {
  return text.replace(/(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/g, (day, year, month, date) => {
    const moved = movedDay(Number(year), Number(month) - 1, Number(date), by);
    return moved?.toISOString().slice(0, 10) ?? day;
  });
}

function shiftWritten(text: string, by: number): string {
  return text.replace(/(?<![\w-])(\d{2})-([A-Z][a-z]{2})-(\d{4})(?![\w-])/g, (day, date, month, year) => {
    const moved = movedDay(Number(year), months.indexOf(month), Number(date), by);
    return moved
      ? `${String(moved.getUTCDate()).padStart(2, "0")}-${months[moved.getUTCMonth()]}-${moved.getUTCFullYear()}`
      : day;
  });
}

/** Spreadsheets count days from the end of 1899. */
const dayZero = Date.UTC(1899, 11, 30);

function shiftHead(text: string, by: number): string {
  return text.replace(/^Date(,\d{5})+(?=\r?$)/m, (head) =>
    head.replace(/\d{5}/g, (serial) => {
      const day = new Date(dayZero + Number(serial) * dayMs);
      const moved = movedDay(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), by);
      return moved ? String((moved.getTime() - dayZero) / dayMs) : serial;
    }),
  );
}

const named = /"year":(\s*)"(\d{4})",(\s*)"period":(\s*)"([MQ])(\d{2})",(\s*)"periodName":(\s*)"[^"]*"/g;

function shiftNamed(text: string, byMonths: number, byQuarters: number): string {
  return text.replace(named, (_, a, year, b, c, kind, number, d, e) => {
    const [perYear, by] = kind === "M" ? [12, byMonths] : [4, byQuarters];
    const place = perYear * Number(year) + Number(number) - 1 + by;
    const index = place % perYear;
    const name = kind === "M" ? monthNames.format(Date.UTC(2000, index)) : `${ordinals[index]} Quarter`;
    const period = `${kind}${String(index + 1).padStart(2, "0")}`;
    return `"year":${a}"${Math.floor(place / perYear)}",${b}"period":${c}"${period}",${d}"periodName":${e}"${name}"`;
  });
}

const monthNumbers =
  /(?:("marketYear":\s*")(\d{4})(",\s*))?("(?:calendarYear|year)":\s*")(\d{4})(",\s*"month":\s*")(\d{2})(?=")/g;

function shiftMonthNumbers(text: string, by: number): string {
  const moved = (year: string, month: string) => {
    const place = 12 * Number(year) + Number(month) - 1 + by;
    return [String(Math.floor(place / 12)), String((place % 12) + 1).padStart(2, "0")];
  };
  return text
    .replace(/(?<=")(\d{4})-(0[1-9]|1[0-2])(?=")/g, (_, year, month) => moved(year, month).join("-"))
    .replace(/(?<="yearMonth":\s*")(\d{4})(\d{2})(?=")/g, (_, year, month) => moved(year, month).join(""))
    .replace(monthNumbers, (_, market = "", marketYear, comma = "", a, year, b, month) => {
      const before = marketYear === undefined ? "" : String(Number(marketYear) + Math.floor(by / 12));
      const [toYear, toMonth] = moved(year, month);
      return `${market}${before}${comma}${a}${toYear}${b}${toMonth}`;
    });
}

function shiftQuarters(text: string, by: number): string {
  return text.replace(/(?<![\w-])(\d{4})-Q([1-4])(?![\w-])/g, (_, year: string, quarter: string) => {
    const place = 4 * Number(year) + Number(quarter) - 1 + by;
    return `${Math.floor(place / 4)}-Q${(place % 4) + 1}`;
  });
}

function shiftNumbered(text: string, by: number): string {
  return text.replace(
    /("quarter":\s*)([1-4])(,[^{}]*?"year":\s*)(\d{4})(?!\d)/g,
    (_, before: string, quarter: string, between: string, year: string) => {
      const place = 4 * Number(year) + Number(quarter) - 1 + by;
      return `${before}${(place % 4) + 1}${between}${Math.floor(place / 4)}`;
    },
  );
}

/** The same day so many months on, the last one of its month if it was that; undefined for what is no day. */
function movedDay(year: number, month: number, date: number, by: number): Date | undefined {
  const lastOf = (offset: number) => new Date(Date.UTC(year, month + offset + 1, 0)).getUTCDate();
  if (month < 0 || month > 11 || date < 1 || date > lastOf(0)) return undefined;
  const last = lastOf(by);
  const moved = new Date(Date.UTC(year, month + by, date === lastOf(0) ? last : Math.min(date, last)));
  // "For ever" stays what it is.
  return moved.getUTCFullYear() > 9999 || year === 9999 ? undefined : moved;
}
