import type { Backfill, Series, SeriesPoint } from "../../../ingest/series/series.ts";
import { askSeries, readSeries } from "../../../ingest/series-answers.ts";
import { askDataMapper, readDataMapper } from "../../../providers/imf/imf-datamapper.ts";
import { imfWeo } from "./imf-weo.ts";

/** The first year that the outlook has. */
const firstYear = 1980;

/** The years that come with each answer of the IMF and that a refresh leaves: a request a series. */
export function macroBackfill(series: ReadonlyMap<string, Series>): Backfill {
  return {
    source: imfWeo,
    begins: `${firstYear}-01-01`,
    async read(upstream) {
      const answer = await askSeries(imfWeo.name, [...series.keys()], (code) => askDataMapper(upstream, code));
      const years = upstream.now.getUTCFullYear() - firstYear + 1;
      const { rows } = readSeries<SeriesPoint>(imfWeo.name, answer, ({ series: code, answer: reported }) => {
        const own = series.get(code);
        const { values, rejected } = readDataMapper(code, reported, { now: upstream.now, years });
        const points = own
          ? values.map(({ country, year, value }) => ({
              series: own,
              key: country,
              at: new Date(Date.UTC(year, 0)),
              value,
            }))
          : [];
        return { rows: points, rejected };
      });
      return rows;
    },
  };
}
