import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ResilienceInputSchema } from "../../../../gen/es/ids/stored/v1/resilience_pb.ts";
import {
  requestSeries as fetchNamed,
  readSeries as readNamed,
  type SeriesResponses,
} from "../../../ingest/series-responses.ts";
import type { Parsed } from "../../../ingest/source.ts";
import { type InputName, type SourceName, seriesOf } from "../inputs.ts";

export type InputRow = MessageInitShape<typeof ResilienceInputSchema>;

export interface SeriesResponse {
  readonly series: string;
  readonly input: InputName;
  readonly answer: unknown;
}

/** The result names the series that the source does not have and those that failed. */
export function requestSeries(
  source: SourceName,
  sendRequest: (series: string) => Promise<unknown>,
): Promise<SeriesResponses> {
  const names = seriesOf(source).map(({ series }) => series);
  return fetchNamed(source, names, sendRequest);
}

export function readSeries(
  source: SourceName,
  response: unknown,
  read: (one: SeriesResponse) => Parsed<InputRow>,
): Parsed<InputRow> {
  const inputs = new Map(seriesOf(source).map(({ series, input }) => [series, input]));
  return readNamed<InputRow>(source, response, ({ series, answer }) => {
    const input = inputs.get(series);
    return input ? read({ series, input, answer }) : { rows: [], rejected: [] };
  });
}

export function partOf({ series = "" }: Pick<InputRow, "series">): string {
  return series;
}

/** The start is in Unix epoch milliseconds. The end would be wrong for the current year. */
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
