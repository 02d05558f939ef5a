import type { Source } from "../../../../ingest/source.ts";
import { dataMapperMetadata, fetchDataMapper, readDataMapper } from "../../../../providers/imf/imf-datamapper.ts";
import { inputs } from "../../inputs.ts";
import { type InputRow, seriesReads } from "../series.ts";

export const imfDataMapper: Source<InputRow> = {
  ...seriesReads("imf-datamapper", fetchDataMapper, ({ series, input, answer }, now) => {
    const { values, rejected } = readDataMapper(series, answer, { now, years: inputs[input].years ?? 1 });
    const rows = values.map(({ country, year, value }) => ({ country, input, value, period: String(year), series }));
    return { rows, rejected };
  }),
  ...dataMapperMetadata,
  // The minimum is low enough for one of the nine series, which has about 190 countries and four years.
  rows: { atLeast: 500, mayBeEmpty: false },
};
