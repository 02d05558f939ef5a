import type { SampleFolder } from "../folder.ts";
import { placeholder } from "../format/decimal.ts";
import { fredAddress, fredResponse } from "../format/fred.ts";
import { customsIn } from "../world/united-states.ts";

const count = 20;
/** Age of the newest value in quarters. Imports are reported a quarter before the duties on them. */
const series = [
  { id: "B235RC1Q027SBEA", newest: 2, of: "duties" },
  { id: "A255RC1Q027SBEA", newest: 1, of: "imports" },
] as const;

/** Returns customs duties and imports of goods, from which the effective tariff is computed. */
export function sample(): SampleFolder {
  return {
    index: {
      note: "Illustrative customs duties and goods imports with invented values in the form of the FRED API. Imports are a quarter ahead of duties, as after a first estimate.",
      rows: 1,
      responses: series.map(({ id }) => ({ url: fredAddress, query: { series_id: id }, file: `${id}.json` })),
    },
    files: Object.fromEntries(
      series.map(({ id, newest, of }) => {
        const observations = Array.from({ length: count }, (_, place) => newest + place).map(
          (ago) => [placeholder("quarter", -ago, "YYYY-MM-01"), customsIn(ago)[of].toFixed(3)] as const,
        );
        const published = "{{month YYYY-MM-01}}";
        const terms = { id, published, start: "1600-01-01", order: "desc", limit: count, observations } as const;
        return [`${id}.json`, fredResponse(terms)];
      }),
    ),
  };
}
