import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ResilienceInputSchema } from "../../../../gen/es/ids/stored/v1/resilience_pb.ts";
import { readSeries, requestSeries } from "../../../ingest/series-responses.ts";
import type { Parsed, Rejection } from "../../../ingest/source.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { type InputName, type SourceName, seriesOf } from "../inputs.ts";

export type InputRow = MessageInitShape<typeof ResilienceInputSchema>;

export interface SeriesResponse {
  readonly series: string;
  readonly input: InputName;
  readonly answer: unknown;
}

/** Returns parts of a source that sends one request per series. If a request fails, its series counts as missing. */
export function seriesReads(
  name: SourceName,
  fetchSeries: (upstream: Upstream, series: string) => Promise<unknown>,
  read: (one: SeriesResponse, now: Date) => Parsed<InputRow>,
) {
  const own = seriesOf(name);
  const names = own.map(({ series }) => series);
  const inputs = new Map(own.map(({ series, input }) => [series, input]));
  return {
    name,
    fetch: (upstream: Upstream) => requestSeries(name, names, (series) => fetchSeries(upstream, series)),
    parse: (response: unknown, now: Date) =>
      readSeries<InputRow>(name, response, ({ series, answer }) => {
        const input = inputs.get(series);
        return input ? read({ series, input, answer }, now) : { rows: [], rejected: [] };
      }),
    partOf,
    observedAt,
  };
}

export function partOf({ series = "" }: Pick<InputRow, "series">): string {
  return series;
}

/** Returns the start of a row's period. The end is not used, because that of the current year is in the future. */
export function observedAt({ period = "" }: Pick<InputRow, "period">): number {
  return Date.parse(period);
}

export interface Reported {
  readonly country: string;
  readonly period: string;
  readonly value: number;
}

/** Returns the newest value of each country. A series with fewer countries than expected counts as missing. */
export function newestOf(
  { series, input }: { readonly series: string; readonly input: InputName },
  reported: readonly Reported[],
  { min = 1, rejected = [] }: { readonly min?: number | undefined; readonly rejected?: readonly Rejection[] } = {},
): Parsed<InputRow> {
  const newest = new Map<string, Reported>();
  for (const one of reported) if (!((newest.get(one.country)?.period ?? "") > one.period)) newest.set(one.country, one);
  if (newest.size < min)
    return {
      rows: [],
      rejected,
      missing: [{ part: series, reason: `${newest.size} countries, and at least ${min}` }],
    };
  const rows = Array.from(newest.values(), ({ country, period, value }) => ({ country, input, value, period, series }));
  return { rows, rejected };
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
