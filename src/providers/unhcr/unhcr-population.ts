import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { number } from "../../ingest/row-fields.ts";
import { type Rejection, readAs, readRows, type Source } from "../../ingest/source.ts";
import { countryByAlpha3 } from "../../reference/countries/countries.ts";
import type { Upstream } from "../../upstream/upstream.ts";

const address = "https://api.unhcr.org/population/v1/population/";
const pageSize = 10_000;
const maxPages = 10;
/** The values of a year are published in the middle of the next year, so the newest may be two years old. */
const yearsBack = 2;

/** People of one origin in one country of asylum, at the end of a year. */
export interface Population {
  readonly year: number;
  /** The alpha-2 code of the country that people fled. Undefined for stateless people and if it is unknown. */
  readonly origin: string | undefined;
  readonly asylum: string | undefined;
  readonly refugees: number;
  readonly asylumSeekers: number;
  /** The number of internally displaced people. */
  readonly idps: number;
  /** The number of other people in need of international protection, mostly from Venezuela. */
  readonly others: number;
}

export interface Populations {
  readonly populations: readonly Population[];
  readonly rejected: readonly Rejection[];
}

async function fetchPopulation(upstream: Upstream): Promise<unknown[]> {
  const newest = upstream.now.getUTCFullYear();
  for (let year = newest; year >= newest - yearsBack; year--) {
    const pages = await fetchYear(upstream, year);
    if (itemsOf(pages).length > 0) return pages;
  }
  throw new UpstreamError(`UNHCR has no rows of the years ${newest - yearsBack} to ${newest}`);
}

/** The source of each dataset that reads the population. */
export const unhcrMetadata = {
  name: "unhcr",
  license: {
    kind: "attribution",
    publisher: "UNHCR",
    terms: "CC BY 4.0, UNHCR Refugee Population Statistics Database",
  },
  rows: { atLeast: 100, mayBeEmpty: false },
  fetch: fetchPopulation,
  minutesApart: 6 * 60,
} as const satisfies Partial<Source<unknown>>;

async function fetchYear(upstream: Upstream, year: number): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let max = 1; pages.length < max; max = Math.min(maxPages, pageOf(pages[0]).maxPages)) {
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

export function readPopulation(response: unknown): Populations {
  if (!Array.isArray(response)) throw new UpstreamError("UNHCR: no pages");
  const rejected: Rejection[] = [];
  return { populations: [...readRows(itemSchema, itemsOf(response), rejected)], rejected };
}

const pageSchema = z.object({ maxPages: number, items: z.array(z.unknown()) });

function itemsOf(pages: readonly unknown[]): unknown[] {
  return pages.flatMap((page) => pageOf(page).items);
}

function pageOf(page: unknown): z.output<typeof pageSchema> {
  return readAs("UNHCR", pageSchema, page);
}

/** UNHCR writes `-` for a number that is zero or withheld. */
const people = z
  .union([z.literal("-").transform(() => 0), number.pipe(z.number().min(0))])
  .nullish()
  .transform((count) => count ?? 0);

const country = z
  .string()
  .nullish()
  .transform((code) => countryByAlpha3(code ?? "")?.alpha2);

const itemSchema = z
  .object({
    year: number.pipe(z.int().min(1951).max(9999)),
    coo_iso: country,
    coa_iso: country,
    refugees: people,
    asylum_seekers: people,
    idps: people,
    oip: people,
  })
  .transform(({ year, coo_iso, coa_iso, refugees, asylum_seekers, idps, oip }) => ({
    year,
    origin: coo_iso,
    asylum: coa_iso,
    refugees,
    asylumSeekers: asylum_seekers,
    idps,
    others: oip,
  }));
