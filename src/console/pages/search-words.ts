import { countries, isOneEditApart } from "../../reference/countries/countries.ts";
import { chokepoints } from "../../reference/trade/chokepoints.ts";
import { type Hit, hasWord } from "./search-hits.ts";

/** Words that say nothing about what a user is looking for. */
const fillers = new Set(
  "a about ago all am an and any are as at be been being between by can compared could currently day days did do does down for from full give going had happened happening happens has have how i in into is it its last many may me might month more most much my need no normal now of on ongoing or our over people per please seasonal should show so than that the their them there these they this those through to today under usual versus via vs want was we were what when where which who whom whose why will with would year you your".split(
    " ",
  ),
);

/** Words that users write for a word of the contract. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/^(?:die[ds]?|dying|dead|deadly|deadli(?:er|est)|deaths?|kill(?:s|ed|ings?)?|casualt(?:y|ies))$/, "fatalities"],
];

/** Returns the words of a search in lower case, without the punctuation around them. */
export function wordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s,;?!]+/)
    .map((word) => word.replace(/^[^\p{Letter}\p{Number}]+|[^\p{Letter}\p{Number}]+$/gu, ""))
    .filter(Boolean);
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
