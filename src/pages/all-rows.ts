import { type Html, html } from "./html.ts";

/** So many rows of a long list are shown on a phone at first; the style says the same. */
const shownOnPhone = 20;

/** A list that is short on a phone until all of it is asked for; no script is needed for that. */
export function shortened(list: Html, rows: number, what: string): Html {
  if (rows <= shownOnPhone) return list;
  return html`<div class="shortened">${list}
<label class="all-rows"><input type="checkbox" class="show-all" autocomplete="off">Show all ${rows.toLocaleString("en")} ${what}</label></div>`;
}
