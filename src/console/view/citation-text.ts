import { allVersionsDays } from "../../contract/as-of.ts";
import { guidesBase } from "../../pages/guides/guide.ts";
import { type Html, html } from "../../pages/html.ts";
import { type CitedRead, citationPath } from "../metadata.ts";

/** Links to the citations of a response, and says how long their address lasts. */
export function citationText(cited: CitedRead): Html {
  return html`<p>As <a href="${citationPath(cited, "text")}">text</a> or <a href="${citationPath(cited, "bibtex")}">BibTeX</a>. Its address returns the same bytes for ${allVersionsDays} days. An address of the end of a past day lasts as long as the history of your plan: <a href="${guidesBase}/history#cite-a-response">cite a past day</a>.</p>`;
}
