import { shortened } from "./all-rows.ts";
import { escaped, inline } from "./escape.ts";
import { framed, type Site } from "./frame/frame.ts";
import { Html, html } from "./html.ts";

/** A page of text without scripts of its own: title, the sentence below it, and what follows as markup. */
export interface TextPage {
  readonly title: string;
  readonly lead: string;
  readonly body: string;
}

/** It whole, in the frame of all pages. */
export function textPageMarkup({ title, lead, body }: TextPage, path: string, site: Site): string {
  const content = html`<main id="content" class="text" tabindex="-1"><header class="top"><h1>${title}</h1><p class="lead">${Html.of([inline(lead)], [])}</p></header>${Html.of([body], [])}</main>`;
  return framed({ title: `${title} - Intelligence Data Service`, description: lead, path, body: content }, site);
}

export function page(title: string, lead: string, body: string): TextPage {
  return { title, lead, body };
}

/** More columns than these are cards on a phone. */
export const columnsOnPhone = 2;

/** Rows under their headings; columns named as numbers are set to the right. The keyboard can scroll what is wider than the page. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[] = [],
): string {
  const kind = (column: number) => (numbers.includes(column) ? ' class="number"' : "");
  const head = headings.map((text, column) => `<th scope="col"${kind(column)}>${inline(text)}</th>`).join("");
  const isCards = headings.length > columnsOnPhone;
  const labels = headings.map((text) => (isCards ? ` data-label="${escaped(text.replaceAll("`", ""))}"` : ""));
  const cell = (text: string, column: number) => `<td${kind(column)}${labels[column] ?? ""}>${text}</td>`;
  const lines = rows.map((row) => Html.of([`<tr>${row.map(cell).join("")}</tr>\n`], []));
  const name = escaped(headings.join(", "));
  const around = ({ markup }: Html) =>
    `<div class="wide" role="region" aria-label="${name}" tabindex="0"><table${isCards ? ' class="cards"' : ""}><thead><tr>${head}</tr></thead>${markup}</table></div>`;
  return shortened(lines, "rows", (rowsMarkup) => Html.of([around(rowsMarkup)], [])).markup;
}
