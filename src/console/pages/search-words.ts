import { fillers } from "../../pages/filler-words.ts";
import { countries, isOneEditApart } from "../../reference/countries/countries.ts";
import { chokepoints } from "../../reference/trade/chokepoints.ts";
import { type Hit, hasWord } from "./search-hits.ts";

/** Words that users write for a word of the contract. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/^(?:die[ds]?|dying|dead|deadly|deadli(?:er|est)|deaths?|kill(?:s|ed|ings?)?|casualt(?:y|ies))$/, "fatalities"],
];

export const tender = /^(?:tenders?|procurements?|bids?)$/;

export const alert = /^(?:alert(?:s|ed)?|alarms?|notif(?:y|ied))$/;
export const band = /^(?:averages?|means?|norm|normal|usual|seasonal|\w+-years?)$/;
const comparison = /^(?:compar(?:e|es|ed|ing|isons?)|differences?)$/;

/** Returns whether a word says what to do with the subject of a search. */
export function isAction(word: string): boolean {
  return [alert, band, comparison].some((each) => each.test(word));
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

/** Shorter words are one letter away from too many correct words, as `need` from `feed`. */
const minCorrectedLetters = 5;

/**
 * Replaces words that nothing has by words that differ in one letter, but not in the first one. Only the candidates,
 * which are not part of a place's name, are replaced. Returns the same list if there are none.
 */
export function spelledWords(
  words: readonly string[],
  candidates: readonly string[],
  hits: readonly Hit[],
): readonly string[] {
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
