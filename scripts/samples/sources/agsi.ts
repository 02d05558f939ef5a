import type { SampleFolder } from "../folder.ts";
import { gasDays } from "../format/gas-days.ts";
import { linesOf } from "../format/json-lines.ts";
import { isOfUnion, maxIn, stores } from "../world/gas-stores.ts";

const file = "eu.json";
const count = 40;
const without = [19];

/** Returns the gas stores of the European Union: the sum of its members in the sample agsi-countries. */
export function sample(): SampleFolder {
  const members = Object.keys(stores).filter(isOfUnion);
  const sumOf = (value: (country: string) => number) => members.reduce((sum, country) => sum + value(country), 0);
  const days = gasDays(
    {
      ...{ name: "EU", code: "eu", url: "eu", without, updated: "19:32:52" },
      volume: sumOf((country) => stores[country]?.[0] ?? 0),
      max: (day) => sumOf((country) => maxIn(country, day)),
    },
    count,
  );
  const head = `{"last_page":104,"total":4152,"dataset":"storage","gas_day":"{{day-2}}","data":[`;
  return {
    index: {
      note: "Illustrative gas days with invented values in the form of the AGSI API. One of them has no level.",
      rows: count - without.length,
      responses: [{ url: "https://agsi.gie.eu/api", query: { type: "eu" }, file }],
    },
    files: { [file]: linesOf(head, days, "]}") },
  };
}
