/**
 * The form in which a text is stored for the search and searched for: one line in lower case, without accents, with one kind of
 * apostrophe, and no word beyond what an index accepts.
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

/** The words of a searchable text. */
export function wordsOf(text: string): string[] {
  return text.split(separators).filter((word) => word !== "");
}

/** Something that must occur in title or description. */
export interface SearchTerm {
  /** In searchable form. */
  readonly text: string;
  /** Its words that are long enough for the index. */
  readonly words: readonly string[];
  /** It is one such word and nothing else. */
  readonly isWord: boolean;
}

/** The words and quoted phrases of a query; a quote without its other half counts as a blank. */
export function searchTerms(query: string): SearchTerm[] {
  const parts = [...query.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([part, phrase]) => searchable(phrase ?? part));
  return [...new Set(parts)].filter((text) => text !== "").map(searchTerm);
}

/** A searchable text as one term. */
export function searchTerm(text: string): SearchTerm {
  const words = wordsOf(text).filter((word) => [...word].length >= minIndexed);
  return { text, words, isWord: words[0] === text };
}

/** A trigram index finds no part shorter than this, in characters. */
const minIndexed = 3;
const maxWord = 200;
// ASCII characters that are no letters or digits.
const separators = /[\0-/:-@[-`{-\x7f]+/;
const tooLong = /[^\0-/:-@[-`{-\x7f]{201,}/g;
