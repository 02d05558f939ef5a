import type { SampleFolder } from "../folder.ts";
import { gasDays } from "../format/gas-days.ts";
import { linesOf } from "../format/json-lines.ts";
import { profileOf } from "../world/country-profiles.ts";
import { maxIn, stores } from "../world/gas-stores.ts";

const count = 7;
/** Names that AGSI spells in its own way. */
const names: Readonly<Record<string, string>> = { CZ: "Czech Republic" };
/** Days ago without a level. Ukraine reports none. */
const without: Readonly<Record<string, readonly number[]>> = { BG: [2], SE: [2], UA: [2, 3, 4, 5, 6, 7, 8] };
/** `GB` is the row from before the country left the Union. */
const requestedFor: Readonly<Record<string, string>> = { GB: "GB*" };
const storeless = "IE";

/** Returns gas stores by country. */
export function sample(): SampleFolder {
  const countries = [...Object.keys(stores), storeless].toSorted((a, b) => (a < b ? -1 : 1));
  const fileOf = (country: string) => `${country.toLowerCase()}.json`;
  return {
    index: {
      note: "Illustrative gas days of countries with invented values in the form of the AGSI API. Two lack the newest day, one every level, and one country has no stores.",
      rows: countries.filter((country) => country !== storeless && (without[country]?.length ?? 0) < count).length,
      responses: countries.map((country) => ({
        ...{
          url: "https://agsi.gie.eu/api",
          query: { country: requestedFor[country] ?? country },
          file: fileOf(country),
        },
      })),
    },
    files: Object.fromEntries(countries.map((country) => [fileOf(country), responseOf(country)])),
  };
}

function responseOf(country: string): string {
  if (country === storeless) return '{"last_page":0,"total":0,"dataset":"","gas_day":"{{day-2}}","data":[]}\n';
  const days = gasDays(
    {
      ...{ name: names[country] ?? profileOf(country).name, code: country, url: country, updated: "19:30:51" },
      ...{ volume: stores[country]?.[0] ?? 0, max: (day) => maxIn(country, day) },
      without: without[country] ?? [],
    },
    count,
  );
  return linesOf('{"last_page":360,"total":2520,"dataset":"storage","gas_day":"{{day-2}}","data":[', days, "]}");
}
