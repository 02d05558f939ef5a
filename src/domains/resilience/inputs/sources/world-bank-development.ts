import { z } from "zod";
import { UpstreamError } from "../../../../errors.ts";
import { rejection } from "../../../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../../../ingest/source.ts";
import { fetchIndicator, readIndicator } from "../../../../providers/world-bank/world-bank-indicators.ts";
import { countryByAlpha3 } from "../../../../reference/countries/countries.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { joined, newestOf } from "../newest.ts";
import { type InputRow, observedAt, partOf, readSeries, requestSeries, type SeriesResponse } from "../series.ts";

const name = "world-bank-development";
const countriesAddress = "https://api.worldbank.org/v2/country?format=json&per_page=400";
/** Lending type of countries that borrow nothing and so report no debt. */
const notLent = "LNX";
/** What is older tells nothing of today; schooling is told by censuses. */
const yearsBack = 11;
const schoolingYearsBack = 15;
const schooling = "SE.SEC.CUAT.UP.FE.ZS";
/** Countries that a whole answer has at least; a series with fewer is left out. */
const floors: Readonly<Record<string, number>> = {
  "FI.RES.TOTL.MO": 100,
  "DT.DOD.DSTC.CD": 80,
  "EG.ELC.FOSL.ZS": 100,
  "EG.ELC.LOSS.ZS": 100,
  [schooling]: 150,
};

/** World Development Indicators, World Governance Indicators and lending types: the newest value of each country. */
export const worldBankDevelopment: Source<InputRow> = {
  name,
  license: { kind: "attribution", terms: "CC BY 4.0, World Bank: World Development and World Governance Indicators" },
  variables: [],
  // Twenty-three series of 100 to 200 countries.
  rows: { atLeast: 150, mayBeEmpty: false },
  fetch: (upstream) => requestSeries(name, (series) => fetchOne(upstream, series)),
  parse: parseSeries,
  partOf,
  observedAt,
};

function fetchOne(upstream: Upstream, series: string): Promise<unknown> {
  if (series === notLent) return upstream.json({ url: countriesAddress });
  const to = upstream.now.getUTCFullYear();
  return fetchIndicator(upstream, series, { from: to - (series === schooling ? schoolingYearsBack : yearsBack), to });
}

function parseSeries(response: unknown, now: Date): Parsed<InputRow> {
  return readSeries(name, response, (one) => (one.series === notLent ? lendingTypes(one, now) : newestValues(one)));
}

function newestValues(collected: SeriesResponse): Parsed<InputRow> {
  const pages = z.array(z.unknown()).safeParse(collected.answer);
  if (!pages.success) throw new UpstreamError(`World Bank ${collected.series}: no pages`);
  const { values, rejected } = readIndicator(pages.data);
  const years = values.map(({ country, year, value }) => ({ country, period: String(year), value }));
  return joined([newestOf(collected, years, floors[collected.series]), { rows: [], rejected }]);
}

const countriesSchema = z.tuple([z.unknown(), z.array(z.unknown())]);
const countrySchema = z.object({ id: z.string(), lendingType: z.object({ id: z.string() }) });

/** 1 for countries that report no debt, 0 for the others; aggregates are no countries. */
function lendingTypes({ series, input, answer: response }: SeriesResponse, now: Date): Parsed<InputRow> {
  const read = countriesSchema.safeParse(response);
  if (!read.success) throw new UpstreamError(`World Bank countries: ${rejection("", read.error).reason}`);
  const rows: InputRow[] = [];
  const rejected: Rejection[] = [];
  for (const [place, item] of read.data[1].entries()) {
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
