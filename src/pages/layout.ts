import { shortened } from "./all-rows.ts";
import { framed, type Site, serviceName } from "./frame/frame.ts";
import { type Html, type HtmlValue, html } from "./html.ts";
import { inlineMarkup } from "./inline-markup.ts";

export interface TextPage {
  readonly title: string;
  readonly lead: string;
  readonly body: Html;
}

export function textPageMarkup({ title, lead, body }: TextPage, path: string, origin: string, site: Site): string {
  const content = html`<main id="content" class="text" tabindex="-1"><header class="top"><h1>${title}</h1><p class="lead">${inlineMarkup(lead)}</p></header>${body}</main>`;
  return framed({ title: `${title} - ${serviceName}`, description: lead, path, origin, body: content }, site);
}

/** If a table has more columns, a phone shows each row as a card. */
export const columnsOnPhone = 2;

/** Returns a table. Numbers are aligned to the right. Users can scroll a wide table with the keyboard. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
  numbers: readonly number[] = [],
): Html {
  const kind = (column: number) => numbers.includes(column) && html` class="number"`;
  const isCards = headings.length > columnsOnPhone;
  const labels = headings.map((text) => isCards && html` data-label="${text.replaceAll("`", "")}"`);
  const lines = rows.map(
    (cells) => html`<tr>${cells.map((cell, column) => html`<td${kind(column)}${labels[column]}>${cell}</td>`)}</tr>\n`,
  );
  const head = headings.map((text, column) => html`<th scope="col"${kind(column)}>${inlineMarkup(text)}</th>`);
  const around = (body: Html) =>
    html`<div class="wide" role="region" aria-label="${headings.join(", ")}" tabindex="0"><table${isCards && html` class="cards"`}><thead><tr>${head}</tr></thead>${body}</table></div>`;
  return shortened(lines, "rows", around);
}
