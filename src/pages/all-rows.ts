import { type Html, html } from "./html.ts";

/** Number of rows of a long list that a phone shows before the user expands it. */
const shownOnPhone = 20;

/** Collapses a long list on a phone. The user can expand it without a script. */
export function shortened(rows: readonly Html[], what: string, list: (body: Html) => Html): Html {
  const beyond = rows.slice(shownOnPhone);
  if (beyond.length === 0) return list(html`<tbody>${rows}</tbody>`);
  const body = html`<tbody>${rows.slice(0, shownOnPhone)}</tbody><tbody class="beyond">${beyond}</tbody>`;
  return html`<div class="shortened">${list(body)}
<label class="all-rows"><input type="checkbox" class="show-all" autocomplete="off"><span>Show all ${rows.length.toLocaleString("en")} ${what} <span class="soft">${shownOnPhone} are shown</span></span></label></div>`;
}
