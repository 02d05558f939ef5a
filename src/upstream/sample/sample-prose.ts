import { months } from "../../reference/months.ts";

const month = `(${months.join("|")})`;
const written = new RegExp(`(?<!\\w)${month} (\\d{1,2})(?: ?– ?(?:${month} )?(\\d{1,2}))?, (\\d{4})(?!\\d)`, "g");
const dayMs = 86_400_000;

/** Moves days in American prose by whole days: `Nov 9, 2026`, `Nov 9–12, 2026`, `Nov 30 – Dec 2, 2026`. */
export function shiftProse(text: string, days: number): string {
  return text.replace(written, (_, fromMonth, fromDay, toMonth, toDay, year) => {
    const [first, last] = [
      [fromMonth, fromDay],
      [toMonth ?? fromMonth, toDay ?? fromDay],
    ].map(([name, day]) => new Date(Date.UTC(Number(year), months.indexOf(name), Number(day)) + days * dayMs));
    return first && last ? period(first, last) : _;
  });
}

function period(first: Date, last: Date): string {
  const day = (date: Date) => `${months[date.getUTCMonth()]} ${date.getUTCDate()}`;
  const [from, to] = [first.getUTCFullYear(), last.getUTCFullYear()];
  if (first.getTime() === last.getTime()) return `${day(first)}, ${from}`;
  if (from !== to) return `${day(first)}, ${from} – ${day(last)}, ${to}`;
  const end = first.getUTCMonth() === last.getUTCMonth() ? `–${last.getUTCDate()}` : ` – ${day(last)}`;
  return `${day(first)}${end}, ${to}`;
}
