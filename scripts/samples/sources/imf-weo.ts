import type { SampleFolder } from "../folder.ts";
import { dataMapperFile, dataMapperRows } from "../format/data-mapper.ts";
import {
  currentAccount,
  currentAccountTotal,
  expenditure,
  gdpPerCapita,
  growth,
  inflation,
  population,
  pricesAtYearEnd,
  primaryBalance,
  purchasingPower,
  purchasingPowerTotal,
  revenue,
  unemployment,
} from "../format/imf-series.ts";

/** These series use the files of the sample imf-datamapper. */
const shared = [inflation, currentAccount, revenue, primaryBalance, growth, unemployment, population];
const own = [pricesAtYearEnd, expenditure, gdpPerCapita, purchasingPower, purchasingPowerTotal, currentAccountTotal];

/** Returns the IMF's values of each country that the operations on countries return. */
export function sample(): SampleFolder {
  const response = (code: string, folder: string) => ({
    match: `^https://www\\.imf\\.org/external/datamapper/api/v1/${code}$`,
    file: `${folder}${code}.json`,
  });
  return {
    index: {
      note: "Illustrative economic series with invented values in the form of the IMF's DataMapper, of its members and two groups; the years after this one are forecasts. Series of the sample imf-datamapper are shared.",
      // The source reads the newest three years.
      rows: [...shared, ...own].reduce((sum, one) => sum + dataMapperRows(one, -2, 0), 0),
      responses: [
        ...shared.map(({ code }) => response(code, "../imf-datamapper/")),
        ...own.map(({ code }) => response(code, "")),
      ],
    },
    files: Object.fromEntries(own.map((one) => [`${one.code}.json`, dataMapperFile(one)])),
  };
}
