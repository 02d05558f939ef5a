import type { Operation } from "../../../contract/catalog.ts";
import { type Html, html } from "../../../pages/html.ts";
import { addressWithout } from "../../address.ts";
import type { Visit } from "../../visit.ts";

/** Above rows that are sorted by a column: how far that goes, and how it ends. Embeds have no filters. */
export function sortNote({ method }: Operation, { path, query, isEmbed }: Visit): Html {
  const isOrdered = !isEmbed && method.input.fields.some(({ name }) => name === "sort");
  return html`<p class="small soft">Sorted on this page only: files and the curl line keep the order of the API${isOrdered && ", which the Sort filter sets"}. <a href="${addressWithout("order", path, query)}">Remove this sort</a></p>`;
}
