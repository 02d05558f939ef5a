import { z } from "zod";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readAs, rejection, type Source } from "../../../../ingest/source.ts";
import { fetchIndicator, readIndicator } from "../../../../providers/world-bank/world-bank-indicators.ts";
import { countryByAlpha3 } from "../../../../reference/countries/countries.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { type InputRow, newestOf, type SeriesResponse, seriesReads } from "../series.ts";

const countriesAddress = "https://api.worldbank.org/v2/country?format=json&per_page=400";
/** The World Bank's lending type for countries that borrow nothing from it and report no debt. */
const notLent = "LNX";
/** Maximum age of values, because older ones do not describe the present. Schooling comes from censuses. */
const yearsBack = 11;
const schoolingYearsBack = 15;
const schooling = "SE.SEC.CUAT.UP.FE.ZS";
/** Minimum number of countries in a complete response. A series with fewer is omitted. */
const floors: Readonly<Record<string, number>> = {
  "FI.RES.TOTL.MO": 100,
  "DT.DOD.DSTC.CD": 80,
  "EG.ELC.FOSL.ZS": 100,
  "EG.ELC.LOSS.ZS": 100,
  [schooling]: 150,
};

/**
 * The newest value of each country from the World Bank: development indicators, governance indicators, and lending
 * types.
 */
export const worldBankDevelopment: Source<InputRow> = {
  ...seriesReads("world-bank-development", fetchOne, (one, now) =>
    one.series === notLent ? lendingTypes(one, now) : newestValues(one),
  ),
  license: {
    kind: "attribution",
    publisher: "World Bank",
    terms: "CC BY 4.0, World Bank: World Development and World Governance Indicators",
  },
  // The source has 23 series with 100 to 200 countries each.
  rows: { atLeast: 150, mayBeEmpty: false },
};

function fetchOne(upstream: Upstream, series: string): Promise<unknown> {
  if (series === notLent) return upstream.json({ url: countriesAddress });
  const to = upstream.now.getUTCFullYear();
  return fetchIndicator(upstream, series, { from: to - (series === schooling ? schoolingYearsBack : yearsBack), to });
}

function newestValues(collected: SeriesResponse): Parsed<InputRow> {
  const pages = z.array(z.unknown()).safeParse(collected.answer);
  if (!pages.success) throw new UpstreamError(`World Bank ${collected.series}: no pages`);
  const { values, rejected } = readIndicator(pages.data);
  const years = values.map(({ country, year, value }) => ({ country, period: String(year), value }));
  return newestOf(collected, years, { min: floors[collected.series], rejected });
}

const countriesSchema = z.tuple([z.unknown(), z.array(z.unknown())]);
const countrySchema = z.object({ id: z.string(), lendingType: z.object({ id: z.string() }) });

/** Returns 1 for countries that report no debt, and 0 for others. Groups of countries are omitted. */
function lendingTypes({ series, input, answer: response }: SeriesResponse, now: Date): Parsed<InputRow> {
  const read = readAs("World Bank countries", countriesSchema, response);
  const rows: InputRow[] = [];
  const rejected: Rejection[] = [];
  for (const [place, item] of read[1].entries()) {
    const country = countrySchema.safeParse(item);
    if (!country.success) rejected.push(rejection(`country #${place}`, country.error));
    else {
      const alpha2 = countryByAlpha3(country.data.id)?.alpha2;
      const value = country.data.lendingType.id === notLent ? 1 : 0;
      if (alpha2) rows.push({ country: alpha2, input, value, period: String(now.getUTCFullYear()), series });
    }
  }
  return { rows, rejected };
}
