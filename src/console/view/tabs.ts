import { type Html, html } from "../../pages/html.ts";

export type Tab = readonly [text: string, path: string, isHere: boolean];

/** Links to views of a page, of which one is shown. */
export function tabs(label: string, links: readonly Tab[]): Html {
  return html`<nav aria-label="${label}"><ul class="tabs">${links.map(
    ([text, path, isHere]) => html`<li><a href="${path}"${isHere && html` aria-current="true"`}>${text}</a></li>`,
  )}</ul></nav>`;
}
