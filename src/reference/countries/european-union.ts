/** The member states of the European Union since 2020, by alpha-2 code. */
export const europeanUnion: readonly string[] =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");

/** Code of the Union in keys of series and in Eurostat's data. */
export const unionCode = "EU";

/** The WTO's code of the Union, whose members have the same tariffs. */
export const wtoUnion = "918";

/** Eurostat's codes for Greece and the United Kingdom differ from ISO 3166-1. */
const ownCodes: Readonly<Record<string, string>> = { GR: "EL", GB: "UK" };
const alpha2Codes = new Map(Object.entries(ownCodes).map(([alpha2, own]) => [own, alpha2]));

/** Returns Eurostat's code for an alpha-2 code. All other codes are the same in both. */
export function eurostatCode(alpha2: string): string {
  return ownCodes[alpha2] ?? alpha2;
}

/** Returns the alpha-2 code for Eurostat's code. Codes of groups of countries are returned unchanged. */
export function alpha2OfEurostat(geo: string): string {
  return alpha2Codes.get(geo) ?? geo;
}
