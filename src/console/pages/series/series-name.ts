import { type Html, html } from "../../../pages/html.ts";
import { labelOf } from "../../view/labels.ts";

/** Returns `Macro GDP per capita` for `macro.gdp_per_capita`. */
export function seriesName(id: string): string {
  return labelOf(id.replaceAll(".", "_"));
}

export function namedSeries(id: string): Html {
  return html`${seriesName(id)} <code class="soft">${id}</code>`;
}
