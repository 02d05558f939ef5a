import { countries, countryByNumeric } from "../../reference/countries/countries.ts";
import { coastSides } from "../../reference/trade/coast-sides.ts";

/** Comtrade codes of countries that differ from the UN M49 number. Taiwan is listed as `Other Asia, nes`. */
const overrides: Readonly<Record<string, number>> = {
  CH: 757,
  FR: 251,
  IN: 699,
  IT: 381,
  NO: 579,
  TW: 490,
  US: 842,
};
const overridden = new Map(Object.entries(overrides).map(([code, number]) => [number, code]));

/** The countries to request, from Comtrade code to alpha-2 code. Kosovo is absent, because it has no code. */
export const reporters: ReadonlyMap<number, string> = new Map(
  [...coastSides.keys()].flatMap((code) => {
    const number = overrides[code] ?? Number(countries.get(code)?.numeric);
    return number > 0 ? [[number, code] as const] : [];
  }),
);

/** Returns the alpha-2 code of a partner. It is empty for a code of an area, such as 899 (`Areas, nes`). */
export function partnerIso2(code: number): string {
  return overridden.get(code) ?? countryByNumeric(code)?.alpha2 ?? "";
}
