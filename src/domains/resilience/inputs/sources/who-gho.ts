import { z } from "zod";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readAs, readRows, type Source } from "../../../../ingest/source.ts";
import { countryByAlpha3 } from "../../../../reference/countries/countries.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { type InputRow, newestOf, type Reported, type SeriesResponse, seriesReads } from "../series.ts";

const address = "https://ghoapi.azureedge.net/api";
const pageSize = 1_000;
const maxPages = 50;
/** The minimum number of countries of a series. Each of the five series has 150 to 194 countries. */
const minCountries = 120;

/** The newest value of each country from the Global Health Observatory of the World Health Organization. */
export const whoGho: Source<InputRow> = {
  ...seriesReads("who-gho", fetchOne, newestValues),
  license: {
    kind: "non-commercial",
    publisher: "WHO",
    terms: "CC BY-NC-SA 3.0 IGO, World Health Organization: Global Health Observatory",
  },
  rows: { atLeast: 120, mayBeEmpty: false },
};

/** Fetches all pages of a series. A page that is not full is the last one. */
async function fetchOne(upstream: Upstream, series: string): Promise<unknown[]> {
  const filter = encodeURIComponent("SpatialDimType eq 'COUNTRY'");
  const question = `${address}/${series}?$select=SpatialDim,TimeDim,Dim1,NumericValue&$filter=${filter}&$top=${pageSize}`;
  const pages: unknown[] = [];
  while (pages.length < maxPages) {
    const page = await upstream.json({ url: `${question}&$skip=${pages.length * pageSize}` });
    pages.push(page);
    if (valuesOf(page, series).length < pageSize) return pages;
  }
  throw new UpstreamError(`WHO ${series} has more than ${maxPages} pages`);
}

const pageSchema = z.object({ value: z.array(z.unknown()) });

function valuesOf(page: unknown, series: string): readonly unknown[] {
  return readAs(`WHO ${series}`, pageSchema, page).value;
}

const rowSchema = z.object({
  SpatialDim: z.string(),
  TimeDim: z.int().min(1900).max(2999),
  /** The group of people to which the value refers, such as one sex. Only values for all people are used. */
  Dim1: z.string().nullish(),
  NumericValue: z.number().nullable(),
});
const everybody = ["SEX_BTSX", "BTSX"];

function newestValues(collected: SeriesResponse, now: Date): Parsed<InputRow> {
  const pages = z.array(z.unknown()).safeParse(collected.answer);
  if (!pages.success) throw new UpstreamError(`WHO ${collected.series}: no pages`);
  const values: Reported[] = [];
  const rejected: Rejection[] = [];
  const reported = pages.data.flatMap((page) => valuesOf(page, collected.series));
  for (const read of readRows(rowSchema, reported, rejected, (place) => `${collected.series} #${place}`)) {
    const { SpatialDim, TimeDim, Dim1, NumericValue: value } = read;
    const country = countryByAlpha3(SpatialDim)?.alpha2;
    const ofAll = !Dim1 || everybody.includes(Dim1);
    if (country && ofAll && value !== null && TimeDim <= now.getUTCFullYear())
      values.push({ country, period: String(TimeDim), value });
  }
  return newestOf(collected, values, { min: minCountries, rejected });
}
