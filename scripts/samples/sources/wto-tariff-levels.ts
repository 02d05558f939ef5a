import type { SampleFolder } from "../folder.ts";
import { hasTariff, tariffValue } from "../format/tariff-values.ts";
import { mainEconomies, tariffIndicator, union, type WtoValue, wtoResponses } from "../format/wto.ts";
import { randomOf } from "../random.ts";
import type { Tariffs } from "../world/tariffs.ts";
import { unionMembers } from "../world/tariffs.ts";

const indicators: readonly (readonly [code: string, products: string, of: keyof Tariffs])[] = [
  ["TP_A_0010", "all products", "general"],
  ["TP_A_0160", "agricultural products", "agricultural"],
  ["TP_A_0430", "non-agricultural products", "other"],
];

/**
 * Returns average tariffs of few years on farm products and on other products. Those on all products are in the sample
 * wto-tariffs.
 */
export function sample(): SampleFolder {
  const reported = mainEconomies.filter(hasTariff);
  const tables = indicators.map(([code, products, of]) => ({
    ...{ indicator: tariffIndicator(code, products), file: code },
    values: reported.flatMap((economy): WtoValue[] => {
      const { integer } = randomOf("wto tariff levels", economy.code);
      const [last, count] = [-integer(1, 2), integer(1, 3)];
      const years = Array.from({ length: count }, (_, place) => last - count + 1 + place);
      return years.map((year) => ({ economy, year, value: tariffValue(economy, of, year, 4) }));
    }),
  }));
  const { responses, files } = wtoResponses(mainEconomies, tables);
  const countries = reported.reduce((sum, { code }) => sum + (code === union ? unionMembers.size : 1), 0);
  return {
    index: {
      note: "Illustrative average tariffs with invented values in the form of the WTO Timeseries API; the European Union reports for its members, and a few economies report nothing.",
      rows: indicators.length * countries,
      responses,
    },
    files,
  };
}
