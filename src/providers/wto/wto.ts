import { z } from "zod";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import type { Source } from "../../ingest/source.ts";
import type { Upstream } from "../../upstream/upstream.ts";

/** Time series of the World Trade Organization: what every source that reads them says of itself. */
export const wtoMetadata = {
  license: { kind: "attribution", terms: "WTO terms of use, attribution to the World Trade Organization" },
  variables: ["WTO_API_KEY"],
  pace: { spacingMs: 1_000 },
  access: {
    signUp: "https://apiportal.wto.org/",
    minutes: 5,
    cost: "free, with an account and a subscription to the time series",
    quota: "by subscription, told by the portal",
    terms: "https://apiportal.wto.org/",
    rejection: "The key is of no subscription to the time series, or its quota is spent.",
  },
} as const satisfies Partial<Source<unknown>>;

/** Three digits: UN M49, or the WTO's own number of an economy. */
export const economyCode = z.string().regex(/^\d{3}$/);

/** The partner code of all economies together. */
export const world = "000";

/** One series of the WTO, and what each of its rows says of itself. */
export interface Indicator {
  readonly code: string;
  readonly unit: string;
  /** What is asked for besides reporters and years, by parameter and by member of the row. */
  readonly partner?: string;
  readonly product?: string;
  /** Years before the current one that are asked for; all since 1996 when absent. */
  readonly yearsBack?: number;
}

/** One indicator of some reporters: the body, empty where there is no data, or why there is no answer. */
const batchSchema = z.object({
  indicator: z.string(),
  reporters: z.array(z.string()),
  body: z.string().optional(),
  failure: z.string().optional(),
  status: z.number().optional(),
});

/** Everything one refresh asked for, as plain data. */
export const wtoResponseSchema = z.object({ reporters: z.unknown(), batches: z.array(batchSchema) });

export type Batch = z.output<typeof batchSchema>;
export type WtoResponse = z.output<typeof wtoResponseSchema>;

const address = "https://api.wto.org/timeseries/v1";
/** Thirty reporters take up to 21 s. */
const timeoutMs = 60_000;
const reportersInBatch = 30;
const firstYear = 1996;
/** The WTO is down: what is left would only fail as slowly. */
const maxFailures = 3;

/** More rows than a batch can have: with so many, the answer was cut off. */
export const maxRows = 5_000;

/** The years asked for, both ends included. */
export function yearsRequestedFor(
  { yearsBack }: Pick<Indicator, "yearsBack">,
  now: Date,
): { readonly from: number; readonly to: number } {
  const to = now.getUTCFullYear();
  return { from: yearsBack === undefined ? firstYear : to - yearsBack, to };
}

/** Asks for each indicator by batches of reporters; a batch that fails does not fail the others. */
export async function fetchWto(upstream: Upstream, indicators: readonly Indicator[]): Promise<WtoResponse> {
  const headers = { "ocp-apim-subscription-key": upstream.variable("WTO_API_KEY") };
  const reporters = await upstream.json({ url: `${address}/reporters`, headers, timeoutMs });
  const codes = [...economies(reporters).keys()];
  const batches: Batch[] = [];
  for (let start = 0; start < codes.length; start += reportersInBatch)
    for (const indicator of indicators) {
      const batch = { indicator: indicator.code, reporters: codes.slice(start, start + reportersInBatch) };
      if (batches.filter(({ failure }) => failure !== undefined).length >= maxFailures) {
        batches.push({ ...batch, failure: "not asked for after others had failed" });
        continue;
      }
      const url = `${address}/data?${queryOf(indicator, batch.reporters, upstream.now)}`;
      batches.push({ ...batch, ...(await responseTo(() => upstream.text({ url, headers, timeoutMs }))) });
    }
  return { reporters, batches };
}

function queryOf(indicator: Indicator, reporters: readonly string[], now: Date): URLSearchParams {
  const { code, partner, product } = indicator;
  const { from, to } = yearsRequestedFor(indicator, now);
  return new URLSearchParams({
    i: code,
    r: reporters.join(),
    ...(partner === undefined ? {} : { p: partner }),
    ...(product === undefined ? {} : { pc: product }),
    ps: `${from}-${to}`,
    fmt: "json",
    mode: "full",
    max: String(maxRows),
  });
}

async function responseTo(sendRequest: () => Promise<string>): Promise<Pick<Batch, "body" | "failure" | "status">> {
  try {
    return { body: await sendRequest() };
  } catch (error) {
    if (error instanceof UpstreamError) return missingResponse(error);
    throw error;
  }
}

function missingResponse({ message, status }: UpstreamError): Pick<Batch, "failure" | "status"> {
  return { failure: message, ...(status === undefined ? {} : { status }) };
}

const reporterSchema = z.object({ code: z.string(), name: z.string().trim().min(1) });

/** The names of all reporting economies by code. Groups, whose codes have letters, and the world are none. */
export function economies(reporters: unknown): ReadonlyMap<string, string> {
  const listed = z.array(z.unknown()).safeParse(reporters);
  if (!listed.success) throw new UpstreamError(`WTO reporters: ${rejection("", listed.error).reason}`);
  const named = listed.data
    .map((value) => reporterSchema.safeParse(lowerKeys(value)).data)
    .filter((reporter) => reporter !== undefined)
    .filter(({ code }) => economyCode.safeParse(code).success && code !== world);
  if (named.length === 0) throw new UpstreamError("WTO lists no reporters, so no rows can be asked for");
  return new Map(named.map(({ code, name }) => [code, name]));
}

/** The members of an object by their names in lower case: the WTO's case varies. */
export function lowerKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]));
}
