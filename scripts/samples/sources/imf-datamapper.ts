import type { SampleFolder } from "../folder.ts";
import { dataMapperFile, dataMapperRows } from "../format/data-mapper.ts";
import {
  balance,
  currentAccount,
  debt,
  growth,
  inflation,
  population,
  primaryBalance,
  revenue,
  unemployment,
} from "../format/imf-series.ts";

const series = [revenue, debt, currentAccount, unemployment, inflation, growth, balance, primaryBalance, population];

/** Returns the IMF's values of each country that the resilience scores read. */
export function sample(): SampleFolder {
  return {
    index: {
      note: "Illustrative economic series with invented values in the form of the IMF's DataMapper, of its members and two groups; the years after this one are forecasts.",
      // The source reads the newest four calendar years. In the first half of a year, fewer of them have values.
      rows: Math.min(rowsUpTo(0), rowsUpTo(1)),
      responses: series.map(({ code }) => ({
        match: `^https://www\\.imf\\.org/external/datamapper/api/v1/${code}$`,
        file: `${code}.json`,
      })),
    },
    files: Object.fromEntries(series.map((one) => [`${one.code}.json`, dataMapperFile(one)])),
  };
}

function rowsUpTo(year: number): number {
  return series.reduce((sum, one) => sum + dataMapperRows(one, year - 3, year), 0);
}
