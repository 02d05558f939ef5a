import { createHash } from "node:crypto";
import { dayMs } from "../../reference/duration.ts";
import { rounded } from "../../reference/rounding.ts";
import type { StoredPoint } from "../../store/history/series-points.ts";
import type { Span } from "./span.ts";

/** The sample's world is so old. */
export const daysInvented = 400;

/** Points that a movement rises and falls by, in waves of so many days. */
const waves = [
  { points: 4, days: 131 },
  { points: 2.5, days: 37 },
  { points: 1, days: 9 },
] as const;

/** The stored points of a span, and before the first of each key what was invented to lead up to it: a point a day. */
export function withInvented(series: string, stored: readonly StoredPoint[], { from, to }: Span): StoredPoint[] {
  return [...Map.groupBy(stored, ({ key }) => key).values()].flatMap((points) => {
    const [first] = points;
    return [...(first ? inventedBefore(series, first) : []), ...points].filter(
      ({ at }) => at.getTime() >= from && at.getTime() <= to,
    );
  });
}

/** Values between 0 and 100 that end at a point; always the same for it. */
function inventedBefore(series: string, first: StoredPoint): StoredPoint[] {
  const phases = [...createHash("sha256").update(`${series} ${first.key}`).digest().subarray(0, waves.length)];
  const lastDay = Math.floor(first.at.getTime() / dayMs);
  const moved = (day: number) =>
    waves.reduce((sum, { points, days }, place) => {
      const turn = ((phases[place] ?? 0) / 256 + day / days) * 2 * Math.PI;
      return sum + points * Math.sin(turn);
    }, 0);
  return Array.from({ length: daysInvented }, (_, place) => {
    const day = lastDay - daysInvented + place;
    const value = first.value + moved(day) - moved(lastDay);
    return { ...first, at: new Date(day * dayMs), value: rounded(Math.min(100, Math.max(0, value)), 2) };
  });
}
