import { fillers } from "../../pages/filler-words.ts";
import { type Country, countries, countryByCode, countryByName } from "../../reference/countries/countries.ts";
import { countriesOfGroup } from "../../reference/countries/country-groups.ts";
import { chokepoints } from "../../reference/trade/chokepoints.ts";

/** Words that users write, and the words of the contract with the same meaning. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/^(?:die[ds]?|dying|dead|deadly|deadli(?:er|est)|deaths?|kill(?:s|ed|ings?)?|casualt(?:y|ies))$/, "fatalities"],
  [/^tonnes?$/, "tons"],
  [/^wars?$/, "conflict"],
  [/^cyber/, "cyber"],
  [/^(?:passages?|crossings?|traffic)$/, "transits"],
  [/^(?:negative|positive|sentiment)$/, "tone"],
  [/^(?:withstand|cope|resilient)$/, "resilience"],
  [/^goods$/, "trade"],
];

export const tender = /^(?:tenders?|procurements?|bids?)$/;

export const alert = /^(?:alert(?:s|ed)?|alarms?|e-?mail|notif(?:y|ied))$/;
export const band = /^(?:averages?|means?|norm|normal|usual|seasonal|\w+-years?)$/;
export const worsening =
  /^(?:worse(?:n(?:s|ed|ing)?)?|deteriorat\w*|mov(?:er|ed)s?|chang(?:e[ds]?|ing)|r[io]se[sn]?|lo(?:st|ses?|sing)|gain(?:s|ed)?|f[ae]ll(?:s|en)?|improv\w*|gr[eo]w(?:s|n|ing)?|increas\w*|declin\w*)$/;
export const comparison = /^(?:compar(?:e|es|ed|ing|isons?)|differences?)$/;

/** Returns whether a word asks for an action, such as an alert or a comparison, and is not part of a subject. */
export function isAction(word: string): boolean {
  return [alert, band, comparison, worsening].some((each) => each.test(word));
}

/** Returns the words of a search without punctuation. Words other than country codes become lower case. */
export function wordsIn(text: string): readonly string[] {
  // In a text of capitals, or before a word as in `tenders IT services`, capitals do not mean a country code.
  const hasCodes = /\p{Lowercase}/u.test(text) || !/\p{Uppercase}{4}/u.test(text);
  const parts = text.split(/[\s,;?!]+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  const isTenders = parts.some((word) => tender.test(word.toLowerCase()));
  const isCode = (word: string) => countries.has(word) && !(isTenders && new RegExp(`${word} [a-z]`).test(text));
  return parts
    .filter((word) => word !== "" && word !== "first-level")
    .map((word) => (hasCodes && isCode(word) ? word : word.toLowerCase()));
}

export function isMeaningful(word: string): boolean {
  return !fillers.has(word) && !/^\d{1,2}$/.test(word);
}

/** Returns the word of the contract that has the meaning of the word. */
export function meaningOf(word: string): string {
  return meanings.find(([pattern]) => pattern.test(word))?.[1] ?? word;
}

const dataByTopic = [
  [/^(?:conflict|fatalit|death|killed|battle|attack|violence)/, "conflict-events"],
  [tender, "global-tenders"],
  [/^outage/, "internet-outages"],
] as const;

/** Returns the dataset whose rows are counted if a topic has words such as `deaths`. */
export function datasetMeant(topic: readonly string[]): string | undefined {
  return dataByTopic.find(([pattern]) => topic.some((word) => pattern.test(word)))?.[1];
}

/** Maximum number of words in the name of a country. */
const maxNameWords = 10;

/**
 * Finds the names of countries and a chokepoint among other words, such as in `japan oil hormuz`. Also returns the words
 * that name no place, in their order.
 */
export function placesIn(words: readonly string[]) {
  const { countries, others } = countriesIn(words);
  const chokepoint = chokepoints.find(({ id }) => others.some((word) => word === id || word === id.split("_")[0]));
  const parts = chokepoint ? `${chokepoint.id} ${chokepoint.name}`.toLowerCase().split(/[_\s-]/) : [];
  const isOfName = (word: string) => word === chokepoint?.id || word.split("-").every((part) => parts.includes(part));
  const rest = others.filter((word) => !isOfName(word));
  return { countries, chokepoint, others: rest };
}

/** Finds countries among other words, such as in `gas germany`. A search for one country's name has no other words. */
function countriesIn(words: readonly string[]) {
  const lower = words.map((word) => word.toLowerCase());
  const none = { countries: [], others: lower };
  if (countryByName(words.join(" "))) return none;
  const group = countriesOfGroup(words.join(" "));
  if (group.length > 0) return { countries: group, others: [] };
  const at = new Map<number, readonly Country[]>();
  const taken = new Set<number>();
  // A longer name comes first: `south sudan` is not Sudan.
  for (let length = Math.min(words.length - 1, maxNameWords); length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const places = Array.from({ length }, (_, place) => start + place);
      if (places.some((place) => taken.has(place))) continue;
      // After a number, as in `50 km`, a country code is a unit.
      const isUnit = length === 1 && words[start]?.length === 2 && /^\d/.test(words[start - 1] ?? "");
      const isPart = length === 1 && isParticle(words[start], words[start + 1]);
      const found = isUnit || isPart ? [] : countriesNamed(words.slice(start, start + length));
      if (found.length === 0) continue;
      at.set(start, found);
      for (const place of places) taken.add(place);
    }
  const inOrder = [...at].sort(([one], [other]) => one - other).flatMap(([, found]) => found);
  return { countries: [...new Set(inOrder)], others: lower.filter((_, place) => !taken.has(place)) };
}

/** Words of names and titles in other languages, such as El Fasher and Rio de Janeiro, that are codes of countries too. */
const particles = new Set("ad al an ar as at az da de di do du el en es et la le lo sa st".split(" "));

/** Returns whether a word that can be a code is part of a name. In capitals, last, or before a code, it is not. */
function isParticle(word = "", next: string | undefined): boolean {
  return particles.has(word) && next !== undefined && next.length !== 2;
}

/** Returns the country with a name, or the countries of a group such as `baltic states`. */
function countriesNamed(words: readonly string[]): readonly Country[] {
  const group = countriesOfGroup(words.join(" ").replace(/['’]s$/, ""));
  if (group.length > 0) return group;
  const [first = "", last = ""] = [words[0], words.at(-1)];
  // Without this check, `and iran` would match a country's name, and `it` a country code.
  if (!isMeaningful(first) || !isMeaningful(last)) return [];
  const name = words.join(" ");
  const owner = name.replace(/['’]s$/, "");
  const coded = owner.length === 2 ? countryByCode(owner.toUpperCase()) : undefined;
  const country = countryByName(name) ?? countryByName(owner) ?? coded;
  return country ? [country] : [];
}
