import { type Country, countryByCode } from "../../reference/countries/countries.ts";
import { loadRegions, type Region } from "../../reference/places/regions.ts";
import type { Bounds } from "./search-bounds.ts";
import type { Asked } from "./search-hits.ts";
import { isMeaningful } from "./search-words.ts";

/** Maximum number of words in the name of an area. */
const maxNameWords = 3;

/** An area within a country, such as a state, that a search names. */
export interface NamedArea {
  readonly area: Region;
  readonly country: Country;
  /** The words of its name. */
  readonly words: readonly string[];
}

/** Finds an area among the words of a search, such as in `deaths north darfur`. */
export async function areaIn(asked: Omit<Asked, "found" | keyof Bounds>): Promise<NamedArea | undefined> {
  const { rest, countries, topic, ignored } = asked;
  // The list of areas is loaded only for a search with a word that nothing else has.
  if (ignored.length === 0 || countries.length > 1) return undefined;
  const regions = await loadRegions();
  const [given] = countries;
  for (const words of partsOf(rest)) {
    // A single word is not taken as an area: `brent` is more likely oil than the borough.
    const isSingle = words.length === 1 && topic.length === 0 && !given;
    if (isSingle || !words.some((word) => ignored.includes(word))) continue;
    const name = words.join(" ");
    const [area, ...others] = given ? [regions.namedIn(given.alpha2, name)] : regions.named(name);
    const country = area && others.length === 0 ? countryByCode(area.country) : undefined;
    if (area && country) return { area, country, words };
  }
  return undefined;
}

/** Returns neighboring words that can be a name, the longest first. */
function partsOf(words: readonly string[]): readonly (readonly string[])[] {
  const lengths = Array.from({ length: maxNameWords }, (_, place) => maxNameWords - place);
  const parts = lengths.flatMap((length) => words.map((_, start) => words.slice(start, start + length)));
  return parts.filter((part) => part.every(isMeaningful));
}
