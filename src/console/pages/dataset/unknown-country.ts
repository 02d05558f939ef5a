import type { DescField } from "@bufbuild/protobuf";
import { field as fieldOption, Role } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import { getOption } from "../../../contract/option.ts";
import { countryParameter } from "../../../contract/request/country-parameter.ts";
import { fieldRules } from "../../../contract/rules/field-rules.ts";
import { alpha2Patterns } from "../../../contract/rules/pattern-words.ts";
import { type Html, html } from "../../../pages/html.ts";
import { countries, countryByCode, countryOf } from "../../../reference/countries/countries.ts";
import { addressOf } from "../../address.ts";
import type { Visit } from "../../visit.ts";

/** Where nothing was found for what is not a country code: so, and of which country it may be a name. */
export function unknownCountryMarkup({ method }: Operation, asked: URLSearchParams, { path, query }: Visit): Html[] {
  return method.input.fields.filter(isOfCountries).flatMap(({ name }) => {
    const codes = asked.getAll(name).flatMap((text) => text.split(",").map((code) => code.trim()));
    // Groups of countries have longer codes.
    const unknown = new Set(codes.filter((code) => code.length === 2 && !countries.has(code.toUpperCase())));
    return [...unknown].map((code) => {
      const meant = countryOf(code) ?? countryByCode(code.toUpperCase());
      const own = new URLSearchParams(query);
      if (meant) own.set(name, codes.map((each) => (each === code ? meant.alpha2 : each)).join(","));
      return html`<p><strong>${code} is not a country code.</strong> ${meant && html`Did you mean <a href="${addressOf(path, own)}">${meant.alpha2} (${meant.name})</a>?`}</p>`;
    });
  });
}

/** Of countries by alpha-2, which its role says, or that it takes two capital letters and nothing else. */
function isOfCountries(field: DescField): boolean {
  const rules = fieldRules(field)?.type;
  const own = rules?.case === "repeated" ? rules.value.items?.type : rules;
  const isOfTwoLetters = own?.case === "string" && alpha2Patterns.includes(own.value.pattern);
  return field.name === countryParameter || getOption(field, fieldOption).role === Role.COUNTRY || isOfTwoLetters;
}
