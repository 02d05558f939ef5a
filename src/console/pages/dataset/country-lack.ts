import { CatalogService } from "../../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { countryParameter, twinOfCountry } from "../../../contract/request/country-parameter.ts";
import { html } from "../../../pages/html.ts";
import { countryOf } from "../../../reference/countries/countries.ts";
import { readMessage } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import type { Responded } from "../../read-response.ts";
import { noFigures, notCovered } from "../../view/availability.ts";
import { amountText } from "../../view/figures.ts";
import type { Lack } from "./response.ts";

/** Returns why a list has no rows of the country that its filters name; undefined if they name none. */
export async function countryLack(
  { operation }: Responded,
  requested: URLSearchParams,
  [dataset, { read }]: readonly [string, PageContext],
): Promise<Lack | undefined> {
  const names = [twinOfCountry(operation.method.input)?.name ?? "", countryParameter];
  const country = names.flatMap((name) => countryOf(requested.get(name) ?? "") ?? [])[0];
  if (!country) return undefined;
  const { name, alpha2 } = country;
  const { message } = await readMessage(read, CatalogService.method.listCoverage, { dataset, country: alpha2 });
  const [found] = message?.coverage ?? [];
  if (!found) return undefined;
  if (found.reason === "not_covered") {
    const markup = html`<p><strong>${notCovered.word}.</strong> The dataset does not cover ${name}, so its values are unknown, and not 0.</p>`;
    return { availability: notCovered, markup };
  }
  const text =
    found.rows > 0
      ? `The dataset has ${amountText(found.rows, "row")} of ${name}, but none with the other filters`
      : `No row of ${name} is held`;
  const markup = html`<p><strong>No rows.</strong> ${text}, which does not prove that there is none: the sources may not cover it.</p>`;
  return { availability: noFigures, markup };
}
