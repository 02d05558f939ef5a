import { type Html, html } from "../../../pages/html.ts";
import { labelOf } from "../../view/labels.ts";

/** `macro.gdp_per_capita` as `Macro GDP per capita`. */
export function seriesName(id: string): string {
  return labelOf(id.replaceAll(".", "_"));
}

/** With the id by which the API knows it. */
export function namedSeries(id: string): Html {
  return html`${seriesName(id)} <code class="soft">${id}</code>`;
}
