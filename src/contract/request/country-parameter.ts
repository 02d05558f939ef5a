import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { CountryGroup, field as fieldOption, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { InvalidRequest } from "../../errors.ts";
import {
  type Country,
  countries,
  countryByAlpha3,
  countryByName,
  countryByNumeric,
} from "../../reference/countries/countries.ts";
import { europeanUnion } from "../../reference/countries/european-union.ts";
import { getOption } from "../option.ts";

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

/** What `country` is, where it stands for a parameter. */
export function describeCountry(twin: DescField): string {
  const group = groupOf(twin);
  const among = group ? `, ${group.name}` : "";
  return `Instead of \`${twin.name}\`: the country${among} as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.`;
}

interface Group {
  /** In names of components. */
  readonly slug: string;
  /** What one of them is. */
  readonly name: string;
  readonly alpha2: readonly string[];
}

/** The only countries that the data of a read can know; undefined: any. */
export function groupOf(twin: DescField): Group | undefined {
  return getOption(twin, fieldOption).countries === CountryGroup.EUROPEAN_UNION
    ? { slug: "eu-members", name: "a member of the European Union", alpha2: europeanUnion }
    : undefined;
}

/** Writes a country that is given as `country` under the name and in the form that the request specifies. Throws `InvalidRequest`. */
export type CountryReader = (parameters: URLSearchParams) => void;

export function countryReader(desc: DescMessage): CountryReader {
  const twin = twinOfCountry(desc);
  if (!twin) return () => undefined;
  const isNumeric = getOption(twin, fieldOption).role === Role.COUNTRY_NUMERIC;
  const group = groupOf(twin);
  return (parameters) => {
    const given = parameters.get(countryParameter);
    if (!given) return;
    const code = codeOf(given, isNumeric);
    if (group && !group.alpha2.includes(code))
      throw refused(`value must be ${group.name}: ${group.alpha2.join(", ")}. There are no figures of others`);
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
