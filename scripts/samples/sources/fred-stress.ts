import type { SampleFolder } from "../folder.ts";
import { decimal } from "../format/decimal.ts";
import { fredAddress, fredAnswer } from "../format/fred.ts";
import { randomOf } from "../random.ts";
import { waveOf } from "../world/drift.ts";

const count = 120;
/** Days before the latest Sunday on which exchanges were closed, and those on which bonds were, too. */
const [closed, bondsClosed] = [
  [58, 118],
  [20, 58, 118],
] as const;
/** All series move with it: a wave over weeks. */
const stress = (day: number) => 0.75 * waveOf("stress")(-day / 22);
const noise = (series: string, day: number) => randomOf(series, day).normal();

interface Stress {
  readonly id: string;
  readonly of: (day: number) => string;
  /** Days before the latest Sunday. */
  readonly days: readonly number[];
  readonly closed: readonly number[];
}

const spread = (day: number) => 0.42 - 0.16 * stress(day) + 0.02 * noise("T10Y2Y", day);
const series: readonly Stress[] = [
  { id: "T10Y2Y", of: (day) => text(spread(day), 2), days: workdays(), closed: bondsClosed },
  {
    id: "T10Y3M",
    of: (day) => text(spread(day) - 0.25 + 0.02 * noise("T10Y3M", day), 2),
    days: workdays(),
    closed: bondsClosed,
  },
  {
    id: "VIXCLS",
    of: (day) => text(17 * Math.exp(0.16 * stress(day) + 0.03 * noise("VIXCLS", day)), 2),
    days: workdays(),
    closed,
  },
  {
    id: "STLFSI4",
    of: (day) => text(-0.25 + 0.3 * stress(day) + 0.04 * noise("STLFSI4", day), 4),
    days: weeks(9),
    closed: [],
  },
  {
    id: "ICSA",
    of: (day) => String(1000 * Math.round(226 + 9 * stress(day) + 4 * noise("ICSA", day))),
    ...{ days: weeks(8), closed: [] },
  },
];

/** Signs of stress in American finance. */
export function sample(): SampleFolder {
  return {
    index: {
      note: "Illustrative series with invented values in the form of the FRED API; those of VIXCLS are ours too.",
      rows: series.reduce((sum, one) => sum + one.days.length - one.closed.length, 0),
      answers: series.map(({ id }) => ({ url: fredAddress, query: { series_id: id }, file: `${id}.json` })),
    },
    files: Object.fromEntries(
      series.map(({ id, of, days, closed: none }) => {
        const observations = days.map((day) => [`{{sun-${day}}}`, none.includes(day) ? "." : of(day)] as const);
        const terms = {
          id,
          published: "{{sun}}",
          start: "1776-07-04",
          order: "desc",
          limit: count,
          observations,
        } as const;
        return [`${id}.json`, fredAnswer(terms)];
      }),
    ),
  };
}

function text(value: number, digits: number): string {
  return decimal(value, digits).toFixed(digits);
}

/** From Friday back to Monday, week by week. */
function workdays(): number[] {
  return Array.from({ length: count }, (_, place) => 2 + (place % 5) + 7 * Math.floor(place / 5));
}

function weeks(newest: number): number[] {
  return Array.from({ length: count }, (_, place) => newest + 7 * place);
}
