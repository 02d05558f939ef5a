import { libraries } from "../../../reference/libraries.ts";
import { countryAt } from "../../../reference/places/boundaries.ts";

/** Where a base stands and which power that makes its likely operator. */
export interface Host {
  /** ISO 3166-1 alpha-2 of the territory, else of the country; empty on the open sea and in Antarctica. */
  readonly country: string;
  /** Operating power when nothing better is known. */
  readonly type: string;
}

/** Looks the host up by point in polygon; in disputed areas the country is the recognised one, the power whoever holds it. */
export function hostOf(latitude: number, longitude: number): Host {
  const country = countryAt(latitude, longitude)?.alpha2 ?? "";
  // The borders' easternmost meridian is written as -180.
  const { iso1A2Code } = libraries.countryCoder();
  const holder = iso1A2Code([longitude === 180 ? -180 : longitude, latitude], { level: "country" }) ?? "";
  return { country, type: powers.get(country) ?? powers.get(holder) ?? "other" };
}

const natoMembers = "US DE CA ES PL NL BE NO DK PT GR CZ HU RO BG HR SK SI LV LT EE AL ME MK FI SE IS LU".split(" ");

const powers = new Map([
  ...natoMembers.map((code) => [code, "us-nato"] as const),
  ["CN", "china"],
  ["RU", "russia"],
  ["GB", "uk"],
  ["FR", "france"],
  ["IN", "india"],
  ["IT", "italy"],
  ["AE", "uae"],
  ["TR", "turkey"],
  ["JP", "japan"],
]);
