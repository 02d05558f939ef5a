import { maxSearchLetters } from "../frame/frame.ts";
import { type Html, html } from "../html.ts";

export const docsSearchPath = "/docs/search";

/** Returns the form for searching guides and operations. It works without a script. */
export function docsSearchForm(id = "docs-search", text = ""): Html {
  return html`<form class="search" action="${docsSearchPath}" role="search" aria-label="Documentation"><label for="${id}">Search the documentation</label><input id="${id}" name="q" type="search" value="${text}" maxlength="${maxSearchLetters}" placeholder="Task, operation, or field" autocomplete="off"></form>`;
}
