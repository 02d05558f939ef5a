import { countryByAlpha3, countryByName } from "../reference/countries/countries.ts";

const named = (text: string) => countryByName(text) ?? countryByAlpha3(text.toUpperCase());

/** Countries as people write them or by alpha-3, several with commas, as codes; what names no country stays as it is. */
export function codesOfNames(texts: readonly string[]): string[] {
  // Some names of countries have a comma.
  const parts = texts.flatMap((text) => (countryByName(text) ? [text] : text.split(",")));
  return parts.map((part) => named(part.trim())?.alpha2 ?? part.trim());
}
