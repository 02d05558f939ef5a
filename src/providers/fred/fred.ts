import { z } from "zod";
import type { Source } from "../../ingest/source.ts";
import type { Upstream } from "../../upstream/upstream.ts";

export const fredMetadata = {
  variables: ["FRED_API_KEY"],
  // The source accepts 120 requests per minute.
  pace: { spacingMs: 500 },
  access: {
    signUp: "https://fredaccount.stlouisfed.org/apikeys",
    minutes: 3,
    cost: "free",
    quota: "120 requests a minute",
    terms: "https://fred.stlouisfed.org/docs/api/terms_of_use.html",
    rejection:
      "Its request limit is exceeded, or the address belongs to a data center. Some users report that data centers are throttled.",
  },
} as const satisfies Partial<Source<unknown>>;

export const fredTerms = "FRED API terms of use, Federal Reserve Bank of St. Louis";

const address = "https://api.stlouisfed.org/fred/series/observations";

export function fetchFredSeries(upstream: Upstream, series: string, parameters: Readonly<Record<string, string>>) {
  const key = upstream.variable("FRED_API_KEY");
  const query = new URLSearchParams({ series_id: series, api_key: key, file_type: "json", ...parameters });
  return upstream.json({ url: `${address}?${query}` });
}

export const fredResponseSchema = z.object({ observations: z.array(z.unknown()) });

/** FRED writes this value for a period without a value. */
export const fredMissing = z.object({ value: z.literal(".") });
