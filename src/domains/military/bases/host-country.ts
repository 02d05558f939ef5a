import { libraries } from "../../../reference/libraries.ts";
import { countryAt } from "../../../reference/places/boundaries.ts";

export interface Host {
  /** ISO 3166-1 alpha-2 code of the territory or else of the country. It is empty on the open sea and in Antarctica. */
  readonly country: string;
  /** The operating power if no source names it. */
  readonly type: string;
}

/** In disputed areas, the country is the recognized one, and the power is the one that controls the area. */
export function hostOf(latitude: number, longitude: number): Host {
  const country = countryAt(latitude, longitude)?.alpha2 ?? "";
  // The borders use -180 for the 180th meridian.
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
