import { plainName } from "../countries/country-names.ts";
import { loadedOnce } from "../loaded-once.ts";
import { type ListProgram, outputOf } from "./prepared-output.ts";
import { commonBeginning, coreOf, nameForms } from "./region-names.ts";

/** A first-level area of a country. */
export interface Region {
  /** ISO 3166-2. */
  readonly code: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** English name. */
  readonly name: string;
  /** The names in each of `nameForms`. */
  readonly forms: readonly (readonly string[])[];
}

export interface RegionTable {
  readonly regions: readonly Region[];
  /** The code of a smaller area leads to the region that contains it. */
  readonly byCode: ReadonlyMap<string, Region>;
}

export const regionList: ListProgram<RegionTable> = {
  name: "regions",
  url: new URL("./region-list.ts", import.meta.url),
};

export interface Regions {
  readonly byCode: ReadonlyMap<string, Region>;
  /** Returns the name of an area by its code, or by that of `sourceCode`. Empty if the code is unknown. */
  readonly nameOf: (code: string) => string;
  /** Returns all regions of the world with a name, or with the same name but for words such as `state`. */
  readonly named: (name: string) => readonly Region[];
  /**
   * Finds the region of a country that a source names in its own spelling. Undefined if the name fits no region, or
   * several: a region is never guessed.
   */
  readonly namedIn: (country: string, name: string) => Region | undefined;
}

/** Returns the code of an area that has none in ISO 3166-2, from a source's name: `SD:Singa region`. */
export function sourceCode(country: string, name: string): string {
  return `${country}:${name}`;
}

export const loadRegions = loadedOnce(readRegions, "The regions of the world cannot be loaded");

async function readRegions(): Promise<Regions> {
  const { regions, byCode } = await outputOf(regionList);
  const byCountry = Map.groupBy(regions, ({ country }) => country);
  return {
    byCode,
    nameOf: (code) => byCode.get(code)?.name ?? code.split(/:(.*)/s)[1] ?? "",
    // The last form is too loose for the whole world.
    named: (name) => firstFitting(name, regions, nameForms.length - 1),
    namedIn(country, name) {
      const candidates = byCountry.get(country) ?? [];
      const fitting = firstFitting(name, candidates, nameForms.length);
      const common = fitting.some(({ forms }) => forms[0]?.includes(plainName(name)))
        ? []
        : longestCommon(name, candidates);
      // `Kyiv Oblast` is the city `Kyiv` without its last word, but may also be `Kyivska oblast`.
      const found = new Set([...fitting, ...common]);
      return found.size === 1 ? [...found][0] : undefined;
    },
  };
}

/** Returns the regions that have the name in the first form that any region has. An empty form fits none. */
function firstFitting(name: string, regions: readonly Region[], forms: number): readonly Region[] {
  for (const [position, formOf] of nameForms.slice(0, forms).entries()) {
    const form = formOf(name);
    const fitting = form === "" ? [] : regions.filter((region) => region.forms[position]?.includes(form));
    if (fitting.length > 0) return fitting;
  }
  return [];
}

/** Returns the regions whose names begin like this one, as `Kharkivska oblast` begins like `Kharkiv`. */
function longestCommon(name: string, regions: readonly Region[]): readonly Region[] {
  const core = coreOf(name);
  const lengths = regions.map(({ forms }) => Math.max(...(forms[1] ?? []).map((each) => commonBeginning(each, core))));
  const longest = Math.max(0, ...lengths);
  return longest === 0 ? [] : regions.filter((_, position) => lengths[position] === longest);
}
