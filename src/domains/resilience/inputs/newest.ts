import type { Parsed } from "../../../ingest/source.ts";
import type { InputName } from "../inputs.ts";
import type { InputRow } from "./series.ts";

export interface Reported {
  readonly country: string;
  readonly period: string;
  readonly value: number;
}

/** Returns the newest value of each country. A series with fewer countries than expected counts as missing. */
export function newestOf(
  { series, input }: { readonly series: string; readonly input: InputName },
  reported: readonly Reported[],
  min = 1,
): Parsed<InputRow> {
  const newest = new Map<string, Reported>();
  for (const one of reported) if (!((newest.get(one.country)?.period ?? "") > one.period)) newest.set(one.country, one);
  if (newest.size < min)
    return {
      rows: [],
      rejected: [],
      missing: [{ part: series, reason: `${newest.size} countries, and at least ${min}` }],
    };
  const rows = Array.from(newest.values(), ({ country, period, value }) => ({ country, input, value, period, series }));
  return { rows, rejected: [] };
}

export function joined(
  parts: readonly Parsed<InputRow>[],
): Parsed<InputRow> & Required<Pick<Parsed<InputRow>, "missing">> {
  return {
    rows: parts.flatMap(({ rows }) => rows),
    rejected: parts.flatMap(({ rejected }) => rejected),
    missing: parts.flatMap(({ missing = [] }) => missing),
  };
}
