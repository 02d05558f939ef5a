import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { ResilienceInputSchema } from "../../../gen/es/ids/stored/v1/resilience_pb.ts";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import type { Rejection } from "../../ingest/source.ts";
import { type InputName, type SourceName, seriesOf } from "./inputs.ts";

/** What a source tells of a country, as it is kept. */
export type InputRow = MessageInitShape<typeof ResilienceInputSchema>;

/** A series, and what was answered to the question for it. */
export interface SeriesAnswer {
  readonly series: string;
  readonly input: InputName;
  readonly answer: unknown;
}

const asked = z.object({
  answers: z.array(z.object({ series: z.string(), answer: z.unknown() })),
  gone: z.array(z.string()),
});

/** Asks for each series of a source, one after the other. Those that it does not have (any more) are named; any other failure throws. */
export async function askSeries(
  source: SourceName,
  ask: (series: string) => Promise<unknown>,
): Promise<z.input<typeof asked>> {
  const answers: { series: string; answer: unknown }[] = [];
  const gone: string[] = [];
  for (const { series } of seriesOf(source))
    try {
      answers.push({ series, answer: await ask(series) });
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.status !== 404) throw error;
      gone.push(series);
    }
  if (answers.length === 0) throw new UpstreamError(`${source} has none of its series: it answered 404`);
  return { answers, gone };
}

/** The answers with the inputs that they tell; a series that is gone counts as rejected. */
export function readSeries(
  source: SourceName,
  answer: unknown,
): { readonly answers: readonly SeriesAnswer[]; readonly gone: readonly Rejection[] } {
  const read = asked.safeParse(answer);
  if (!read.success) throw new UpstreamError(`${source}: ${rejection("", read.error).reason}`);
  const inputs = new Map(seriesOf(source).map(({ series, input }) => [series, input]));
  return {
    answers: read.data.answers.flatMap(({ series, answer: told }) => {
      const input = inputs.get(series);
      return input ? [{ series, input, answer: told }] : [];
    }),
    gone: read.data.gone.map((row) => ({ row, reason: "there is no such series" })),
  };
}

/** First moment of the year or day that a row is of, Unix epoch milliseconds: the current year has not ended. */
export function observedAt({ period = "" }: Pick<InputRow, "period">): number {
  return Date.parse(period);
}
