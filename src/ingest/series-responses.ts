import { z } from "zod";
import { UpstreamError } from "../egress/upstream-error.ts";
import { type MissingPart, type Parsed, type Rejection, readAs } from "./source.ts";

export const missingPartSchema = z.object({
  part: z.string(),
  reason: z.string(),
  status: z.number().optional(),
  kind: z.enum(["unreachable", "refused", "over quota"]).optional(),
});

const schema = z.object({
  responses: z.array(z.object({ series: z.string(), answer: z.unknown() })),
  gone: z.array(z.string()).default([]),
  missing: z.array(missingPartSchema).default([]),
});

export type SeriesResponses = z.output<typeof schema>;
type SeriesResponse = SeriesResponses["responses"][number];

/** After this number of failures in a row, the source is probably down or blocks the client, so requests stop. */
const failuresInARow = 3;

/** Requests each series. Series that no longer exist and failed series are listed separately. Throws if all failed. */
export async function requestSeries(
  source: string,
  names: readonly string[],
  sendRequest: (series: string) => Promise<unknown>,
  { failuresUntilLeft = failuresInARow } = {},
): Promise<SeriesResponses> {
  const collected: SeriesResponses = { responses: [], gone: [], missing: [] };
  const { responses, gone, missing } = collected;
  let first: UpstreamError | undefined;
  let inARow = 0;
  for (const series of names) {
    if (inARow === failuresUntilLeft) {
      missing.push({ part: series, reason: "not requested after other requests failed", ...statusOf(first) });
      continue;
    }
    try {
      responses.push({ series, answer: await sendRequest(series) });
      inARow = 0;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.status === 404) {
        gone.push(series);
        continue;
      }
      first ??= error;
      inARow += 1;
      missing.push(missingFor(series, error));
    }
  }
  if (responses.length > 0) return collected;
  throw first ?? new UpstreamError(`${source} has none of its series: it answered 404`);
}

export function missingFor(part: string, error: UpstreamError): z.output<typeof missingPartSchema> {
  const { message: reason, kind } = error;
  return { part, reason, ...statusOf(error), ...(kind && { kind }) };
}

function statusOf(error: UpstreamError | undefined): { status?: number } {
  return error?.status === undefined ? {} : { status: error.status };
}

/** Parses the responses. A series that no longer exists counts as rejected, and one in another format as missing. */
export function readSeries<Row>(
  source: string,
  response: unknown,
  read: (one: SeriesResponse) => Parsed<Row>,
): Parsed<Row> & { readonly missing: readonly MissingPart[] } {
  const { responses, gone, missing } = readAs(source, schema, response);
  const parsed: Parsed<Row>[] = [];
  const unread: MissingPart[] = [];
  let first: UpstreamError | undefined;
  for (const one of responses)
    try {
      parsed.push(read(one));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      first ??= error;
      unread.push(missingFor(one.series, error));
    }
  if (first && parsed.length === 0) throw first;
  const rejected = gone.map((row): Rejection => ({ row, reason: "there is no such series" }));
  return {
    rows: parsed.flatMap(({ rows }) => rows),
    rejected: [...rejected, ...parsed.flatMap((one) => one.rejected)],
    missing: [...missing, ...unread, ...parsed.flatMap((one) => one.missing ?? [])],
  };
}
