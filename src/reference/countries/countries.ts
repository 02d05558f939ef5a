import { countryRows } from "./countries-data.ts";
import { aliases, plainName, visibleText } from "./country-names.ts";
import { alpha2OfEurostat } from "./european-union.ts";

/** A country or territory with an ISO 3166-1 code, or Kosovo. */
export interface Country {
  readonly alpha2: string;
  readonly alpha3: string;
  /** The three-digit M49 number. Empty for Kosovo, which has none. */
  readonly numeric: string;
  readonly name: string;
  /** A point on the mainland, at which maps draw the country. */
  readonly latitude: number;
  readonly longitude: number;
}

export const countries: ReadonlyMap<string, Country> = new Map(
  countryRows.map(([alpha2, alpha3, numeric, name, latitude, longitude]) => [
    alpha2,
    { alpha2, alpha3, numeric, name, latitude, longitude },
  ]),
);

/** Codes that sources or older standards use but that ISO 3166-1 does not contain today. */
const otherCodes: Readonly<Record<string, string>> = {
  ...{ UK: "GB", EL: "GR", "1A0": "XK", XKX: "XK", XKO: "XK", KSV: "XK", UVK: "XK" },
  ...{ ROM: "RO", ZAR: "CD", TMP: "TL", WBG: "PS" },
};

const numbers = new Map([...countries.values()].filter(({ numeric }) => numeric).map((c) => [Number(c.numeric), c]));

const alpha3s = new Map([...countries.values()].map((country) => [country.alpha3, country]));

const names = new Map([
  ...Object.entries(aliases).flatMap(([alpha2, variants]) =>
    variants.map((variant) => [plainName(variant), countries.get(alpha2)] as const),
  ),
  ...[...countries.values()].map((country) => [plainName(country.name), country] as const),
]);

const words = new Map<Country, string>();

/** Returns all countries in the order of their names. */
export function countriesByName(): readonly Country[] {
  return [...countries.values()].sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/** Returns the names and codes of a country for a search: one per line, each normalized by `plainName`. */
export function wordsOf(country: Country): string {
  const known = words.get(country);
  if (known !== undefined) return known;
  const { name, alpha2, alpha3, numeric } = country;
  const made = [name, ...(aliases[alpha2] ?? []), alpha2, alpha3, numeric].map(plainName).join("\n");
  words.set(country, made);
  return made;
}

export function countriesWith(text: string): readonly Country[] {
  const wanted = plainName(text);
  if (wanted === "" && text.trim() !== "") return [];
  return [...countries.values()].filter((country) => wordsOf(country).includes(wanted));
}

/** Finds countries by a name with one wrong, missing, additional, or swapped letter. */
export function countriesLike(text: string): readonly Country[] {
  const wanted = plainName(text);
  const isLike = (name: string) => name.length > 3 && isOneEditApart(name, wanted);
  return [...countries.values()].filter((country) => wordsOf(country).split("\n").some(isLike));
}

/** Returns whether two words differ by one wrong, missing, additional, or swapped letter. */
export function isOneEditApart(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const isRestEqual = (inOne: number, inOther: number) => one.slice(start + inOne) === other.slice(start + inOther);
  const isSwapped = one[start] === other[start + 1] && one[start + 1] === other[start] && isRestEqual(2, 2);
  return isRestEqual(1, 1) || isRestEqual(1, 0) || isRestEqual(0, 1) || isSwapped;
}

/** Finds a country by its alpha-2 code or by Eurostat's code. Undefined for a group of countries. */
export function countryByCode(code: string): Country | undefined {
  return countries.get(alpha2OfEurostat(code));
}

/** Finds a country by ISO 3166-1 numeric code, with or without leading zeros. */
export function countryByNumeric(number: number): Country | undefined {
  return numbers.get(number);
}

export function countryByAlpha3(code: string): Country | undefined {
  return alpha3s.get(code);
}

/** Longer texts are not a name. The longest English name has half as many characters. */
const maxNameLength = 100;

/** Finds a country by alpha-2, alpha-3, or M49 code, by a code of another standard, or by its English name. */
export function countryOf(text: string): Country | undefined {
  const trimmed = visibleText(text);
  if (trimmed.length > maxNameLength) return undefined;
  if (/^\d{1,3}$/.test(trimmed)) return countryByNumeric(Number(trimmed));
  // Only ASCII is converted, because other letters can become two in upper case, as ß becomes SS.
  const code = /^\w{2,3}$/.test(trimmed) ? trimmed.toUpperCase() : "";
  return countries.get(otherCodes[code] ?? code) ?? countryByAlpha3(code) ?? countryByName(trimmed);
}

/** Finds a country by name. If the whole text is not a known name, a part in brackets is ignored. */
export function countryByName(name: string): Country | undefined {
  return names.get(plainName(name)) ?? names.get(plainName(name.replace(/\(.*?\)/g, " ")));
}
