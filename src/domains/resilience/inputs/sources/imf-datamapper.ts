import type { Parsed, Source } from "../../../../ingest/source.ts";
import { askDataMapper, dataMapperFacts, readDataMapper } from "../../../../providers/imf/imf-datamapper.ts";
import { inputs } from "../../inputs.ts";
import { joined } from "../newest.ts";
import { askSeries, type InputRow, observedAt, readSeries } from "../series.ts";

const name = "imf-datamapper";

/** What the IMF tells of each country. */
export const imfDataMapper: Source<InputRow> = {
  name,
  ...dataMapperFacts,
  // Nine series of about 190 countries in four years.
  rows: { atLeast: 4_000, mayBeEmpty: false },
  fetch: (upstream) => askSeries(name, (series) => askDataMapper(upstream, series)),
  parse: parseSeries,
  observedAt,
};

function parseSeries(answer: unknown, now: Date): Parsed<InputRow> {
  const { answers, gone } = readSeries(name, answer);
  const parts = answers.map(({ series, input, answer: collected }) => {
    const { values, rejected } = readDataMapper(series, collected, { now, years: inputs[input].years ?? 1 });
    const rows = values.map(({ country, year, value }) => ({ country, input, value, period: String(year), series }));
    return { rows, rejected };
  });
  return joined([{ rows: [], rejected: gone }, ...parts]);
}
