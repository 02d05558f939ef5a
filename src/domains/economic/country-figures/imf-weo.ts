import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MacroValueSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { askSeries, readSeries } from "../../../ingest/series-answers.ts";
import type { Parsed, Rejection, Source } from "../../../ingest/source.ts";
import { askDataMapper, dataMapperFacts, readDataMapper } from "../../../providers/imf/imf-datamapper.ts";
import { everyMacroSeries } from "./macro-series.ts";

type MacroValue = MessageInitShape<typeof MacroValueSchema>;

const name = "imf-weo";
/** The current year, which the IMF estimates, and two before it. */
const years = 3;

/** Macroeconomic figures of all countries by the IMF's DataMapper. */
export const imfWeo: Source<MacroValue> = {
  name,
  ...dataMapperFacts,
  // Thirteen series of about 190 countries in three years.
  rows: { atLeast: 5_000, mayBeEmpty: false },
  fetch: (upstream) =>
    askSeries(
      name,
      everyMacroSeries.map(({ code }) => code),
      (series) => askDataMapper(upstream, series),
    ),
  parse: parseSeries,
  observedAt: ({ year = 0 }) => Date.UTC(year),
};

/** A series with fewer countries than a whole one has is left out, and named. */
function parseSeries(answer: unknown, now: Date): Parsed<MacroValue> {
  const { answers, gone } = readSeries(name, answer);
  const rows: MacroValue[] = [];
  const rejected: Rejection[] = [...gone];
  for (const { series, answer: reported } of answers) {
    const { values, rejected: bad } = readDataMapper(series, reported, { now, years });
    rejected.push(...bad);
    const least = everyMacroSeries.find(({ code }) => code === series)?.minCountries ?? 0;
    const known = new Set(values.map(({ country }) => country)).size;
    if (known < least) rejected.push({ row: series, reason: `${known} countries, and it has at least ${least}` });
    else rows.push(...values.map((value) => ({ series, ...value })));
  }
  return { rows, rejected };
}
