import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MacroValueSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { readSeries, requestSeries } from "../../../ingest/series-responses.ts";
import type { Parsed, Source } from "../../../ingest/source.ts";
import { dataMapperMetadata, fetchDataMapper, readDataMapper } from "../../../providers/imf/imf-datamapper.ts";
import { everyMacroSeries } from "./macro-series.ts";

type MacroValue = MessageInitShape<typeof MacroValueSchema>;

const name = "imf-weo";
/** The current year, which the IMF estimates, and the two years before it. */
const years = 3;

export const imfWeo: Source<MacroValue> = {
  name,
  ...dataMapperMetadata,
  // The minimum is less than one of the thirteen series, which has about 190 countries and three years.
  rows: { atLeast: 250, mayBeEmpty: false },
  fetch: (upstream) =>
    requestSeries(
      name,
      everyMacroSeries.map(({ code }) => code),
      (series) => fetchDataMapper(upstream, series),
    ),
  parse: parseSeries,
  partOf: ({ series = "" }) => series,
  observedAt: ({ year = 0 }) => Date.UTC(year),
};

/** A series counts as missing if it has fewer countries than expected. */
function parseSeries(response: unknown, now: Date): Parsed<MacroValue> {
  return readSeries<MacroValue>(name, response, ({ series, answer: body }) => {
    const { values, rejected } = readDataMapper(series, body, { now, years });
    const min = everyMacroSeries.find(({ code }) => code === series)?.minCountries ?? 0;
    const known = new Set(values.map(({ country }) => country)).size;
    if (known >= min) return { rows: values.map((value) => ({ series, ...value })), rejected };
    return {
      rows: [],
      rejected,
      missing: [{ part: series, reason: `${known} countries, and at least ${min}` }],
    };
  });
}
