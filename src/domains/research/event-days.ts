import { months } from "../../reference/calendar.ts";
import { sourceDay } from "../../reference/source-time.ts";

/** The first and last day, YYYY-MM-DD, and the number of characters of their text. */
export interface EventDays {
  readonly startDate: string;
  readonly endDate: string;
  readonly length: number;
}

const month = "([A-Z][a-z]{2})[a-z]*\\.?";
const written = new RegExp(`^${month} (\\d{1,2})(?:, (\\d{4}))?(?:\\s*[-–—]\\s*(?:${month} )?(\\d{1,2}))?, (\\d{4})`);

/**
 * Reads days in English prose: `June 4, 2026`, `Apr 29–30, 2025`, `Apr 29 – May 1, 2026`, `Dec 30, 2026 – Jan 2, 2027`.
 */
export function eventDays(text: string): EventDays | undefined {
  const [whole = "", fromMonth, fromDay, ownYear, toMonth, toDay, year = ""] = written.exec(text) ?? [];
  const lastMonth = toMonth ?? fromMonth;
  const startYear = firstYear(ownYear ?? year, fromMonth, ownYear ? fromMonth : lastMonth);
  const startDate = sourceDay(`${fromDay} ${fromMonth} ${startYear}`);
  const endDate = sourceDay(`${toDay ?? fromDay} ${lastMonth} ${year}`);
  if (startDate === undefined || endDate === undefined || endDate < startDate) return undefined;
  return { startDate, endDate, length: whole.length };
}

/** `Dec 30 – Jan 2, 2027` begins in the previous year. */
function firstYear(year: string, from: string | undefined, to: string | undefined): string {
  const crosses = months.indexOf(from ?? "") > months.indexOf(to ?? "");
  return crosses ? String(Number(year) - 1) : year;
}
