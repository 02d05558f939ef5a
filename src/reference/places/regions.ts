import { plainName } from "../countries/country-names.ts";
import { loadedOnce } from "../loaded-once.ts";
import { type ListProgram, outputOf } from "./prepared-output.ts";
import { commonBeginning, coreOf, nameForms } from "./region-names.ts";

/** A first-level area of a country. */
export interface Region {
  /** The ISO 3166-2 code of the region. */
  readonly code: string;
  /** The ISO 3166-1 alpha-2 code of the country. */
  readonly country: string;
  /** The English name of the region. */
  readonly name: string;
  /** The spellings of the region's names, normalized by each function of `nameForms`. */
  readonly forms: readonly (readonly string[])[];
}

export interface RegionTable {
  readonly regions: readonly Region[];
  /** Also contains the codes of smaller areas, with the region that contains the area. */
  readonly byCode: ReadonlyMap<string, Region>;
}

export const regionList: ListProgram<RegionTable> = {
  name: "regions",
  url: new URL("./region-list.ts", import.meta.url),
};

export interface Regions {
  readonly byCode: ReadonlyMap<string, Region>;
  /** Returns the name of an area by its ISO 3166-2 code or its `sourceCode`. Empty if the code is unknown. */
  readonly nameOf: (code: string) => string;
  /** Returns the regions of the world whose name is equal, or differs only in words such as `state`. */
  readonly named: (name: string) => readonly Region[];
  /**
   * Finds the region of a country that a source names in its own spelling. Undefined if no region or several regions
   * match the name, because a region is never guessed.
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
    // The last function of `nameForms` compares only consonants, which would match too many regions of the world.
    named: (name) => firstFitting(name, regions, nameForms.length - 1),
    namedIn(country, name) {
      const candidates = byCountry.get(country) ?? [];
      const fitting = firstFitting(name, candidates, nameForms.length);
      const common = fitting.some(({ forms }) => forms[0]?.includes(plainName(name)))
        ? []
        : longestCommon(name, candidates);
      // Without its last word, `Kyiv Oblast` is the city `Kyiv`, but the name may also mean `Kyivska oblast`.
      const found = new Set([...fitting, ...common]);
      return found.size === 1 ? [...found][0] : undefined;
    },
  };
}

/** Returns the regions whose name matches by the strictest function of `nameForms` that finds any. */
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
