import type { SampleFolder } from "../folder.ts";
import { hasTariff, tariffValue } from "../format/tariff-values.ts";
import {
  economies,
  mainEconomies,
  tariffIndicator,
  unknownEconomy,
  type WtoValue,
  wtoResponses,
} from "../format/wto.ts";
import { randomOf } from "../random.ts";

const oldest = -30;
/** Economies with values of all thirty years. */
const wholeOf: ReadonlySet<string> = new Set(
  "036 076 124 156 344 356 360 392 410 484 682 702 710 756 792 840 918".split(" "),
);

/** Returns average tariffs by year, which fall slowly. */
export function sample(): SampleFolder {
  const reported = economies.filter((economy) => mainEconomies.includes(economy) && hasTariff(economy));
  const values = reported.flatMap((economy): WtoValue[] => {
    const { integer } = randomOf("wto tariffs", economy.code);
    const [first, last] = wholeOf.has(economy.code) ? [oldest, -1] : [-integer(8, 14), -integer(1, 2)];
    const years = Array.from({ length: last - first + 1 }, (_, place) => first + place);
    return years.map((year) => ({ economy, year, value: tariffValue(economy, "general", year, 2) }));
  });
  const odd = { economy: unknownEconomy, year: -2, value: 4.2 };
  const indicator = tariffIndicator("TP_A_0010", "all products");
  const { responses, files } = wtoResponses(economies, [{ indicator, file: "tariffs", values: [...values, odd] }]);
  return {
    index: {
      note: "Illustrative average tariffs with invented values in the form of the WTO Timeseries API. The economies are real, their tariffs are not.",
      // The economies without a tariff of their own are one row.
      rows: reported.length + 1,
      responses,
    },
    files,
  };
}
