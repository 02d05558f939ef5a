import { type Country, countryByCode, countryByName } from "../../reference/countries/countries.ts";
import { chokepoints } from "../../reference/trade/chokepoints.ts";
import type { Place } from "./search-hits.ts";
import { isMeaningful } from "./search-words.ts";

/** Maximum number of words in the name of a country. */
const maxNameWords = 10;

export interface NamedPlaces extends Place {
  /** The words that name no place, in their order. */
  readonly others: readonly string[];
}

/** Finds the names of countries and a chokepoint among other words, such as in `japan oil hormuz`. */
export function placesIn(words: readonly string[]): NamedPlaces {
  const { countries, others } = countriesIn(words);
  const chokepoint = chokepoints.find(({ id }) => others.some((word) => word === id || word === id.split("_")[0]));
  const rest = others.filter((word) => !chokepoint?.id.split("_").includes(word) && word !== chokepoint?.id);
  return { country: countries[0], countries, chokepoint, others: rest };
}

/** Finds countries among other words, such as in `gas germany`. A search for one country's name has no other words. */
function countriesIn(words: readonly string[]) {
  const lower = words.map((word) => word.toLowerCase());
  const none = { countries: [], others: lower };
  if (countryByName(words.join(" "))) return none;
  const at = new Map<number, Country>();
  const taken = new Set<number>();
  // A longer name comes first: `south sudan` is not Sudan.
  for (let length = Math.min(words.length - 1, maxNameWords); length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const places = Array.from({ length }, (_, place) => start + place);
      if (places.some((place) => taken.has(place))) continue;
      const country = countryNamed(words.slice(start, start + length));
      if (!country) continue;
      at.set(start, country);
      for (const place of places) taken.add(place);
    }
  const inOrder = [...at].sort(([one], [other]) => one - other).map(([, country]) => country);
  return { countries: [...new Set(inOrder)], others: lower.filter((_, place) => !taken.has(place)) };
}

function countryNamed(words: readonly string[]): Country | undefined {
  const [first = "", last = ""] = [words[0], words.at(-1)];
  // Otherwise, `and iran` would be a name, or `it` a code.
  if (!isMeaningful(first) || !isMeaningful(last)) return undefined;
  const name = words.join(" ");
  const owner = name.replace(/['’]s$/, "");
  return (
    countryByName(name) ?? countryByName(owner) ?? (owner.length === 2 ? countryByCode(owner.toUpperCase()) : undefined)
  );
}
