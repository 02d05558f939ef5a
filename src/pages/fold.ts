import { type Html, html } from "./html.ts";

/** How much is folded: a number, and what of, such as `row`. */
export type Amount = readonly [count: number, one: string];

export interface Fold {
  /** Anchor of what is folded: a link to it, and the browser's search, unfold it. */
  readonly id: string;
  readonly level: 2 | 3;
  readonly title: string;
  readonly amount: Amount;
  readonly content: Html;
}

/** A part of a long page under its heading alone, until it is asked for; no script is needed for that. */
export function folded({ id, level, title, amount: [count, one], content }: Fold): Html {
  const text = html`${title} <small>${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}</small>`;
  return html`<details class="fold"><summary>${level === 2 ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`}</summary>
<div id="${id}">${content}</div></details>\n`;
}
