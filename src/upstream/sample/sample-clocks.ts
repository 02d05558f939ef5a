const dayMs = 86_400_000;

/** An ISO day, also as the beginning of an instant; a day without hyphens; seconds or milliseconds since 1970, from 2001 on. */
const clocks = /(?<![\d.-])(?:\d{4}-\d\d-\d\d|\d{8}|[1-9]\d{9}(?:\d{3})?)(?![\d.-])/g;

/**
 * Moves the clocks of a sample by whole days, so that the reference day becomes today: for values that are too old within
 * a few days. Days like `2026-07-10` and `20260710`, epoch seconds and milliseconds; weekdays do not stay what they were.
 */
export function shiftClocks(text: string, referenceDay: string, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(referenceDay)) / dayMs);
  return text.replace(clocks, (clock) => (/^\d{10,}$/.test(clock) ? movedEpoch(clock, days) : movedDay(clock, days)));
}

/** Ten digits are seconds, thirteen milliseconds. */
function movedEpoch(clock: string, days: number): string {
  return String(Number(clock) + (clock.length === 10 ? days * (dayMs / 1000) : days * dayMs));
}

/** What is no day of the calendar stays, and so does what would be none with a year of four digits. */
function movedDay(text: string, days: number): string {
  const written = (day: Date) =>
    day
      .toISOString()
      .slice(0, 10)
      .replaceAll("-", text.includes("-") ? "-" : "");
  const day = new Date(text.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3"));
  // 30 February is taken for 2 March.
  if (Number.isNaN(day.getTime()) || written(day) !== text) return text;
  const moved = new Date(day.getTime() + days * dayMs);
  return moved.getUTCFullYear() > 9999 ? text : written(moved);
}
