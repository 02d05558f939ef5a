import { z } from "zod";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../ingest/source.ts";
import { countryByAlpha3 } from "../../reference/countries.ts";
import { inputs } from "./inputs.ts";
import { askSeries, type InputRow, observedAt, readSeries } from "./series.ts";

const name = "imf-datamapper";
const address = "https://www.imf.org/external/datamapper/api/v1";

/** IMF World Economic Outlook and Fiscal Monitor by the DataMapper, which needs no key. */
export const imfDataMapper: Source<InputRow> = {
  name,
  licence: {
    kind: "non-commercial",
    terms: "IMF, World Economic Outlook and Fiscal Monitor: attribution, commercial use limited",
  },
  variables: [],
  // Nine series of about 190 countries in four years.
  rows: { atLeast: 4_000, mayBeEmpty: false },
  fetch: (upstream) => askSeries(name, (series) => upstream.json({ url: `${address}/${series}` })),
  parse: parseSeries,
  observedAt,
};

/** Beside the series there is a nameless one, which is null. */
const answerSchema = z.object({ values: z.record(z.string(), z.unknown()) });
const countriesSchema = z.record(z.string(), z.unknown());
/** By year. A country without any value is an empty list. */
const yearsSchema = z.union([z.record(z.string().regex(/^\d{4}$/), z.number().nullable()), z.tuple([])]);

/** What is later than the current year is a forecast, and never read. */
function parseSeries(answer: unknown, now: Date): Parsed<InputRow> {
  const { answers, gone } = readSeries(name, answer);
  const newest = now.getUTCFullYear();
  const rows: InputRow[] = [];
  const rejected: Rejection[] = [...gone];
  for (const { series, input, answer: told } of answers) {
    const read = countriesSchema.safeParse(answerSchema.safeParse(told).data?.values[series]);
    if (!read.success) throw new UpstreamError(`IMF ${series}: ${rejection("", read.error).reason}`);
    for (const [alpha3, years] of Object.entries(read.data)) {
      // Groups such as `EURO` are no countries.
      const country = countryByAlpha3(alpha3)?.alpha2;
      if (country === undefined) continue;
      const values = yearsSchema.safeParse(years);
      if (!values.success) {
        rejected.push(rejection(`${series} ${alpha3}`, values.error));
        continue;
      }
      const kept = inputs[input].years ?? 1;
      for (const [year, value] of Object.entries(values.data))
        if (value !== null && Number(year) <= newest && Number(year) > newest - kept)
          rows.push({ country, input, value: Number(value), period: year, series });
    }
  }
  return { rows, rejected };
}
