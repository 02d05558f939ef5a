import { z } from "zod";
import { UpstreamError } from "../errors.ts";
import { rejection } from "./rejection.ts";
import type { Rejection } from "./source.ts";

const schema = z.object({
  answers: z.array(z.object({ series: z.string(), answer: z.unknown() })),
  gone: z.array(z.string()),
});

/** What was answered to the question for each series of a source. */
export type SeriesAnswers = z.output<typeof schema>;

/** Asks for series one after the other. Those that the source does not have (any more) are named; any other failure throws. */
export async function askSeries(
  source: string,
  names: readonly string[],
  ask: (series: string) => Promise<unknown>,
): Promise<SeriesAnswers> {
  const answers: { series: string; answer: unknown }[] = [];
  const gone: string[] = [];
  for (const series of names)
    try {
      answers.push({ series, answer: await ask(series) });
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.status !== 404) throw error;
      gone.push(series);
    }
  if (answers.length === 0) throw new UpstreamError(`${source} has none of its series: it answered 404`);
  return { answers, gone };
}

/** The answers by series; one that is gone counts as rejected. */
export function readSeries(
  source: string,
  answer: unknown,
): { readonly answers: SeriesAnswers["answers"]; readonly gone: readonly Rejection[] } {
  const read = schema.safeParse(answer);
  if (!read.success) throw new UpstreamError(`${source}: ${rejection("", read.error).reason}`);
  const { answers, gone } = read.data;
  return { answers, gone: gone.map((row) => ({ row, reason: "there is no such series" })) };
}
