import { text } from "./json-lines.ts";

// The FRED API returns the observations of a series. A missing one is a period.

export interface FredSeries {
  readonly id: string;
  /** Placeholder of the day of publication. */
  readonly published: string;
  readonly start: string;
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly observations: readonly (readonly [date: string, value: string])[];
}

export const fredAddress = "https://api.stlouisfed.org/fred/series/observations";

export function fredResponse({ published, start, order, limit, observations }: FredSeries): string {
  const realtime = { realtime_start: published, realtime_end: published };
  const head = text({
    ...{ ...realtime, observation_start: start, observation_end: "9999-12-31", units: "lin", output_type: 1 },
    ...{
      file_type: "json",
      order_by: "observation_date",
      sort_order: order,
      count: observations.length,
      offset: 0,
      limit,
    },
  }).slice(0, -1);
  const rows = observations.map(([date, value]) => text({ ...realtime, date, value }));
  return `${head},"observations":[\n${rows.join(",\n")}\n]}\n`;
}
