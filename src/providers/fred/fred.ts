import type { Source } from "../../ingest/source.ts";

/** Federal Reserve Economic Data: what every source that reads from it says of itself. */
export const fredMetadata = {
  variables: ["FRED_API_KEY"],
  // 120 requests a minute.
  pace: { spacingMs: 500 },
  access: {
    signUp: "https://fredaccount.stlouisfed.org/apikeys",
    minutes: 3,
    cost: "free",
    quota: "120 requests a minute",
    terms: "https://fred.stlouisfed.org/docs/api/terms_of_use.html",
    rejection: "It was asked too often, or the address is one of a data center, which are reported to be throttled.",
  },
} as const satisfies Partial<Source<unknown>>;

export const fredTerms = "FRED API terms of use, Federal Reserve Bank of St. Louis";
