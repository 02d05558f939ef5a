import type { SampleFolder } from "../folder.ts";
import { placeholder } from "../format/decimal.ts";
import { type FredSeries, fredAddress, fredResponse } from "../format/fred.ts";
import { payrollsIn, workCostIn } from "../world/united-states.ts";

const [months, quarters] = [214, 72];
const first = "YYYY-MM-01";

/** Returns jobs and labor cost, with the values of the sample bls. */
export function sample(): SampleFolder {
  const series: readonly FredSeries[] = [
    {
      ...{ id: "USPRIV", published: placeholder("month", 0, first), start: placeholder("month", -months, first) },
      ...{ order: "asc", limit: 100_000 },
      observations: agesOf(months, 1).map((ago) => [placeholder("month", -ago, first), String(payrollsIn(ago))]),
    },
    {
      ...{ id: "ECIALLCIV", published: "{{quarter.2 YYYY-MM-01}}", start: placeholder("quarter", 1 - quarters, first) },
      ...{ order: "asc", limit: 100_000 },
      // The newest quarter has no value yet.
      observations: agesOf(quarters - 1, 0).map((ago) => [
        placeholder("quarter", -ago, first),
        ago === 0 ? "." : workCostIn(ago).toFixed(1),
      ]),
    },
  ];
  return {
    index: {
      note: "Illustrative series with invented values in the form of the FRED API. One quarter has no value yet.",
      rows: months + quarters - 1,
      responses: series.map(({ id }) => ({ url: fredAddress, query: { series_id: id }, file: `${id}.json` })),
    },
    files: Object.fromEntries(series.map((one) => [`${one.id}.json`, fredResponse(one)])),
  };
}

function agesOf(oldest: number, newest: number): number[] {
  return Array.from({ length: oldest - newest + 1 }, (_, place) => oldest - place);
}
