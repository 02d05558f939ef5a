/** The member states of the European Union since 2020, by alpha-2. */
export const europeanUnion: readonly string[] =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");

/** Eurostat writes Greece and the United Kingdom by its own letters. */
const ownCodes: Readonly<Record<string, string>> = { GR: "EL", GB: "UK" };
const alpha2Codes = new Map(Object.entries(ownCodes).map(([alpha2, own]) => [own, alpha2]));

/** Eurostat's code of a country; other codes stay. */
export function eurostatCode(alpha2: string): string {
  return ownCodes[alpha2] ?? alpha2;
}

/** The ISO 3166-1 alpha-2 code of Eurostat's; codes of groups stay. */
export function alpha2OfEurostat(geo: string): string {
  return alpha2Codes.get(geo) ?? geo;
}
