import { type Profile, profiles } from "../world/country-profiles.ts";
import { placeholder } from "./decimal.ts";
import { linesOf, text } from "./json-lines.ts";

// The World Bank's API returns the head of the page and a row per place and year.

export interface WorldBankIndicator {
  readonly id: string;
  readonly label: string;
  /** 2 for the World Development Indicators, 3 for the World Governance Indicators. */
  readonly database: string;
  /** Decimal places that the World Bank displays. Values have more. */
  readonly decimal: number;
}

export interface Place {
  readonly id: string;
  readonly name: string;
  readonly alpha3: string;
}

export interface Cell {
  readonly place: Place;
  readonly year: number;
  /** Null if the year has no value. */
  readonly value: number | null;
}

/** Every economy has a row except Taiwan, which is not a member. */
export const members: readonly Profile[] = profiles
  .filter(({ alpha2 }) => alpha2 !== "TW")
  .toSorted((a, b) => (a.alpha3 < b.alpha3 ? -1 : 1));

/** Groups of countries with the World Bank's codes. One has no code of three letters. */
export const groups = [
  { id: "1W", name: "World", alpha3: "WLD", has: () => true },
  {
    id: "4E",
    name: "East Asia & Pacific (excluding high income)",
    alpha3: "EAP",
    has: ({ alpha2 }: Profile) => "CN ID KH LA MN MY MM PG PH TH TL VN FJ".split(" ").includes(alpha2),
  },
  {
    id: "EU",
    name: "European Union",
    alpha3: "EUU",
    has: ({ alpha2 }: Profile) =>
      "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ").includes(alpha2),
  },
  { id: "XD", name: "High income", alpha3: "", has: ({ gdpPerCapita }: Profile) => gdpPerCapita > 15_000 },
] as const;

export function placeOf({ alpha2, alpha3, name }: Profile): Place {
  return { id: alpha2, alpha3, name };
}

export function indicatorFile({ id, label, database, decimal }: WorldBankIndicator, cells: readonly Cell[]): string {
  const head = { page: 1, pages: 1, per_page: 20_000, total: cells.length, sourceid: database };
  const before = `[${text({ ...head, lastupdated: "{{month YYYY-MM-01}}" })},[`;
  const rows = cells.map(({ place, year, value }) => ({
    ...{ indicator: { id, value: label }, country: { id: place.id, value: place.name } },
    ...{ countryiso3code: place.alpha3, date: placeholder("year", year), value },
    ...{ unit: "", obs_status: "", decimal },
  }));
  return linesOf(before, rows, "]]");
}
