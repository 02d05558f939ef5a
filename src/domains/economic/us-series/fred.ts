import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, rejection } from "../../../ingest/source.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { day, decimal } from "../fields.ts";

type Observation = MessageInitShape<typeof ObservationSchema>;

const address = "https://api.stlouisfed.org/fred/series/observations";

/** Fetches the observations of each series by its id. If one request fails, the whole fetch fails. */
export async function fetchFred(
  upstream: Upstream,
  ids: readonly string[],
  parameters: Readonly<Record<string, string>>,
): Promise<unknown> {
  const key = upstream.variable("FRED_API_KEY");
  const responses: [string, unknown][] = [];
  for (const id of ids) {
    const query = new URLSearchParams({ series_id: id, api_key: key, file_type: "json", ...parameters });
    responses.push([id, await upstream.json({ url: `${address}?${query}` })]);
  }
  return Object.fromEntries(responses);
}

const responsesSchema = z.record(z.string(), z.object({ observations: z.array(z.unknown()) }));
/** This value marks a day without a value. */
const missing = z.object({ value: z.literal(".") });
const observationSchema = z.object({ date: day, value: decimal });

/** Reads every series of the responses. Each demanded series must have at least one observation. */
export function readFred(responses: unknown, demanded: readonly string[]): Parsed<Observation> {
  const read = responsesSchema.safeParse(responses);
  if (!read.success) throw new UpstreamError(`FRED: ${rejection("", read.error).reason}`);
  const rows: Observation[] = [];
  const rejected: Rejection[] = [];
  for (const seriesId of new Set([...demanded, ...Object.keys(read.data)])) {
    const known = rows.length;
    for (const value of read.data[seriesId]?.observations ?? []) {
      if (missing.safeParse(value).success) continue;
      const one = observationSchema.safeParse(value);
      if (one.success) rows.push({ seriesId, ...one.data });
      else rejected.push(rejection(seriesId, one.error));
    }
    if (rows.length === known) throw new UpstreamError(`FRED has no observation of ${seriesId}`);
  }
  return { rows, rejected };
}
