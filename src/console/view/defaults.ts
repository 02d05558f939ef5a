import type { Operation } from "../../contract/catalog.ts";
import { defaultOf } from "../../contract/parameter-default.ts";
import { type Html, html } from "../../pages/html.ts";
import { labelOf } from "./labels.ts";
import { choicesOf, isChoiceOfRows } from "./request-form.ts";
import { limitNames } from "./row-limit.ts";

/** Describes the default filters of a read that the viewer has not changed. */
export function defaultsMarkup({ method }: Operation, requested: URLSearchParams): Html | undefined {
  const taken = method.input.fields.flatMap((field) => {
    const { name } = field;
    if (requested.has(name) || choicesOf(field) || !(limitNames.has(name) || isChoiceOfRows(field))) return [];
    const words = defaultOf(field);
    return words === undefined ? [] : [`${limitNames.has(name) ? "Rows, at most" : labelOf(name)}: ${words}`];
  });
  return taken.length === 0 ? undefined : html`<p class="small soft">Default filters: ${taken.join("; ")}.</p>`;
}
