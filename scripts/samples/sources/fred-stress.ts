import type { SampleFolder } from "../folder.ts";
import { decimal } from "../format/decimal.ts";
import { fredAddress, fredResponse } from "../format/fred.ts";
import { randomOf } from "../random.ts";
import { waveOf } from "../world/drift.ts";

const count = 120;
/** Trading days before the latest Sunday without a value, for all markets and for bonds. */
const [closed, bondsClosed] = [
  [42, 84],
  [14, 42, 84],
] as const;
/** A wave over weeks that moves all series. */
const stress = (day: number) => 0.75 * waveOf("stress")(-day / 22);
const noise = (series: string, day: number) => randomOf(series, day).normal();

interface Stress {
  readonly id: string;
  readonly of: (day: number) => string;
  /** Days or New York trading days before the latest Sunday. */
  readonly days: readonly number[];
  readonly unit: "sun" | "nyse";
  readonly closed: readonly number[];
}

/** Average number of days from one trading day to the next. */
const daysOf = { sun: 1, nyse: 1.4 };

const spread = (day: number) => 0.42 - 0.16 * stress(day) + 0.02 * noise("T10Y2Y", day);
const series: readonly Stress[] = [
  { id: "T10Y2Y", of: (day) => text(spread(day), 2), days: workdays(), unit: "nyse", closed: bondsClosed },
  {
    id: "T10Y3M",
    of: (day) => text(spread(day) - 0.25 + 0.02 * noise("T10Y3M", day), 2),
    days: workdays(),
    unit: "nyse",
    closed: bondsClosed,
  },
  {
    id: "VIXCLS",
    of: (day) => text(17 * Math.exp(0.16 * stress(day) + 0.03 * noise("VIXCLS", day)), 2),
    days: workdays(),
    unit: "nyse",
    closed,
  },
  {
    id: "STLFSI4",
    of: (day) => text(-0.25 + 0.3 * stress(day) + 0.04 * noise("STLFSI4", day), 4),
    days: weeks(9),
    unit: "sun",
    closed: [],
  },
  {
    id: "ICSA",
    of: (day) => String(1000 * Math.round(226 + 9 * stress(day) + 4 * noise("ICSA", day))),
    ...{ days: weeks(8), unit: "sun", closed: [] },
  },
];

/** Returns indicators of stress in American finance. */
export function sample(): SampleFolder {
  return {
    index: {
      note: "Illustrative series with invented values in the form of the FRED API; those of VIXCLS are ours too.",
      rows: series.reduce((sum, one) => sum + one.days.length - one.closed.length, 0),
      responses: series.map(({ id }) => ({ url: fredAddress, query: { series_id: id }, file: `${id}.json` })),
    },
    files: Object.fromEntries(
      series.map(({ id, of, days, unit, closed: none }) => {
        const observations = days.map(
          (day) => [`{{${unit}-${day}}}`, none.includes(day) ? "." : of(day * daysOf[unit])] as const,
        );
        const terms = {
          id,
          published: "{{sun}}",
          start: "1776-07-04",
          order: "desc",
          limit: count,
          observations,
        } as const;
        return [`${id}.json`, fredResponse(terms)];
      }),
    ),
  };
}

function text(value: number, digits: number): string {
  return decimal(value, digits).toFixed(digits);
}

function workdays(): number[] {
  return Array.from({ length: count }, (_, place) => place + 1);
}

function weeks(newest: number): number[] {
  return Array.from({ length: count }, (_, place) => newest + 7 * place);
}
