import { z } from "zod";
import { UpstreamError } from "../../errors.ts";
import { day } from "../../ingest/time-fields.ts";
import type { Upstream } from "../../upstream/upstream.ts";

const address = "https://agsi.gie.eu/api";

/** On what terms Gas Infrastructure Europe's storage inventory is asked. */
export const agsiTerms = {
  license: { kind: "attribution", terms: "Gas Infrastructure Europe, AGSI" },
  variables: ["AGSI_API_KEY"],
  // 60 requests a minute.
  pace: { spacingMs: 1_100 },
  access: {
    signUp: "https://agsi.gie.eu/account",
    minutes: 5,
    cost: "free",
    quota: "60 requests a minute",
    terms: "https://agsi.gie.eu/",
    rejection: "It was asked more often than 60 times in a minute. A wrong key is told by an answer without data.",
  },
} as const;

/** Asks for gas days, newest first: of the EU with `type`, of a country with `country`. */
export function fetchGasDays(upstream: Upstream, query: Readonly<Record<string, string>>): Promise<unknown> {
  return upstream.json({
    url: `${address}?${new URLSearchParams(query)}`,
    headers: { "x-key": upstream.variable("AGSI_API_KEY") },
  });
}

/** What the inventory gives at most on a page. */
const daysOnPage = 300;
/** More than the years since it began. */
const maxPages = 60;

const pagesSchema = z.object({ last_page: z.number().int().nonnegative() });

/** Asks for all gas days of a span, an answer a page; both days are included. */
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

/** A day whose level is not known yet. One without the field is a row of another form. */
const withoutLevel = z.object({ full: z.union([z.literal(["-", ""]), z.null()]) });

/** The days of an answer with a level, each with its place; none at all is how a wrong key is answered, with status 200. */
export function gasDays(response: unknown): [place: number, day: unknown][] {
  const read = responseSchema.safeParse(response);
  if (!read.success) throw new UpstreamError("AGSI answered in another format");
  if (read.data.length === 0) throw new UpstreamError("AGSI told of no day: the key may be wrong");
  return [...read.data.entries()].filter(([, day]) => !withoutLevel.safeParse(day).success);
}

const amount = z.union([
  z.number(),
  z
    .string()
    .trim()
    .max(40)
    .regex(/^-?\d+(\.\d*)?$/, "is no number")
    .transform(Number),
]);

/** A gas day: how full the stores are, in percent, and with how many terawatt-hours. */
export const gasDaySchema = z.object({ gasDayStart: day, full: amount, gasInStorage: amount });
