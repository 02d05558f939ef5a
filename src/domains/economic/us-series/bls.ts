import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { decimal } from "../../../ingest/row-fields.ts";
import { type Parsed, type Rejection, readAs, rejection, type Source } from "../../../ingest/source.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { type LaborSeries, laborSeries, yearsOfHistory } from "./labor-series.ts";

type Observation = MessageInitShape<typeof ObservationSchema>;

const url = "https://api.bls.gov/publicAPI/v2/timeseries/data/";
/** Maximum number of years per request without an API key. The second constant applies with a key. */
const openSpan = 10;
const keyedSpan = 20;

/** The Bureau of Labor Statistics accepts 25 requests per day without a key, and 500 with one. */
export const bls: Source<Observation> = {
  name: "bls",
  license: {
    kind: "open",
    publisher: "US Bureau of Labor Statistics",
    terms: "US government, public domain; Bureau of Labor Statistics",
  },
  optionalVariables: ["BLS_API_KEY"],
  requestsADay: { of: "bls", max: 25, withKey: { variable: "BLS_API_KEY", max: 500 } },
  access: {
    signUp: "https://data.bls.gov/registrationEngine/",
    minutes: 3,
    cost: "free",
    quota: "25 requests a day without a key, 500 with one",
    terms: "https://www.bls.gov/developers/termsOfService.htm",
    rejection: "The requests of the day are used, or the address sent too many requests.",
  },
  rows: { atLeast: 200, mayBeEmpty: false },
  fetch: fetchSpans,
  parse: parseSpans,
  observedAt: ({ date = "" }) => Date.parse(date),
};

async function fetchSpans(upstream: Upstream): Promise<unknown> {
  const registrationkey = upstream.variable("BLS_API_KEY", "");
  const span = registrationkey === "" ? openSpan : keyedSpan;
  const seriesid = laborSeries.map(({ blsId }) => blsId);
  const first = upstream.now.getUTCFullYear() - yearsOfHistory;
  const responses: unknown[] = [];
  for (let last = upstream.now.getUTCFullYear(); last >= first; last -= span) {
    const years = { startyear: String(Math.max(last - span + 1, first)), endyear: String(last) };
    const body = { seriesid, ...years, ...(registrationkey && { registrationkey }) };
    responses.push(await upstream.json({ url, body, tries: 2 }));
  }
  return responses;
}

const responseSchema = z.object({
  status: z.string(),
  message: z.array(z.string()).nullish(),
  Results: z
    .object({ series: z.array(z.object({ seriesID: z.string(), data: z.array(z.unknown()) })).nullish() })
    .nullish(),
});

/** This value marks a period without a value. */
const missing = z.object({ value: z.literal("-") });
const observationSchema = z.object({ year: z.string().regex(/^\d{4}$/), period: z.string(), value: decimal });

function parseSpans(responses: unknown): Parsed<Observation> {
  const series = z.array(z.unknown()).parse(responses).flatMap(readSeries);
  const rows = new Map<string, Observation>();
  const rejected: Rejection[] = [];
  for (const known of laborSeries) {
    const before = rows.size;
    for (const value of series.filter(({ seriesID }) => seriesID === known.blsId).flatMap(({ data }) => data)) {
      if (missing.safeParse(value).success) continue;
      const one = observationSchema.safeParse(value);
      const date = one.success ? dateOf(one.data, known) : undefined;
      if (!one.success) rejected.push(rejection(known.blsId, one.error));
      else if (!date) rejected.push({ row: known.blsId, reason: `${one.data.period} is not a period of the series` });
      else rows.set(`${known.id} ${date}`, { seriesId: known.id, date, value: one.data.value });
    }
    if (rows.size === before) throw new UpstreamError(`BLS has no observation of ${known.blsId}`);
  }
  return { rows: [...rows.values()], rejected };
}

/** Reads the series. BLS rejects a request, such as for an exceeded quota, with status 200, so this throws then. */
function readSeries(response: unknown) {
  const { status, message, Results } = readAs("BLS", responseSchema, response);
  if (status !== "REQUEST_SUCCEEDED")
    throw new UpstreamError(`BLS rejected the request: ${[status, ...(message ?? [])].join(" ")}`, { kind: "refused" });
  return Results?.series ?? [];
}

/** Returns the first day of a period. Undefined for an annual average, such as `M13`. */
function dateOf({ year, period }: { readonly year: string; readonly period: string }, { frequency }: LaborSeries) {
  const [, letter, digits] = /^([MQ])(\d\d)$/.exec(period) ?? [];
  const number = Number(digits);
  if (frequency === "monthly" ? letter !== "M" || number > 12 : letter !== "Q" || number > 4) return undefined;
  const month = frequency === "monthly" ? number : 3 * number - 2;
  return month < 1 ? undefined : `${year}-${String(month).padStart(2, "0")}-01`;
}
