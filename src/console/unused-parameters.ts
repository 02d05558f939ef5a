import { asOfParameter } from "../contract/as-of.ts";
import { type Html, html, joined } from "../pages/html.ts";

/** Parameters that other sites and newsletters add to links. They never select data, so a page does not name them. */
const ofTracking = /^(?:utm_\w+|(?:gcl|gbra|wbra|dcl|fbcl|msclk|twcl|ycl)id|mc_[ce]id|_g[al]|igshid|ref)$/;

/** Parameters of embeds, and one with a notice of its own. */
const alwaysKnown = new Set(["embed", "block", asOfParameter]);

const maxNames = 5;
const maxLength = 40;

/** Returns the unused parameters of a URL. The key of the cached page has them, so number and length are limited. */
export function unusedIn(query: string | URLSearchParams, known: ReadonlySet<string>): readonly string[] {
  return [...new Set(new URLSearchParams(query).keys())]
    .filter((name) => name !== "" && !known.has(name) && !alwaysKnown.has(name) && !ofTracking.test(name))
    .slice(0, maxNames)
    .map((name) => (name.length > maxLength ? `${[...name].slice(0, maxLength).join("")}…` : name));
}

export function unusedMarkup(names: readonly string[]): Html | undefined {
  return names.length === 0
    ? undefined
    : html`<aside class="notice" aria-label="Parameters"><p>Not used: ${joined(names.map((name) => html`<code>${name}</code>`))}</p></aside>`;
}
