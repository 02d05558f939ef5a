import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ResilienceInputSchema } from "../../../../gen/es/ids/stored/v1/resilience_pb.ts";
import { askSeries as askNamed, readSeries as readNamed, type SeriesAnswers } from "../../../ingest/series-answers.ts";
import type { Rejection } from "../../../ingest/source.ts";
import { type InputName, type SourceName, seriesOf } from "../inputs.ts";

/** What a source tells of a country, as it is kept. */
export type InputRow = MessageInitShape<typeof ResilienceInputSchema>;

/** A series, and what was answered to the question for it. */
export interface SeriesAnswer {
  readonly series: string;
  readonly input: InputName;
  readonly answer: unknown;
}

/** Asks for each series of a source, one after the other. Those that it does not have (any more) are named; any other failure throws. */
export function askSeries(source: SourceName, ask: (series: string) => Promise<unknown>): Promise<SeriesAnswers> {
  const names = seriesOf(source).map(({ series }) => series);
  return askNamed(source, names, ask);
}

/** The answers with the inputs that they tell; a series that is gone counts as rejected. */
export function readSeries(
  source: SourceName,
  answer: unknown,
): { readonly answers: readonly SeriesAnswer[]; readonly gone: readonly Rejection[] } {
  const { answers, gone } = readNamed(source, answer);
  const inputs = new Map(seriesOf(source).map(({ series, input }) => [series, input]));
  return {
    answers: answers.flatMap(({ series, answer: reported }) => {
      const input = inputs.get(series);
      return input ? [{ series, input, answer: reported }] : [];
    }),
    gone,
  };
}

/** First moment of the year or day that a row is of, Unix epoch milliseconds: the current year has not ended. */
export function observedAt({ period = "" }: Pick<InputRow, "period">): number {
  return Date.parse(period);
}
