import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { readAs, type Source } from "../../ingest/source.ts";
import type { Upstream } from "../../upstream/upstream.ts";

export const wtoMetadata = {
  license: {
    kind: "attribution",
    publisher: "WTO",
    terms: "WTO terms of use, attribution to the World Trade Organization",
  },
  variables: ["WTO_API_KEY"],
  pace: { spacingMs: 1_000 },
  access: {
    signUp: "https://apiportal.wto.org/",
    minutes: 5,
    cost: "free, with an account and a subscription to the time series",
    quota: "by subscription, as the portal shows",
    terms: "https://apiportal.wto.org/",
    rejection: "The key has no subscription to the time series, or its quota is used.",
  },
} as const satisfies Partial<Source<unknown>>;

/** The three-digit code of an economy: its UN M49 number, or a number that only the WTO uses. */
export const economyCode = z.string().regex(/^\d{3}$/);

/** The partner code that stands for all economies together. */
export const world = "000";

export interface Indicator {
  readonly code: string;
  readonly unit: string;
  /** Filters of the request. Rows that do not match them are rejected. */
  readonly partner?: string;
  readonly product?: string;
  /** How many years before the current one to request. By default, all years since 1996 are requested. */
  readonly yearsBack?: number;
}

/** The response for a batch of reporters. `body` is empty if there is no data. A failed request has a `failure`. */
const batchSchema = z.object({
  indicator: z.string(),
  reporters: z.array(z.string()),
  body: z.string().optional(),
  failure: z.string().optional(),
  status: z.number().optional(),
});

export const wtoResponseSchema = z.object({ reporters: z.unknown(), batches: z.array(batchSchema) });

export type Batch = z.output<typeof batchSchema>;
export type WtoResponse = z.output<typeof wtoResponseSchema>;

const address = "https://api.wto.org/timeseries/v1";
/** A request for thirty reporters takes up to 21 seconds. */
const timeoutMs = 60_000;
const reportersInBatch = 30;
const firstYear = 1996;
/** After this number of failed requests, the WTO is probably down, so the other batches are not requested. */
const maxFailures = 3;

/** The maximum number of rows to request. A complete batch has fewer, so a response of this length is truncated. */
export const maxRows = 5_000;

/** Returns the first and the last year to request. Both are included. */
export function yearsRequestedFor(
  { yearsBack }: Pick<Indicator, "yearsBack">,
  now: Date,
): { readonly from: number; readonly to: number } {
  const to = now.getUTCFullYear();
  return { from: yearsBack === undefined ? firstYear : to - yearsBack, to };
}

/** Fetches each indicator in batches of reporters. If a batch fails, the other batches are still fetched. */
export async function fetchWto(upstream: Upstream, indicators: readonly Indicator[]): Promise<WtoResponse> {
  const headers = { "ocp-apim-subscription-key": upstream.variable("WTO_API_KEY") };
  const reporters = await upstream.json({ url: `${address}/reporters`, headers, timeoutMs });
  const codes = [...economies(reporters).keys()];
  const batches: Batch[] = [];
  for (let start = 0; start < codes.length; start += reportersInBatch)
    for (const indicator of indicators) {
      const batch = { indicator: indicator.code, reporters: codes.slice(start, start + reportersInBatch) };
      if (batches.filter(({ failure }) => failure !== undefined).length >= maxFailures) {
        batches.push({ ...batch, failure: "not requested because other requests had failed" });
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

/** Returns the names of economies by code. Groups, whose codes have letters, and the world are omitted. */
export function economies(reporters: unknown): ReadonlyMap<string, string> {
  const named = readAs("WTO reporters", z.array(z.unknown()), reporters)
    .map((value) => reporterSchema.safeParse(lowerKeys(value)).data)
    .filter((reporter) => reporter !== undefined)
    .filter(({ code }) => economyCode.safeParse(code).success && code !== world);
  if (named.length === 0) throw new UpstreamError("WTO lists no reporters, so no rows can be requested");
  return new Map(named.map(({ code, name }) => [code, name]));
}

/** Returns the value with member names in lower case, because the WTO writes the same name in different cases. */
export function lowerKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]));
}
