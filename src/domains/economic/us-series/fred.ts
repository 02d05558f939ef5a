import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { day, decimal } from "../../../ingest/row-fields.ts";
import { type Parsed, type Rejection, readAs, readRow, type Source } from "../../../ingest/source.ts";
import {
  fetchFredSeries,
  fredMetadata,
  fredMissing,
  fredResponseSchema,
  fredTerms,
} from "../../../providers/fred/fred.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { laborSeries, yearsOfHistory } from "./labor-series.ts";
import { type StressSeries, stressSeries } from "./stress-index.ts";

type Observation = MessageInitShape<typeof ObservationSchema>;

/** Fetches the observations of each series by its ID. If the request for one series fails, the whole fetch fails. */
async function fetchFred(upstream: Upstream, ids: readonly string[], parameters: Readonly<Record<string, string>>) {
  const responses: [string, unknown][] = [];
  for (const id of ids) responses.push([id, await fetchFredSeries(upstream, id, parameters)]);
  return Object.fromEntries(responses);
}

const responsesSchema = z.record(z.string(), fredResponseSchema);
const observationSchema = z.object({ date: day, value: decimal });

/** Reads the observations of all series. Throws if one of the `demanded` series has none. */
export function readFred(responses: unknown, demanded: readonly string[]): Parsed<Observation> {
  const read = readAs("FRED", responsesSchema, responses);
  const rows: Observation[] = [];
  const rejected: Rejection[] = [];
  for (const seriesId of new Set([...demanded, ...Object.keys(read)])) {
    const known = rows.length;
    for (const value of read[seriesId]?.observations ?? []) {
      if (fredMissing.safeParse(value).success) continue;
      const one = readRow(observationSchema, value, seriesId, rejected);
      if (one) rows.push({ seriesId, ...one });
    }
    if (rows.length === known) throw new UpstreamError(`FRED has no observation of ${seriesId}`);
  }
  return { rows, rejected };
}

const ids = laborSeries.map(({ id }) => id);

/** FRED republishes series of the Bureau of Labor Statistics, so it can replace that source. */
export const fredLabor: Source<MessageInitShape<typeof ObservationSchema>> = {
  name: "fred-labor",
  license: {
    kind: "attribution",
    publisher: "Federal Reserve Bank of St. Louis",
    terms: `${fredTerms}; the series are public domain`,
  },
  ...fredMetadata,
  rows: { atLeast: 200, mayBeEmpty: false },
  fetch(upstream) {
    const since = upstream.now.getUTCFullYear() - yearsOfHistory;
    return fetchFred(upstream, ids, { sort_order: "asc", observation_start: `${since}-01-01` });
  },
  parse: (responses) => readFred(responses, ids),
  observedAt: ({ date = "" }) => Date.parse(date),
};

const ofFred = stressSeries.filter(({ publisher }) => publisher === "fred");
const open = ofFred.filter(({ permission }) => permission === undefined);

/** The daily and weekly series of the stress index. Series that the operator has not enabled are not requested. */
export const fredStress: Source<MessageInitShape<typeof ObservationSchema>> = {
  name: "fred-stress",
  license: {
    kind: "attribution",
    publisher: "Federal Reserve Bank of St. Louis",
    terms: `${fredTerms}; VIXCLS is copyrighted by Cboe, restricted`,
  },
  ...fredMetadata,
  optionalVariables: ofFred.flatMap(({ permission }) => permission ?? []),
  withheldParts: ofFred.flatMap(({ id, permission }) => (permission === undefined ? [] : [id])),
  rows: { atLeast: 100, mayBeEmpty: false },
  fetch(upstream) {
    const ids = ofFred.filter((series) => mayBeServed(series, upstream)).map(({ id }) => id);
    return fetchFred(upstream, ids, { sort_order: "desc", limit: "120" });
  },
  parse: (responses) =>
    readFred(
      responses,
      open.map(({ id }) => id),
    ),
  observedAt: ({ date = "" }) => Date.parse(date),
};

/** Returns whether the values of a series may be served. Samples are invented, so they need no permission. */
function mayBeServed({ permission }: StressSeries, upstream: Upstream): boolean {
  return permission === undefined || upstream.origin === "sample" || upstream.variable(permission, "off") === "on";
}
