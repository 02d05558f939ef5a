import { shortened } from "./all-rows.ts";
import { escaped, inline } from "./escape.ts";
import { framed, type Site, serviceName } from "./frame/frame.ts";
import { Html, html } from "./html.ts";

export interface TextPage {
  readonly title: string;
  readonly lead: string;
  readonly body: string;
}

export function textPageMarkup({ title, lead, body }: TextPage, path: string, origin: string, site: Site): string {
  const content = html`<main id="content" class="text" tabindex="-1"><header class="top"><h1>${title}</h1><p class="lead">${Html.of([inline(lead)], [])}</p></header>${Html.of([body], [])}</main>`;
  return framed({ title: `${title} - ${serviceName}`, description: lead, path, origin, body: content }, site);
}

export function page(title: string, lead: string, body: string): TextPage {
  return { title, lead, body };
}

/** If a table has more columns, a phone shows each row as a card. */
export const columnsOnPhone = 2;

/** Returns a table. Numbers are aligned to the right. Users can scroll a wide table with the keyboard. */
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
