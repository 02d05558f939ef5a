import { type Country, countryByCode } from "./countries.ts";

/** Names of groups of countries that readers use and no standard defines, with alpha-2 codes. */
const groups: Readonly<Record<string, string>> = {
  "baltic states|baltic countries|baltics": "EE LV LT",
  benelux: "BE NL LU",
  "central asia": "KZ KG TJ TM UZ",
  "gulf states|gulf countries": "BH KW OM QA SA AE",
  "horn of africa": "DJ ER ET SO",
  maghreb: "DZ LY MA MR TN",
  "north africa": "DZ EG LY MA TN",
  "nordic countries|nordics": "DK FI NO IS SE",
  sahel: "BF TD ML MR NE",
  "visegrad group": "CZ HU PL SK",
};

const byName = new Map(
  Object.entries(groups).flatMap(([names, codes]) =>
    names.split("|").map((name) => [name, codes.split(" ").flatMap((code) => countryByCode(code) ?? [])] as const),
  ),
);

export function countriesOfGroup(name: string): readonly Country[] {
  return byName.get(name.toLowerCase()) ?? [];
}
