import { z } from "zod";
import { type Parsed, rejection, type Source } from "../../../../ingest/source.ts";
import { countries } from "../../../../reference/countries/countries.ts";
import { readCsvTable } from "../../../../upstream/csv.ts";
import { joined, newestOf, type Reported } from "../newest.ts";
import { type InputRow, observedAt, partOf, readSeries, requestSeries, type SeriesResponse } from "../series.ts";
import { bisAddress, bisLicense, lastDayOf } from "./bis.ts";

const name = "bis-debt-service";
const borrowers = "AU+BE+CA+DE+DK+ES+FI+FR+GB+IT+JP+KR+NL+NO+PT+SE+US";
const yearsBack = 3;
const minCountries = 12;
const households = "H";

/** The BIS debt service ratios: the share of income that households of seventeen countries pay for their debts. */
export const bisDebtService: Source<InputRow> = {
  name,
  license: bisLicense,
  variables: [],
  rows: { atLeast: minCountries, mayBeEmpty: false },
  fetch: (upstream) =>
    requestSeries(name, (series) => {
      const from = `${upstream.now.getUTCFullYear() - yearsBack}-Q1`;
      return upstream.text({
        url: `${bisAddress}/${series}/Q.${borrowers}?startPeriod=${from}&detail=dataonly&format=csv`,
      });
    }),
  parse: parseSeries,
  partOf,
  observedAt,
};

function parseSeries(response: unknown, now: Date): Parsed<InputRow> {
  return readSeries(name, response, (one) => newestRatios(one, now));
}

const lineSchema = z.object({
  BORROWERS_CTY: z.string(),
  TIME_PERIOD: z
    .string()
    .transform((quarter) => lastDayOf(quarter))
    .pipe(z.string("is not a quarter")),
  OBS_VALUE: z.string().trim().min(1).transform(Number).pipe(z.number().min(0).max(100)),
});

function newestRatios(collected: SeriesResponse, now: Date): Parsed<InputRow> {
  const values: Reported[] = [];
  const columns = ["BORROWERS_CTY", "DSR_BORROWERS", "TIME_PERIOD", "OBS_VALUE"];
  const { records, rejected } = readCsvTable("BIS", z.string().parse(collected.answer), columns);
  for (const { line: place, record: line } of records) {
    const { DSR_BORROWERS: group, OBS_VALUE: value } = line;
    if (group !== households || value === "NaN" || value === "") continue;
    const read = lineSchema.safeParse(line);
    if (!read.success) rejected.push(rejection(`${collected.series} line ${place}`, read.error));
    else {
      const { BORROWERS_CTY: country, TIME_PERIOD: period, OBS_VALUE: ratio } = read.data;
      if (countries.has(country) && Date.parse(period) <= now.getTime()) values.push({ country, period, value: ratio });
    }
  }
  return joined([newestOf(collected, values, minCountries), { rows: [], rejected }]);
}
