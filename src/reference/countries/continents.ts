import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Continents by their codes in the standard of the United Nations for areas (M49). */
const continents = new Map([
  ["africa", "002"],
  ["americas", "019"],
  ["asia", "142"],
  ["europe", "150"],
  ["oceania", "009"],
]);

export const continentNames: readonly string[] = [...continents.keys()];

type Containment = Readonly<Record<string, { readonly _contains: readonly string[] } | undefined>>;

let containment: Containment | undefined;

/** Returns the alpha-2 codes of the countries and territories of a continent. Unknown continents have none. */
export function countriesOfContinent(name: string): ReadonlySet<string> {
  const code = continents.get(name);
  return new Set(code === undefined ? [] : contentsOf(code));
}

function contentsOf(code: string): readonly string[] {
  containment ??= readContainment();
  return containment[code]?._contains.flatMap(contentsOf) ?? [code];
}

function readContainment(): Containment {
  const file = createRequire(import.meta.url).resolve("cldr-core/supplemental/territoryContainment.json");
  return JSON.parse(readFileSync(file, "utf8")).supplemental.territoryContainment;
}
