import { dayMs } from "../../reference/duration.ts";

/** In days from 1970; by the anonymous Gregorian computus (Meeus, Jones and Butcher). */
export function easterSunday(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const march = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(march / 31) - 1, (march % 31) + 1) / dayMs;
}
