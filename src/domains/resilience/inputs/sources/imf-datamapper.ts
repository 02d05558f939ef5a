import type { Parsed, Source } from "../../../../ingest/source.ts";
import { dataMapperMetadata, fetchDataMapper, readDataMapper } from "../../../../providers/imf/imf-datamapper.ts";
import { inputs } from "../../inputs.ts";
import { type InputRow, observedAt, partOf, readSeries, requestSeries } from "../series.ts";

const name = "imf-datamapper";

export const imfDataMapper: Source<InputRow> = {
  name,
  ...dataMapperMetadata,
  // The minimum is less than one of the nine series, which has about 190 countries and four years.
  rows: { atLeast: 500, mayBeEmpty: false },
  fetch: (upstream) => requestSeries(name, (series) => fetchDataMapper(upstream, series)),
  parse: parseSeries,
  partOf,
  observedAt,
};

function parseSeries(response: unknown, now: Date): Parsed<InputRow> {
  return readSeries(name, response, ({ series, input, answer: body }) => {
    const { values, rejected } = readDataMapper(series, body, { now, years: inputs[input].years ?? 1 });
    const rows = values.map(({ country, year, value }) => ({ country, input, value, period: String(year), series }));
    return { rows, rejected };
  });
}
