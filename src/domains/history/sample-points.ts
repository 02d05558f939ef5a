import { createHash } from "node:crypto";
import type { Series } from "../../ingest/series/dataset-series.ts";
import { dayMs } from "../../reference/duration.ts";
import { gasSeason } from "../../reference/gas-season.ts";
import { rounded } from "../../reference/rounding.ts";
import type { StoredPoint } from "../../store/history/stored-points.ts";
import type { Span } from "./intervals.ts";

/** How to invent points before the first point of a sample series. `drawn` repeats weeks of the stored points. */
type Movement = "drawn" | Waves;

/** The values follow waves, which are the same for all series of a subject, such as a country. */
interface Waves {
  /** How strongly the logarithm of the value follows the waves. If negative, the value falls as the waves rise. */
  readonly share: number;
  readonly points?: number;
  readonly max?: number;
  /** The step between possible values: each value is a multiple of it. The default is 0.01. */
  readonly unit?: number;
  /** The subject, such as a country, whose waves the series follows. The default is the first part of the key. */
  readonly subject?: string;
  /** Set for series of gas storage levels, which rise in summer and fall in winter. */
  readonly isGas?: boolean;
  /** How many weeks are invented. A series with seasons needs more than a year. */
  readonly weeks?: number;
  readonly growth?: number;
  /** If a key ends with this part, its value does not change. */
  readonly constant?: string;
}

const gas = { share: 0.01, isGas: true, weeks: 6 * 53 } as const;
const macro = { unit: 0.1 } as const;
const risk = { max: 100, unit: 1 } as const;
const stress = { share: 0.25, max: 100, subject: "US" } as const;
const resilience = { share: -0.05, max: 100 } as const;

/** How the values of each series change. Series that are not listed use the default for their step. */
const movements: Readonly<Record<string, Movement>> = {
  "chokepoint.disruption": { share: 0, points: 20, max: 100, unit: 5 },
  "chokepoint.transits": { share: 0.08, unit: 1, weeks: 2 * 53 },
  "gas.country_fill": { ...gas, max: 100 },
  "gas.fill": { ...gas, max: 100 },
  "gas.stored": { ...gas, unit: 0.1 },
  "macro.current_account": { ...macro, share: 0.3 },
  "macro.gdp_per_capita": { share: 0.03, growth: 0.03, unit: 0.001 },
  "macro.growth": { ...macro, share: 0.4 },
  "macro.inflation": { ...macro, share: 0.3 },
  "macro.unemployment": { ...macro, share: 0.1 },
  // Contributions to a score change in the same proportion as the score, so that they still add up to it.
  "resilience.contribution": { share: -0.05 },
  "resilience.domain": resilience,
  "resilience.pillar": resilience,
  "resilience.score": resilience,
  // The contribution `baseline` is constant, so the others vary by a larger percentage than the score.
  "risk.contribution": { share: 0.14, constant: "baseline" },
  "risk.conflict": { ...risk, share: 0.25 },
  "risk.score": { ...risk, share: 0.1 },
  "risk.unrest": { ...risk, share: 0.25 },
  "shipping.stress": { share: 0.25, max: 100, unit: 1 },
  "stress.component": stress,
  "stress.composite": { ...stress, unit: 0.1 },
};

/** Returns how the series moved before its first point. Undefined if the sample itself has a long history. */
function movementOf({ id, step }: Pick<Series, "id" | "step">): Movement | undefined {
  const usual: Partial<Record<Series["step"], Movement>> = { refresh: { share: 0.06, max: 100 }, day: "drawn" };
  return movements[id] ?? usual[step];
}

/** The waves as pairs of amplitude and length in days. The amplitudes add up to 1. */
const waves = [
  [0.5, 131],
  [0.32, 37],
  [0.18, 9],
] as const;

/** Returns the wave of a subject by day, from -1 to 1. It depends only on the name of the subject. */
function waveOf(subject: string): (day: number) => number {
  const phases = createHash("sha256").update(subject).digest();
  return (day) =>
    waves.reduce((sum, [height, days], place) => {
      const turn = (phases.readUInt8(place) / 256 + day / days) * 2 * Math.PI;
      return sum + height * Math.sin(turn);
    }, 0);
}

const weeksInvented = 58;
const yearsInvented = 10;
/** The first refresh stores points of a week. Until a week of points is stored, the first point may still change. */
const unchangedDays = 7;
/** Each invented week repeats one of this number of weeks at the start of the series. */
const weeksReportedFirst = 8;

/**
 * Returns how many days of points must be stored before earlier points can be invented. `isLed`: the leading series of
 * the dataset must have that number of days too. Undefined if no points are invented.
 */
export function beginningOf(series: Series): { readonly days: number; readonly isLed: boolean } | undefined {
  const movement = movementOf(series);
  // The last week of points may be incomplete, so one more week is needed.
  if (movement === "drawn") return { days: 7 * (weeksReportedFirst + 1) - 1, isLed: true };
  return movement && { days: series.step === "refresh" ? unchangedDays : 0, isLed: false };
}

export function earliest(series: Series, first: Date): Date {
  const movement = movementOf(series);
  if (!movement) return first;
  if (series.step === "year") return new Date(Date.UTC(first.getUTCFullYear() - yearsInvented, 0));
  return new Date((dayOf(first.getTime()) - 7 * weeksBefore(movement)) * dayMs);
}

function weeksBefore(movement: Movement): number {
  return (movement !== "drawn" && movement.weeks) || weeksInvented;
}

