import { fillers } from "../../pages/filler-words.ts";
import {
  type Country,
  countries,
  countryByCode,
  countryByName,
  isOneEditApart,
} from "../../reference/countries/countries.ts";
import { chokepoints } from "../../reference/trade/chokepoints.ts";
import { type Hit, hasWord } from "./search-hits.ts";

/** Words that users write for a word of the contract. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/^(?:die[ds]?|dying|dead|deadly|deadli(?:er|est)|deaths?|kill(?:s|ed|ings?)?|casualt(?:y|ies))$/, "fatalities"],
  [/^tonnes?$/, "tons"],
  [/^wars?$/, "conflict"],
  [/^cyber/, "cyber"],
  [/^(?:passages?|crossings?)$/, "transits"],
  [/^(?:negative|positive|sentiment)$/, "tone"],
  [/^(?:withstand|cope|resilient)$/, "resilience"],
];

export const tender = /^(?:tenders?|procurements?|bids?)$/;

export const alert = /^(?:alert(?:s|ed)?|alarms?|e-?mail|notif(?:y|ied))$/;
export const band = /^(?:averages?|means?|norm|normal|usual|seasonal|\w+-years?)$/;
export const worsening =
  /^(?:worse(?:n(?:s|ed|ing)?)?|deteriorat\w*|mov(?:er|ed)s?|chang(?:e[ds]?|ing)|r[io]se[sn]?|f[ae]ll(?:s|en)?|improv\w*|gr[eo]w(?:s|n|ing)?|increas\w*|declin\w*)$/;
export const comparison = /^(?:compar(?:e|es|ed|ing|isons?)|differences?)$/;

/** Returns whether a word says what to do with the subject of a search. */
export function isAction(word: string): boolean {
  return [alert, band, comparison, worsening].some((each) => each.test(word));
}

/** Returns the words of a search without the punctuation around them. Only codes of countries have capitals. */
export function wordsIn(text: string): readonly string[] {
  // A text of capitals has words such as IT, and `tenders IT services` too.
  const hasCodes = /\p{Lowercase}/u.test(text) || !/\p{Uppercase}{4}/u.test(text);
  const parts = text.split(/[\s,;?!]+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  const isTenders = parts.some((word) => tender.test(word.toLowerCase()));
  const isCode = (word: string) => countries.has(word) && !(isTenders && new RegExp(`${word} [a-z]`).test(text));
  return parts.filter(Boolean).map((word) => (hasCodes && isCode(word) ? word : word.toLowerCase()));
}

export function isMeaningful(word: string): boolean {
  return !fillers.has(word) && !/^\d{1,2}$/.test(word);
}

/** Returns the word of the contract that has the meaning of the word. */
export function meaningOf(word: string): string {
  return meanings.find(([pattern]) => pattern.test(word))?.[1] ?? word;
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
  const at = new Map<number, Country>();
  const taken = new Set<number>();
  // A longer name comes first: `south sudan` is not Sudan.
  for (let length = Math.min(words.length - 1, maxNameWords); length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const places = Array.from({ length }, (_, place) => start + place);
      if (places.some((place) => taken.has(place))) continue;
      // In `50 km`, the code of a country is a unit.
      const isUnit = length === 1 && words[start]?.length === 2 && /^\d/.test(words[start - 1] ?? "");
      const country = isUnit ? undefined : countryNamed(words.slice(start, start + length));
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

/** Shorter words are one letter away from too many correct words, as `need` from `feed`. */
const minCorrectedLetters = 5;

/**
 * Replaces words that nothing has by words that differ in one letter, but not in the first one. Words of the name of a
 * place are not replaced. Returns the same list if no word is.
 */
export function spelledWords(words: readonly string[], hits: readonly Hit[]): readonly string[] {
  const candidates = placesIn(words).others;
  const isUnknown = (word: string) =>
    word.length >= minCorrectedLetters &&
    candidates.includes(word) &&
    isMeaningful(word) &&
    !hits.some((hit) => hasWord(hit, meaningOf(word)));
  if (!words.some(isUnknown)) return words;
  const names = [...countries.values(), ...chokepoints].map(({ name }) => name);
  const titles = [...hits.map(({ title }) => title), ...names].join(" ").toLowerCase();
  const known = [...new Set(titles.split(/[^a-z]+/))].filter((each) => each.length >= minCorrectedLetters);
  const like = (word: string) => known.find((each) => isMisspelled(word, each)) ?? word;
  const spelled = words.map((word) => (isUnknown(word) ? like(word) : word));
  return spelled.join() === words.join() ? words : spelled;
}

/** A short word with one other letter is rather another word, as `begin` is not Benin. */
function isMisspelled(word: string, known: string): boolean {
  if (word[0] !== known[0] || !isOneEditApart(known, word)) return false;
  const isShort = word.length === minCorrectedLetters && known.length === word.length;
  return !isShort || [...word].every((letter) => known.includes(letter));
}
