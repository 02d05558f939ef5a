import type { Parsed, Rejection, Source } from "../../../../ingest/source.ts";
import { eurostatMetadata, fetchEurostat } from "../../../../providers/eurostat/eurostat.ts";
import { cellsOf } from "../../../../providers/eurostat/json-stat.ts";
import { countries } from "../../../../reference/countries/countries.ts";
import { alpha2OfEurostat } from "../../../../reference/countries/european-union.ts";
import { type InputRow, newestOf, type Reported, type SeriesResponse, seriesReads } from "../series.ts";

const yearsBack = 6;
const minCountries = 24;

/** The dependency is that of all products together. It is negative for exporters. */
export const eurostatEnergy: Source<InputRow> = {
  ...seriesReads(
    "eurostat-energy",
    (upstream, series) => {
      const from = upstream.now.getUTCFullYear() - yearsBack;
      return fetchEurostat(upstream, series, { siec: "TOTAL", sinceTimePeriod: String(from) });
    },
    newestValues,
  ),
  ...eurostatMetadata,
  rows: { atLeast: minCountries, mayBeEmpty: false },
};

function newestValues(collected: SeriesResponse, now: Date): Parsed<InputRow> {
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
  return newestOf(collected, values, { min: minCountries, rejected });
}
