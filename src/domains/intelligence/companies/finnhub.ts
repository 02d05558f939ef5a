import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type {
  EarningsSurpriseSchema,
  MarketProfileSchema,
} from "../../../../gen/es/ids/intelligence/v1/enrichment_pb.ts";
import { day, text } from "../../../ingest/row-fields.ts";
import { readAs, type SourceTerms } from "../../../ingest/source.ts";
import { rounded } from "../../../reference/rounding.ts";
import type { Upstream, UpstreamRequest } from "../../../upstream/upstream.ts";
import { optionalDay, webAddress } from "../fields.ts";

/** A provider of market data. Its free plan only permits personal use. */
export const finnhub = {
  name: "finnhub",
  license: {
    kind: "restricted",
    publisher: "Finnhub",
    terms: "Finnhub terms of service; redistribution needs an agreement",
  },
  variables: ["FINNHUB_API_KEY"],
  access: {
    signUp: "https://finnhub.io/register",
    minutes: 3,
    cost: "free for personal use, paid otherwise",
    quota: "60 requests a minute with a free key",
    terms: "https://finnhub.io/terms-of-service",
    rejection: "403: the plan does not cover the request. 429: the requests of the minute are used.",
  },
} as const satisfies SourceTerms;

export interface Profile {
  readonly market: MessageInitShape<typeof MarketProfileSchema>;
  readonly website: string;
}

const address = "https://finnhub.io/api/v1/stock";
const maxQuarters = 8;
const maxBytes = 1024 * 1024;

/** Fetches the profile of a company. Undefined if Finnhub does not know the ticker. */
export async function fetchProfile(
  upstream: Upstream,
  ticker: string,
  request: Partial<UpstreamRequest>,
): Promise<Profile | undefined> {
  return parseProfile(await sendRequest(upstream, "profile2", { symbol: symbolOf(ticker) }, request));
}

export async function fetchEarnings(
  upstream: Upstream,
  ticker: string,
  request: Partial<UpstreamRequest>,
): Promise<MessageInitShape<typeof EarningsSurpriseSchema>[]> {
  const parameters = { symbol: symbolOf(ticker), limit: String(maxQuarters) };
  return parseEarnings(await sendRequest(upstream, "earnings", parameters, request));
}

function sendRequest(
  upstream: Upstream,
  what: string,
  query: Record<string, string>,
  request: Partial<UpstreamRequest>,
) {
  const headers = { "x-finnhub-token": upstream.variable("FINNHUB_API_KEY") };
  return upstream.json({ maxBytes, ...request, url: `${address}/${what}?${new URLSearchParams(query)}`, headers });
}

/** Returns the ticker in Finnhub's spelling, which has a point before the class of shares. */
function symbolOf(ticker: string): string {
  return ticker.replaceAll("-", ".");
}

const unknown = z.strictObject({});

const profileSchema = z.object({
  name: z.string().min(1),
  exchange: text,
  finnhubIndustry: text,
  marketCapitalization: z.number().nonnegative().nullish(),
  ipo: optionalDay,
  logo: webAddress,
  country: text,
  currency: text,
  weburl: webAddress,
});

export function parseProfile(response: unknown): Profile | undefined {
  if (unknown.safeParse(response).success) return undefined;
  const profile = readAs("Finnhub profile", profileSchema, response);
  const { exchange, finnhubIndustry: industry, marketCapitalization: millions, country, currency } = profile;
  // Finnhub gives the market capitalization in the profile's currency, so it is only used if that is US dollars.
  const inDollars = currency === "USD" && typeof millions === "number" ? { marketCapMusd: millions } : {};
  return {
    market: { exchange, industry, ...inDollars, ipoDate: profile.ipo, logoUrl: profile.logo, country, currency },
    website: profile.weburl,
  };
}

const quarterSchema = z
  .object({
    period: day,
    actual: z.number(),
    estimate: z.number(),
    surprise: z.number().nullish(),
    surprisePercent: z.number().nullish(),
    year: z.int().min(1900).max(2999),
    quarter: z.int().min(1).max(4),
  })
  .transform(({ period, actual, estimate, surprise, surprisePercent, year, quarter }) => ({
    period,
    actualEps: actual,
    estimateEps: estimate,
    surprise: surprise ?? rounded(actual - estimate, 4),
    surprisePercent:
      surprisePercent ?? (estimate === 0 ? 0 : rounded((100 * (actual - estimate)) / Math.abs(estimate))),
    year,
    quarter,
  }));

/** A quarter without a result or without an estimate. Future quarters lack results, small companies often estimates. */
const openQuarterSchema = z.union([
  z.object({ actual: z.null() }),
  z.object({ estimate: z.null() }),
  z.object({ period: z.literal("") }),
]);

/** Parses earnings. Quarters without a result or an estimate are omitted. Throws if the format has changed. */
export function parseEarnings(response: unknown): MessageInitShape<typeof EarningsSurpriseSchema>[] {
  const closed = readAs("Finnhub earnings", z.array(z.unknown()), response).filter(
    (row) => !openQuarterSchema.safeParse(row).success,
  );
  const quarters = closed.flatMap((row) => quarterSchema.safeParse(row).data ?? []);
  if (quarters.length === 0) readAs("Finnhub earnings", z.array(quarterSchema), closed);
  return quarters.sort((a, b) => (a.period > b.period ? -1 : 1)).slice(0, maxQuarters);
}
