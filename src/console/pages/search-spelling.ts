import { countries, isOneEditApart } from "../../reference/countries/countries.ts";
import { chokepoints } from "../../reference/trade/chokepoints.ts";
import { type Hit, hasWord } from "./search-hits.ts";
import { isMeaningful, meaningOf, placesIn } from "./search-words.ts";

/** Shorter words are not corrected, because too many correct words differ in one letter, as `need` and `feed`. */
const minCorrectedLetters = 5;

/**
 * Replaces words that no hit has by words of hits that differ in one letter, but not in the first one. Words in names
 * of places are not replaced. Returns the same list if nothing is replaced.
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

/**
 * Returns whether a word is a misspelling of a known one. Short words of equal length must have the same letters:
 * `begin` is not a misspelling of Benin.
 */
function isMisspelled(word: string, known: string): boolean {
  if (word[0] !== known[0] || !isOneEditApart(known, word)) return false;
  const isShort = word.length === minCorrectedLetters && known.length === word.length;
  return !isShort || [...word].every((letter) => known.includes(letter));
}
