import type { Source } from "../../ingest/source.ts";

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
