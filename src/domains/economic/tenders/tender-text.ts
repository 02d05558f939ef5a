/**
 * Returns the text in the form that the search stores and searches: one line in lower case, without accents, with one
 * kind of apostrophe, and without words that are too long for an index.
 */
export function searchable(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
    .replace(tooLong, (word) => word.slice(0, maxWord));
}

export function wordsOf(text: string): string[] {
  return text.split(separators).filter((word) => word !== "");
}

/** A term that must occur in the title or the description. */
export interface SearchTerm {
  readonly text: string;
  readonly words: readonly string[];
  /** Whether the term consists of one such word only. */
  readonly isWord: boolean;
}

/** Returns the words and quoted phrases of a query. An unpaired quotation mark counts as a blank. */
export function searchTerms(query: string): SearchTerm[] {
  const parts = [...query.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([part, phrase]) => searchable(phrase ?? part));
  return [...new Set(parts)].filter((text) => text !== "").map(searchTerm);
}

export function searchTerm(text: string): SearchTerm {
  const words = wordsOf(text).filter((word) => [...word].length >= minIndexed);
  return { text, words, isWord: words[0] === text };
}

/** A trigram index cannot find parts shorter than this number of characters. */
const minIndexed = 3;
const maxWord = 200;
// ASCII characters other than letters and digits.
const separators = /[\0-/:-@[-`{-\x7f]+/;
const tooLong = /[^\0-/:-@[-`{-\x7f]{201,}/g;
