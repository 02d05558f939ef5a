import { months } from "../../reference/months.ts";

/** First and last day, YYYY-MM-DD, and how many characters of the text told them. */
export interface EventDays {
  readonly startDate: string;
  readonly endDate: string;
  readonly length: number;
}

const month = "([A-Z][a-z]{2})[a-z]*\\.?";
const written = new RegExp(`^${month} (\\d{1,2})(?:, (\\d{4}))?(?:\\s*[-–—]\\s*(?:${month} )?(\\d{1,2}))?, (\\d{4})`);

/** Reads days in English prose: `June 4, 2026`, `Apr 29–30, 2025`, `Apr 29 – May 1, 2026`, `Dec 30, 2026 – Jan 2, 2027`. */
export function eventDays(text: string): EventDays | undefined {
  const [whole = "", fromMonth, fromDay, ownYear, toMonth, toDay, year = ""] = written.exec(text) ?? [];
  const lastMonth = toMonth ?? fromMonth;
  const startDate = calendarDay(
    firstYear(ownYear ?? year, fromMonth, ownYear ? fromMonth : lastMonth),
    fromMonth,
    fromDay,
  );
  const endDate = calendarDay(year, lastMonth, toDay ?? fromDay);
  if (startDate === undefined || endDate === undefined || endDate < startDate) return undefined;
  return { startDate, endDate, length: whole.length };
}

/** `Dec 30 – Jan 2, 2027` begins in the year before. */
function firstYear(year: string, from: string | undefined, to: string | undefined): string {
  const crosses = months.indexOf(from ?? "") > months.indexOf(to ?? "");
  return crosses ? String(Number(year) - 1) : year;
}

/** Undefined for a day that is in no calendar, such as 30 February. */
function calendarDay(year: string, month: string | undefined, day: string | undefined): string | undefined {
  const index = months.indexOf(month ?? "");
  const date = new Date(Date.UTC(Number(year), index, Number(day)));
  return index >= 0 && date.getUTCMonth() === index ? date.toISOString().slice(0, 10) : undefined;
}
