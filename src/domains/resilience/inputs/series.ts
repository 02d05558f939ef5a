import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ResilienceInputSchema } from "../../../../gen/es/ids/stored/v1/resilience_pb.ts";
import {
  requestSeries as fetchNamed,
  readSeries as readNamed,
  type SeriesResponses,
} from "../../../ingest/series-responses.ts";
import type { Parsed } from "../../../ingest/source.ts";
import { type InputName, type SourceName, seriesOf } from "../inputs.ts";

/** What a source tells of a country, as it is kept. */
export type InputRow = MessageInitShape<typeof ResilienceInputSchema>;

/** A series, and what was answered to the question for it. */
export interface SeriesResponse {
  readonly series: string;
  readonly input: InputName;
  readonly answer: unknown;
}

/** Asks for each series of a source, one after the other. Those that it does not have (any more) are named, and those that did not come. */
export function requestSeries(
  source: SourceName,
  sendRequest: (series: string) => Promise<unknown>,
): Promise<SeriesResponses> {
  const names = seriesOf(source).map(({ series }) => series);
  return fetchNamed(source, names, sendRequest);
}

/** The rows of all series, with the inputs that they tell. */
export function readSeries(
  source: SourceName,
  response: unknown,
  read: (one: SeriesResponse) => Parsed<InputRow>,
): Parsed<InputRow> {
  const inputs = new Map(seriesOf(source).map(({ series, input }) => [series, input]));
  return readNamed<InputRow>(source, response, ({ series, answer: reported }) => {
    const input = inputs.get(series);
    return input ? read({ series, input, answer: reported }) : { rows: [], rejected: [] };
  });
}

/** A source's rows are kept by series. */
export function partOf({ series = "" }: Pick<InputRow, "series">): string {
  return series;
}

/** First moment of the year or day that a row is of, Unix epoch milliseconds: the current year has not ended. */
export function observedAt({ period = "" }: Pick<InputRow, "period">): number {
  return Date.parse(period);
}
