import { type Html, html } from "./html.ts";

/** Converts backticks to code and `[text](address)` to links, if the address is https or of this service. */
export function inlineMarkup(text: string): Html {
  const parts = text.split(/(`[^`]*`|\[[^\]]*\]\((?:\/(?!\/)|#|https:\/\/)[^)\s]*\))/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : marked(part)))}`;
}

function marked(part: string): Html {
  if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
  const middle = part.lastIndexOf("](");
  return html`<a href="${part.slice(middle + 2, -1)}">${part.slice(1, middle)}</a>`;
}
