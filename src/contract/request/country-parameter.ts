import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { CountryGroup, field as fieldOption, LetterCase, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { type InvalidRequest, invalidField, type Violation } from "../../errors.ts";
import { countryOf } from "../../reference/countries/countries.ts";
import { europeanUnion } from "../../reference/countries/european-union.ts";
import { getOption } from "../option.ts";
import { fieldRules } from "../rules/field-rules.ts";
import { alpha2Patterns } from "../rules/pattern-words.ts";
import { listRules, valueBounds } from "../rules/value-bounds.ts";

/** Every error message about a country ends with this text. */
const countryRule = "must be a country: ISO 3166-1 alpha-2, alpha-3 or numeric code, or English short name";

/** Codes for groups of countries in Eurostat data, such as EU27_2020. */
const groupForm = /^(EU|EA)[A-Z0-9_]{0,12}$/;

/** Replaces names and codes of countries in a request by the accepted codes. Returns violations. */
export type CountryNormalizer = (message: Record<string, unknown>, path: string) => Violation[];

/** Compiles the replacement; undefined if no field is for a country. With `body`, violations name JSON members. */
export function countryNormalizer(desc: DescMessage, body: boolean): CountryNormalizer | undefined {
  const steps = desc.fields.flatMap((field) => normalizerOf(field, body) ?? []);
  return steps.length === 0 ? undefined : (message, path) => steps.flatMap((step) => step(message, path));
}

function normalizerOf(field: DescField, body: boolean): CountryNormalizer | undefined {
  const { localName, message } = field;
  const name = body ? field.jsonName : field.name;
  const inside = message && !message.typeName.startsWith("google.") ? countryNormalizer(message, body) : undefined;
  if (inside)
    return (parent, path) => {
      const value = parent[localName];
      if (!Array.isArray(value)) return value === undefined ? [] : inside(Object(value), `${path}${name}.`);
      return value.flatMap((item, index) => inside(item, `${path}${name}[${index}].`));
    };
  if (!namesCountries(field)) return undefined;
  const takesGroups = getOption(field, fieldOption).countries === CountryGroup.EUROPEAN_UNION;
  const codeFor = (text: string) => {
    const code = text.trim().toUpperCase();
    return countryOf(text)?.alpha2 ?? (takesGroups && groupForm.test(code) ? code : undefined);
  };
  return (parent, path) => {
    const value = parent[localName];
    if (value === undefined) return [];
    const texts = [value].flat().map(String);
    const codes = texts.map((text) => (text === "" ? "" : codeFor(text)));
    parent[localName] = Array.isArray(value) ? [...new Set(codes)] : codes[0];
    return codes.flatMap((code, index) => {
      if (code !== undefined) return [];
      const place = Array.isArray(value) ? `[${index}]` : "";
      return [{ field: `${path}${name}${place}`, description: `value ${countryRule}` }];
    });
  };
}

/** Patterns of fields for a country, and for a country or a group. */
const countryPatterns: readonly string[] = [...alpha2Patterns, "^[A-Z]{2}[A-Z0-9_]{0,12}$"];

/** Returns whether a field accepts country names. A single value that is case-sensitive accepts only its code. */
export function namesCountries(field: DescField): boolean {
  const rules = fieldRules(field);
  const pattern = patternOf(listRules(rules)?.items ?? rules);
  const isExact = field.fieldKind === "scalar" && getOption(field, fieldOption).letterCase === LetterCase.UNSPECIFIED;
  return pattern !== undefined && countryPatterns.includes(pattern) && !isExact;
}

function patternOf(rules: FieldRules | undefined): string | undefined {
  const { pattern } = valueBounds(rules);
  return typeof pattern === "string" ? pattern : undefined;
}

/** Common parameter for a country, which operations for one country accept in addition to their own parameter. */
export const countryParameter = "country";

/** Returns the parameter with the alias `country`; undefined if no parameter has the alias. */
export function twinOfCountry(desc: DescMessage): DescField | undefined {
  if (desc.fields.some(({ name }) => name === countryParameter)) return undefined;
  return desc.fields.find((field) => {
    const { role } = getOption(field, fieldOption);
    return role === Role.COUNTRY || role === Role.COUNTRY_NUMERIC;
  });
}

export function describeCountry(twin: DescField): string {
  const group = groupOf(twin);
  const among = group ? `, ${group.name}` : "";
  return `Instead of \`${twin.name}\`: the country${among} as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.`;
}

interface Group {
  readonly slug: string;
  readonly name: string;
  readonly alpha2: readonly string[];
}

/** Returns the group of countries that a read covers; undefined if it covers all countries. */
export function groupOf(twin: DescField): Group | undefined {
  return getOption(twin, fieldOption).countries === CountryGroup.EUROPEAN_UNION
    ? { slug: "eu-members", name: "a member of the European Union", alpha2: europeanUnion }
    : undefined;
}

/** Moves the value of `country` to the operation's own parameter, in its format. Throws `InvalidRequest`. */
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
      throw rejected(`value must be ${group.name}: ${group.alpha2.join(", ")}. There are no values for others`);
    const own = [twin.name, twin.jsonName].flatMap((name) => parameters.getAll(name)).find((text) => text !== "");
    if (own !== undefined && codeIn(own, isNumeric) !== code)
      throw rejected(`value must not be another country than that of ${twin.name}`);
    parameters.set(twin.name, code);
  };
}

/** Returns the code of a country; undefined if it is unknown. Validation then rejects the text. */
function codeIn(text: string, isNumeric: boolean): string | undefined {
  const country = countryOf(text);
  return isNumeric ? country?.numeric : country?.alpha2;
}

function codeOf(given: string, isNumeric: boolean): string {
  const country = countryOf(given);
  if (!country) throw rejected(`value ${countryRule}`);
  if (isNumeric && country.numeric === "") throw rejected("value must be a country that has a UN M49 code");
  return isNumeric ? country.numeric : country.alpha2;
}

function rejected(description: string): InvalidRequest {
  return invalidField(countryParameter, description);
}

interface CountryFilters {
  readonly country: string;
  readonly countries: readonly string[];
}

/** Returns the codes of both parameters, each once. Without any, a request is for all countries. */
export function requestedCountries({ country, countries }: CountryFilters): readonly string[] {
  return [...new Set([country, ...countries])].filter((code) => code !== "");
}
