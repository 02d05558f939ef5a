import { type Html, html } from "./html.ts";

/** So many rows of a long list are shown on a phone at first. */
const shownOnPhone = 20;

/** A list around the rows of its table, short on a phone until all of them are asked for; no script is needed for that. */
export function shortened(rows: readonly Html[], what: string, list: (body: Html) => Html): Html {
  const beyond = rows.slice(shownOnPhone);
  if (beyond.length === 0) return list(html`<tbody>${rows}</tbody>`);
  const body = html`<tbody>${rows.slice(0, shownOnPhone)}</tbody><tbody class="beyond">${beyond}</tbody>`;
  return html`<div class="shortened">${list(body)}
<label class="all-rows"><input type="checkbox" class="show-all" autocomplete="off"><span>Show all ${rows.length.toLocaleString("en")} ${what} <span class="soft">${shownOnPhone} are shown</span></span></label></div>`;
}
