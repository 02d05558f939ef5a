import { getOption } from "@bufbuild/protobuf";
import { field as fieldOption, Role } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import { countryParameter } from "../../../contract/request/country-parameter.ts";
import { type Html, html } from "../../../pages/html.ts";
import { countries, countryByName } from "../../../reference/countries/countries.ts";
import { addressOf } from "../../address.ts";
import type { Visit } from "../../visit.ts";

/** Where nothing was found for what is no code of a country: so, and of which it may be the name. */
export function unknownCountryMarkup({ method }: Operation, asked: URLSearchParams, { path, query }: Visit): Html[] {
  return method.input.fields
    .filter((field) => field.name === countryParameter || getOption(field, fieldOption).role === Role.COUNTRY)
    .flatMap(({ name }) => asked.getAll(name).map((value) => [name, value.trim()] as const))
    .filter(([, value]) => value !== "" && !value.includes(",") && !countries.has(value.toUpperCase()))
    .map(([name, value]) => {
      const meant = countryByName(value);
      const own = new URLSearchParams(query);
      if (meant) own.set(name, meant.alpha2);
      return html`<p><strong>${value} is no code of a country.</strong> ${meant && html`Perhaps <a href="${addressOf(path, own)}">${meant.name} (${meant.alpha2})</a> is meant.`}</p>`;
    });
}
