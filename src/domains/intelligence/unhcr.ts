import { z } from "zod";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../ingest/source.ts";
import { countryByAlpha3 } from "../../reference/countries.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { checked, number } from "./fields.ts";
import { counted, dayOf } from "./risk-signals.ts";
import type { Signal, SignalRow } from "./risk-values.ts";

const address = "https://api.unhcr.org/population/v1/population/";
const pageSize = 10_000;
const mostPages = 10;
/** A year is told in the middle of the next one. */
const yearsBack = 2;

/** UN High Commissioner for Refugees: people displaced from and within each country, at the end of the newest year. */
export const unhcr: Source<SignalRow> = {
  name: "unhcr",
  licence: { kind: "attribution", terms: "CC BY 4.0, UNHCR Refugee Population Statistics Database" },
  variables: [],
  rows: { atLeast: 100, mayBeEmpty: false },
  fetch: fetchNewestYear,
  parse: parseYear,
  observedAt: ({ date = "" }) => Date.parse(date),
  minutesApart: 6 * 60,
};

async function fetchNewestYear(upstream: Upstream): Promise<unknown> {
  const newest = upstream.now.getUTCFullYear();
  for (let year = newest; year >= newest - yearsBack; year--) {
    const pages = await fetchPages(upstream, year);
    if (readPages(pages).length > 0) return pages;
  }
  throw new UpstreamError(`UNHCR has no rows of the years ${newest - yearsBack} to ${newest}`);
}

async function fetchPages(upstream: Upstream, year: number): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let most = 1; pages.length < most; most = Math.min(mostPages, checked("UNHCR", pageSchema, pages[0]).maxPages)) {
    const query = new URLSearchParams({
      year: String(year),
      limit: String(pageSize),
      page: String(pages.length + 1),
      coo_all: "true",
      coa_all: "true",
    });
    pages.push(await upstream.json({ url: `${address}?${query}`, timeoutMs: 60_000 }));
  }
  return pages;
}

const pageSchema = z.object({ maxPages: number, items: z.array(z.unknown()) });

function readPages(pages: readonly unknown[]): unknown[] {
  return pages.flatMap((page) => checked("UNHCR", pageSchema, page).items);
}

/** `-` where a number is withheld or there is none. */
const people = z
  .union([z.literal("-").transform(() => 0), number.pipe(z.number().min(0))])
  .nullish()
  .transform((count) => count ?? 0);

const itemSchema = z.object({
  year: number.pipe(z.int().min(1951).max(9999)),
  coo_iso: z.string().nullish(),
  refugees: people,
  asylum_seekers: people,
  idps: people,
  /** Others in need of international protection: nearly all who left Venezuela. */
  oip: people,
});

function parseYear(answer: unknown, now: Date): Parsed<Signal> {
  const pages = checked("UNHCR", z.array(z.unknown()), answer);
  const displaced: Signal[] = [];
  const rejected: Rejection[] = [];
  for (const [place, item] of readPages(pages).entries()) {
    const read = itemSchema.safeParse(item);
    if (!read.success) {
      rejected.push(rejection(`#${place}`, read.error));
      continue;
    }
    const { year, coo_iso, refugees, asylum_seekers, idps, oip } = read.data;
    // Stateless people and those of unknown origin have no country.
    const country = countryByAlpha3(coo_iso ?? "")?.alpha2;
    if (country)
      displaced.push({
        country,
        input: "displaced",
        // The current year is told up to its middle.
        date: dayOf(Math.min(Date.UTC(year, 11, 31), now.getTime())),
        amount: refugees + asylum_seekers + idps + oip,
      });
  }
  return { rows: counted(displaced), rejected };
}
