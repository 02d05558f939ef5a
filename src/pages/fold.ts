import { type Html, html } from "./html.ts";

/** The number of items in the collapsed part, and what one item is called, such as `row`. */
export type Amount = readonly [count: number, one: string];

export interface Fold {
  /** Anchor of the collapsed part. A link to it, or a search in the page, expands it. */
  readonly id: string;
  readonly level: 2 | 3;
  readonly title: string;
  readonly amount: Amount;
  readonly content: Html;
}

/** Collapses a part of a long page under its heading. The user can expand it without a script. */
export function folded({ id, level, title, amount: [count, one], content }: Fold): Html {
  const text = html`${title} <small>${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}</small>`;
  return html`<details class="fold"><summary>${level === 2 ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`}</summary>
<div id="${id}">${content}</div></details>\n`;
}
