import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { readAs, type Source } from "../../ingest/source.ts";
import type { Upstream, UpstreamRequest } from "../../upstream/upstream.ts";

export const comtradeAddress = "https://comtradeapi.un.org/data/v1/get/C/A/HS";
export const comtradeKey = "COMTRADE_API_KEY";

export const comtradeLicense = {
  kind: "attribution",
  publisher: "UN Comtrade",
  terms: "UN Comtrade, United Nations Statistics Division; raw data must not be redistributed in bulk",
} as const;

export const comtradeMetadata = {
  license: comtradeLicense,
  variables: [comtradeKey],
  pace: { spacingMs: 1_500 },
  requestsADay: { of: "comtrade", max: 500 },
  access: {
    signUp: "https://comtradedeveloper.un.org/",
    minutes: 5,
    cost: "free; more by paid subscriptions",
    quota: "500 requests a day with a free key",
    terms: "https://comtradedeveloper.un.org/",
    rejection:
      "429: it received too many requests, or the requests of the day are used. 403: the key has no subscription, or its quota is used.",
  },
} as const satisfies Partial<Source<unknown>>;

/** Parameters that select the totals of all consignments, customs procedures, and means of transport. */
export const totalsOnly = { partner2Code: "0", customsCode: "C00", motCode: "0", includeDesc: "false" };

const brokenMs = [5_000, 15_000];

/** Sends a request. After a 429 it is repeated once, and after a server error up to twice. */
export async function requestWithRetries(upstream: Upstream, request: UpstreamRequest): Promise<unknown> {
  for (let failures = 0; ; failures++) {
    try {
      return await upstream.json({ ...request, timeoutMs: 60_000, tries: 1 });
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.unsent) throw error;
      if (error.status === 429 && failures === 0) continue;
      const wait = brokenMs[failures];
      if (wait === undefined || (error.status !== undefined && error.status < 500)) throw error;
      await upstream.pause?.(wait);
    }
  }
}

const envelopeSchema = z.object({
  count: z.number().int().nonnegative(),
  data: z.array(z.unknown()),
  error: z.string().nullish(),
});

/** Returns the records of a response. Throws if it is an error or has fewer records than it counts. */
export function recordsOf(response: unknown): readonly unknown[] {
  const { count, data, error } = readAs("Comtrade", envelopeSchema, response);
  if (error) throw new UpstreamError(`Comtrade: ${error}`);
  if (count !== data.length) throw new UpstreamError(`Comtrade: ${data.length} of ${count} rows were returned`);
  return data;
}

const code = z.coerce.number().int();
/** In a column, such as the customs procedure, the code 0 or an absent code stands for the total of all codes. */
const total = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => value === undefined || value === null || Number(value) === 0);

/** The partner code that stands for all countries together. */
export const world = 0;

export const tradeRecordSchema = z.object({
  refYear: z.int().min(1962).max(2999),
  reporterCode: code,
  partnerCode: code,
  partner2Code: total,
  customsCode: z
    .string()
    .nullish()
    .transform((value) => value === undefined || value === null || value === "C00"),
  motCode: total,
  primaryValue: z.number().nonnegative(),
});

/** Returns whether a record covers all consignments, customs procedures, and means of transport. */
export function isTotal(
  record: Pick<z.output<typeof tradeRecordSchema>, "partner2Code" | "customsCode" | "motCode">,
): boolean {
  return record.partner2Code && record.customsCode && record.motCode;
}
