import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { type Rejection, readRows, rejection } from "../../ingest/source.ts";
import { countryByAlpha3 } from "../../reference/countries/countries.ts";
import type { Upstream } from "../../upstream/upstream.ts";

const address = "https://api.worldbank.org/v2/country/all/indicator";
const pageSize = 20_000;
const maxPages = 20;

interface IndicatorValue {
  /** The code of the indicator, such as `NY.GDP.MKTP.CD`. */
  readonly indicator: string;
  /** The ISO 3166-1 alpha-2 code of the country. */
  readonly country: string;
  readonly year: number;
  readonly value: number;
}

export interface IndicatorValues {
  readonly values: readonly IndicatorValue[];
  readonly rejected: readonly Rejection[];
}

export async function fetchIndicator(
  upstream: Upstream,
  indicator: string,
  years: { readonly from: number; readonly to: number },
): Promise<unknown[]> {
  const pages: unknown[] = [];
  while (pages.length < maxPages) {
    const query = new URLSearchParams({
      format: "json",
      date: `${years.from}:${years.to}`,
      per_page: String(pageSize),
      page: String(pages.length + 1),
    });
    const page = await upstream.json({ url: `${address}/${encodeURIComponent(indicator)}?${query}` });
    pages.push(page);
    if (readPage(page).pages <= pages.length) return pages;
  }
  throw new UpstreamError(`World Bank ${indicator} has more than ${maxPages} pages`);
}

/** Reads the pages of one indicator. Years without a value and groups of countries, such as `WLD`, are omitted. */
export function readIndicator(pages: readonly unknown[]): IndicatorValues {
  const values: IndicatorValue[] = [];
  const rejected: Rejection[] = [];
  const reported = pages.flatMap((page) => readPage(page).rows);
  for (const read of readRows(rowSchema, reported, rejected, (_place, row) => nameOf(row))) {
    const { indicator, countryiso3code, date, value } = read;
    const country = countryByAlpha3(countryiso3code);
    if (country && value !== null) values.push({ indicator: indicator.id, country: country.alpha2, year: date, value });
  }
  return { values, rejected };
}

const pageSchema = z.tuple([z.object({ pages: z.coerce.number().int().min(0) }), z.array(z.unknown()).nullable()]);
/** The World Bank rejects a request with this message and status 200. */
const messageSchema = z.tuple([z.object({ message: z.array(z.object({ value: z.string() })) })]);

function readPage(page: unknown): { readonly pages: number; readonly rows: readonly unknown[] } {
  const read = pageSchema.safeParse(page);
  if (read.success) return { pages: read.data[0].pages, rows: read.data[1] ?? [] };
  const reported = messageSchema.safeParse(page).data?.[0].message.map(({ value }) => value);
  // The World Bank sends this message if the indicator does not exist or was removed.
  throw new UpstreamError(
    `World Bank: ${reported?.join("; ") ?? rejection("", read.error).reason}`,
    reported ? { status: 404 } : {},
  );
}

const rowSchema = z.object({
  indicator: z.object({ id: z.string().min(1) }),
  countryiso3code: z.string(),
  date: z
    .string()
    .regex(/^\d{4}$/)
    .transform(Number),
  value: z.number().nullable(),
});

const namedSchema = z.object({ countryiso3code: z.string(), date: z.string() });

function nameOf(row: unknown): string {
  const { data } = namedSchema.safeParse(row);
  return data ? `${data.countryiso3code} ${data.date}` : "?";
}
