import { z } from "zod";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readRow, type Source } from "../../../../ingest/source.ts";
import { eurostatMetadata, fetchEurostat } from "../../../../providers/eurostat/eurostat.ts";
import { cellsOf } from "../../../../providers/eurostat/json-stat.ts";
import { countries, countryByAlpha3 } from "../../../../reference/countries/countries.ts";
import { alpha2OfEurostat } from "../../../../reference/countries/european-union.ts";
import { readCsvTable } from "../../../../upstream/csv.ts";
import { type InputRow, newestOf, type Reported, type SeriesResponse, seriesReads } from "../series.ts";

const address = "https://ourworldindata.org/grapher";
const share = "low_carbon_share_of_electricity__pct";
/** If the newest year of the table is more years ago, the table is no longer maintained. */
const oldestYears = 2;
const minCountries = 180;

/** Energy data of Our World in Data, of which each country's newest year is used. */
export const owidEnergy: Source<InputRow> = {
  ...seriesReads(
    "owid-energy",
    (upstream, series) => upstream.text({ url: `${address}/${series}.csv?v=1&csvType=full&useColumnShortNames=true` }),
    newestValues,
  ),
  license: {
    kind: "attribution",
    publisher: "Our World in Data",
    terms: "CC BY 4.0, Our World in Data, from Ember and the Energy Institute",
  },
  rows: { atLeast: minCountries, mayBeEmpty: false },
};

const lineSchema = z.object({
  code: z.string(),
  year: z.string().regex(/^\d{4}$/),
  [share]: z.string().trim().min(1).transform(Number).pipe(z.number().min(0).max(100)),
});

function newestValues(collected: SeriesResponse, now: Date): Parsed<InputRow> {
  const values: Reported[] = [];
  const { records, rejected } = readCsvTable("OWID", z.string().parse(collected.answer), [
    "entity",
    "code",
    "year",
    share,
  ]);
  for (const { record: line } of records) {
    // Only countries have an ISO code. Continents and income groups have none, or one that only OWID uses.
    const { entity, code = "", year } = line;
    const country = countryOf(code);
    if (country === undefined) continue;
    const read = readRow(lineSchema, line, `${entity} ${year}`, rejected);
    if (read) values.push({ country, period: read.year, value: read[share] });
  }
  const newest = Math.max(...values.map(({ period }) => Number(period)));
  if (!(newest >= now.getUTCFullYear() - oldestYears))
    throw new UpstreamError(`OWID ${collected.series} ends in ${newest}`);
  return newestOf(collected, values, { rejected });
}

function countryOf(code: string): string | undefined {
  return code === "OWID_KOS" ? "XK" : countryByAlpha3(code)?.alpha2;
}

const yearsBack = 6;
const minEuropean = 24;

/** Eurostat's dependency on energy imports, for all products together. It is negative for exporters. */
export const eurostatEnergy: Source<InputRow> = {
  ...seriesReads(
    "eurostat-energy",
    (upstream, series) => {
      const from = upstream.now.getUTCFullYear() - yearsBack;
      return fetchEurostat(upstream, series, { siec: "TOTAL", sinceTimePeriod: String(from) });
    },
    newestDependencies,
  ),
  ...eurostatMetadata,
  rows: { atLeast: minEuropean, mayBeEmpty: false },
};

function newestDependencies(collected: SeriesResponse, now: Date): Parsed<InputRow> {
  const values: Reported[] = [];
  const rejected: Rejection[] = [];
  for (const { at, value } of cellsOf("Eurostat", collected.answer)) {
    const { geo = "", time = "", siec = "", unit = "" } = at;
    const country = countries.get(alpha2OfEurostat(geo))?.alpha2;
    if (country === undefined) continue;
    if (siec !== "TOTAL" || unit !== "PC")
      rejected.push({ row: `${geo} ${time}`, reason: `is of ${siec} in ${unit}, not of TOTAL in PC` });
    else if (!/^\d{4}$/.test(time)) rejected.push({ row: `${geo} ${time}`, reason: "is of no year" });
    else if (Number(time) <= now.getUTCFullYear()) values.push({ country, period: time, value });
  }
  return newestOf(collected, values, { min: minEuropean, rejected });
}