/** The first points of a series, from which the points before them are invented. */
export interface Beginnings {
  readonly own: readonly StoredPoint[];
  /** The first points of the dataset's leading series, which determine which weeks are busy. */
  readonly leading: readonly StoredPoint[];
}

/** Adds invented points before the first stored point of each key. Every request gets the same invented points. */
export function withInvented(
  series: Series,
  stored: readonly StoredPoint[],
  { own, leading }: Beginnings,
  { from, to }: Pick<Span, "from" | "to">,
): StoredPoint[] {
  const movement = movementOf(series);
  const leadingByKey = Map.groupBy(leading, ({ key }) => key);
  const storedByKey = Map.groupBy(stored, ({ key }) => key);
  const isWanted = (at: number) => at >= from && at <= to;
  const invented = (key: string, points: readonly StoredPoint[]) => {
    const [first] = points;
    if (!first || !movement) return [];
    if (movement === "drawn")
      return first.at > from ? repeatedWeeksBefore(points, leadingByKey.get(key) ?? points) : [];
    const before = pointsBefore(first, movement, timesBefore(series, first.at, weeksBefore(movement)).filter(isWanted));
    return series.step === "refresh" ? [...before, ...unchangedBefore(points)] : before;
  };
  return [...Map.groupBy(own, ({ key }) => key)].flatMap(([key, points]) =>
    [...invented(key, points).filter(({ at }) => isWanted(at)), ...(storedByKey.get(key) ?? [])].sort(
      (a, b) => a.at - b.at,
    ),
  );
}

function unchangedBefore(points: readonly StoredPoint[]): StoredPoint[] {
  return points.slice(1).flatMap((next, place) => {
    const last = points[place];
    if (!last) return [];
    const days = Math.max(0, dayOf(next.at) - dayOf(last.at) - 1);
    return Array.from({ length: days }, (_, ago) => ({ ...last, at: (dayOf(last.at) + 1 + ago) * dayMs }));
  });
}

export function inventedAt(series: Series, first: StoredPoint, times: readonly number[]): readonly StoredPoint[] {
  const movement = movementOf(series);
  return movement === undefined || movement === "drawn" ? [] : pointsBefore(first, movement, times);
}

function timesBefore({ step }: Series, first: number, weeks: number): number[] {
  const year = new Date(first).getUTCFullYear() - yearsInvented;
  if (step === "year") return Array.from({ length: yearsInvented }, (_, place) => Date.UTC(year + place, 0));
  const begin = dayOf(first) - 7 * weeks;
  return Array.from({ length: 7 * weeks }, (_, place) => (begin + place) * dayMs);
}

function pointsBefore(
  first: StoredPoint,
  { share, points = 0, max, unit = 0.01, subject, isGas, growth = 0, constant }: Exclude<Movement, "drawn">,
  times: readonly number[],
): StoredPoint[] {
  if (constant !== undefined && first.key.endsWith(`/${constant}`)) return times.map((at) => ({ ...first, at }));
  const firstDay = dayOf(first.at);
  const wave = waveOf(subject ?? subjectOf(first));
  const season = isGas ? gasSeason : () => 1;
  return times.map((at) => {
    const day = dayOf(at);
    const moved = wave(day) - wave(firstDay);
    const factor = Math.exp(share * moved) * (season(at) / season(first.at)) * (1 + growth) ** ((day - firstDay) / 365);
    const value = first.value * factor + points * moved;
    const bounded = max === undefined ? value : Math.min(max, Math.max(0, value));
    return { ...first, at, value: rounded(rounded(bounded / unit) * unit, 3) };
  });
}

/** A wave of -1 to 1 is stretched by this factor, so that the quietest and the busiest week occur too. */
const reach = 1.5;

/** Invents weeks before the first point. Each repeats one of the first weeks: the higher the wave, the busier. */
function repeatedWeeksBefore(points: readonly StoredPoint[], leading: readonly StoredPoint[]): StoredPoint[] {
  const [first] = points;
  const weeks = weeksOf(points);
  if (!first || weeks.length === 0) return [];
  const sums = weeksOf(leading).map((week) => week.reduce((sum, { value }) => sum + value, 0));
  const byActivity = [...weeks.keys()].sort((a, b) => (sums[a] ?? 0) - (sums[b] ?? 0));
  const wave = waveOf(subjectOf(first));
  const drawn = (before: number) => {
    // The earliest invented week repeats the first stored week, because that week has a point on its first day.
    if (before === weeksInvented) return 0;
    const height = (1 + reach * wave(dayOf(first.at) - 7 * before + 3)) / 2;
    const place = Math.floor(Math.min(1, Math.max(0, height)) * weeks.length);
    return byActivity[Math.min(place, weeks.length - 1)] ?? 0;
  };
  return Array.from({ length: weeksInvented }, (_, place) => weeksInvented - place).flatMap((before) => {
    const like = drawn(before);
    const shift = 7 * (before + like) * dayMs;
    return (weeks[like] ?? []).map((point) => ({
      ...point,
      at: point.at - shift,
      basis: first.basis,
    }));
  });
}

/** Returns the points by week, counted from the first point. The last week is omitted, because it may be incomplete. */
function weeksOf(points: readonly StoredPoint[]): StoredPoint[][] {
  const [first] = points;
  if (!first) return [];
  const byWeek = Map.groupBy(points, ({ at }) => Math.floor((dayOf(at) - dayOf(first.at)) / 7));
  return Array.from({ length: Math.max(...byWeek.keys()) }, (_, week) => byWeek.get(week) ?? []);
}

function subjectOf({ key }: StoredPoint): string {
  return key.split("/")[0] ?? key;
}

function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}
