import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { field as fieldOption, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { InvalidRequest } from "../../errors.ts";
import {
  type Country,
  countries,
  countryByAlpha3,
  countryByName,
  countryByNumeric,
} from "../../reference/countries/countries.ts";

/** The name by which every operation about one country understands that country, beside the name that it specifies. */
export const countryParameter = "country";

/** The parameter of a request that `country` stands for; undefined where there is none, or where it has that name itself. */
export function twinOfCountry(desc: DescMessage): DescField | undefined {
  if (desc.fields.some(({ name }) => name === countryParameter)) return undefined;
  return desc.fields.find((field) => {
    const { role } = getOption(field, fieldOption);
    return role === Role.COUNTRY || role === Role.COUNTRY_NUMERIC;
  });
}

/** What `country` is, where it stands for a parameter of this name. */
export function describeCountry(twin: string): string {
  return `Instead of \`${twin}\`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.`;
}

/** Writes a country that is given as `country` under the name and in the form that the request specifies. Throws `InvalidRequest`. */
export type CountryReader = (parameters: URLSearchParams) => void;

export function countryReader(desc: DescMessage): CountryReader {
  const twin = twinOfCountry(desc);
  if (!twin) return () => undefined;
  const isNumeric = getOption(twin, fieldOption).role === Role.COUNTRY_NUMERIC;
  return (parameters) => {
    const given = parameters.get(countryParameter);
    if (!given) return;
    const code = codeOf(given, isNumeric);
    const own = [twin.name, twin.jsonName].flatMap((name) => parameters.getAll(name)).find((text) => text !== "");
    if (own !== undefined && own.trim().toUpperCase() !== code)
      throw refused(`value must not be another country than that of ${twin.name}`);
    parameters.set(twin.name, code);
  };
}

function codeOf(given: string, isNumeric: boolean): string {
  const country = countryOf(given.trim());
  if (!country)
    throw refused("value must be a country: ISO 3166-1 alpha-2, alpha-3 or numeric code, or English short name");
  if (isNumeric && country.numeric === "") throw refused("value must be a country that has a UN M49 code");
  return isNumeric ? country.numeric : country.alpha2;
}

/** The longest English name is half as long. */
const longestName = 100;

/** The country that a code or a name stands for. */
export function countryOf(text: string): Country | undefined {
  if (text.length > longestName) return undefined;
  if (/^\d{1,3}$/.test(text)) return countryByNumeric(Number(text));
  const code = text.toUpperCase();
  return countries.get(code) ?? countryByAlpha3(code) ?? countryByName(text);
}

function refused(description: string): InvalidRequest {
  return new InvalidRequest([{ field: countryParameter, description }]);
}
