import { countryByName, countryOf } from "../reference/countries/countries.ts";

/** Converts names or codes of countries, separated by commas, to alpha-2 codes. Unknown texts remain. */
export function codesOfNames(texts: readonly string[]): string[] {
  // Some names of countries contain a comma.
  const parts = texts.flatMap((text) => (countryByName(text) ? [text] : text.split(",")));
  return parts.map((part) => countryOf(part.trim())?.alpha2 ?? part.trim());
}
