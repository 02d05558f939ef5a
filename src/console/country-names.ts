import { countryByName, countryOf } from "../reference/countries/countries.ts";

/** Countries by name or by any code, as people write them, several with commas, as alpha-2; what names no country stays as it is. */
export function codesOfNames(texts: readonly string[]): string[] {
  // Some names of countries have a comma.
  const parts = texts.flatMap((text) => (countryByName(text) ? [text] : text.split(",")));
  return parts.map((part) => countryOf(part.trim())?.alpha2 ?? part.trim());
}
