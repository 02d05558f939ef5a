import { asOfParameter } from "../contract/as-of.ts";
import { type Html, html, joined } from "../pages/html.ts";

/** Parameters that other sites and newsletters add to links. No notice names them, because they never select data. */
const ofTracking = /^(?:utm_\w+|(?:gcl|gbra|wbra|dcl|fbcl|msclk|twcl|ycl)id|mc_[ce]id|_g[al]|igshid|ref)$/;

/** Parameters that select an embedded block, and the one for a past time, which has a notice of its own. */
const alwaysKnown = new Set(["embed", "block", asOfParameter]);

const maxNames = 5;
const maxLength = 40;

/**
 * Returns the parameters of a URL that the page does not use. Their number and length are limited, because they are
 * part of the key of a cached page.
 */
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
