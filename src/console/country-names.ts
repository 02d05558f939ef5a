import { countryByName } from "../reference/countries/countries.ts";

/** Countries as people write them, several with commas, as codes; what names no country stays as it is. */
export function codesOfNames(texts: readonly string[]): string[] {
  // Some names of countries have a comma.
  const parts = texts.flatMap((text) => (countryByName(text) ? [text] : text.split(",")));
  return parts.map((part) => countryByName(part.trim())?.alpha2 ?? part.trim());
}
