import type { Operation } from "../../contract/catalog.ts";
import { defaultOf } from "../../contract/parameter-default.ts";
import { type Html, html } from "../../pages/html.ts";
import { labelOf } from "./labels.ts";
import { choicesOf, isChoiceOfRows } from "./request-form.ts";
import { limitNames } from "./row-limit.ts";

/** What the rows of a read leave out by itself, as nobody has chosen it. */
export function defaultsMarkup({ method }: Operation, requested: URLSearchParams): Html | undefined {
  const taken = method.input.fields.flatMap((field) => {
    const { name } = field;
    if (requested.has(name) || choicesOf(field) || !(limitNames.has(name) || isChoiceOfRows(field))) return [];
    const words = defaultOf(field);
    return words === undefined ? [] : [`${limitNames.has(name) ? "Rows, at most" : labelOf(name)}: ${words}`];
  });
  return taken.length === 0 ? undefined : html`<p class="small soft">Where nothing is chosen: ${taken.join("; ")}.</p>`;
}
