import type { Site } from "./frame/frame.ts";
import { type Html, html } from "./html.ts";
import { inlineMarkup } from "./reference/markup/block-markup.ts";

/** The part of a page that says how to get a key. */
export const keyHeading = "How to get a key";

/** How somebody gets a key of this service; back-ticks and links as the reference has them. */
export function keyAdvice({ operator, hasDemoKeys }: Site): readonly string[] {
  const who = operator.name ?? "the operator of this service";
  const how = operator.contact === undefined ? "the operator has not said how to be reached" : "how to reach them";
  return [
    ...(hasDemoKeys ? ["To try it: the demo keys on the [sign-in page](/account) are for everybody."] : []),
    `For one of your own: ask ${who} for an account ([${how}](/about#who-runs-this)). What needs no key is marked in the [documentation](/docs).`,
    "If you run this service yourself: [sign in](/account?to=/operator) with the operator's key and make an account and its key at `/operator`, or with `ids accounts create` and `ids keys create`. The first start with live data writes the operator's key into the file `operator-key` of the data folder; `IDS_OPERATOR_KEY` sets it.",
  ];
}

/** That part of a page. */
export function gettingKeyMarkup(site: Site): Html {
  return html`<h2 id="get-a-key">${keyHeading}</h2>
${keyAdvice(site).map((text) => html`<p>${inlineMarkup(text)}</p>\n`)}`;
}
