import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { day } from "../../ingest/row-fields.ts";
import type { Upstream } from "../../upstream/upstream.ts";

const address = "https://agsi.gie.eu/api";

export const agsiTerms = {
  license: { kind: "attribution", publisher: "GIE AGSI", terms: "Gas Infrastructure Europe, AGSI" },
  variables: ["AGSI_API_KEY"],
  // The source accepts 60 requests per minute.
  pace: { spacingMs: 1_100 },
  access: {
    signUp: "https://agsi.gie.eu/account",
    minutes: 5,
    cost: "free",
    quota: "60 requests a minute",
    terms: "https://agsi.gie.eu/",
    rejection: "It received more than 60 requests in a minute. If the key is wrong, the response has no data.",
  },
} as const;

/** Fetches gas days, newest first. Use `type` for the EU and `country` for a country. */
export function fetchGasDays(upstream: Upstream, query: Readonly<Record<string, string>>): Promise<unknown> {
  return upstream.json({
    url: `${address}?${new URLSearchParams(query)}`,
    headers: { "x-key": upstream.variable("AGSI_API_KEY") },
  });
}

const daysOnPage = 300;
/** The inventory has fewer pages than this, so the limit only stops an endless list. */
const maxPages = 60;

const pagesSchema = z.object({ last_page: z.number().int().nonnegative() });

/** Fetches all gas days of a span, one response per page. Both days are included. */
export async function allGasDays(
  upstream: Upstream,
  query: Readonly<Record<string, string>> & { readonly from: string; readonly to: string },
): Promise<unknown[]> {
  const responses: unknown[] = [];
  for (let [page, last] = [1, 1]; page <= Math.min(last, maxPages); page++) {
    const response = await fetchGasDays(upstream, { ...query, size: String(daysOnPage), page: String(page) });
    const read = pagesSchema.safeParse(response);
    if (!read.success) throw new UpstreamError("AGSI does not say how many pages it has");
    last = read.data.last_page;
    responses.push(response);
  }
  return responses;
}

const responseSchema = z.union([
  z.array(z.unknown()),
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
  z.looseObject({ gasDayStart: z.unknown() }).transform((single) => [single]),
]);

/** A gas day whose level is not published yet. If the field is absent, the row has an invalid format. */
const withoutLevel = z.object({ full: z.union([z.literal(["-", ""]), z.null()]) });

/** Returns the gas days with a level. With a wrong key, AGSI sends an empty list and status 200, so this throws. */
export function gasDays(response: unknown): [place: number, day: unknown][] {
  const read = responseSchema.safeParse(response);
  if (!read.success) throw new UpstreamError("AGSI sent a response in another format");
  if (read.data.length === 0) throw new UpstreamError("AGSI sent no day: the key may be wrong");
  return [...read.data.entries()].filter(([, day]) => !withoutLevel.safeParse(day).success);
}

const amount = z.union([
  z.number(),
  z
    .string()
    .trim()
    .max(40)
    .regex(/^-?\d+(\.\d*)?$/, "is not a number")
    .transform(Number),
]);

/** A gas day with the fill level in percent and the stored gas in terawatt-hours. */
export const gasDaySchema = z.object({ gasDayStart: day, full: amount, gasInStorage: amount });
