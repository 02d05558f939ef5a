import type { Site } from "./frame/frame.ts";
import { type Html, html } from "./html.ts";
import { inlineMarkup } from "./inline-markup.ts";

export const keyHeading = "How to get a key";

/** Says how the operator of the service gets an API key. */
export const operatorAdvice =
  "If you run this service yourself, [sign in](/account?to=/operator) with the operator's key. Create an account and its key at `/operator`, or with `ids call create-account` and `ids keys create`. The first start with live data writes the operator's key to the file `operator-key` in the data folder, unless you set `IDS_OPERATOR_KEY`.";

/** Says how users of the service get an API key. */
export function keyAdvice({ operator, hasDemoKeys }: Site): readonly string[] {
  const who = operator.name ?? "the operator of this service";
  const how = operator.contact === undefined ? "no contact is published" : "contact";
  return [
    ...(hasDemoKeys ? ["To try the service, use a demo key from the [sign-in page](/account)."] : []),
    `For your own key, ask ${who} for an account ([${how}](/about#who-runs-this)). The [documentation](/docs) marks operations that need no key.`,
  ];
}

export function gettingKeyMarkup(site: Site): Html {
  const [operator, ...users] = [operatorAdvice, ...keyAdvice(site)].map((text) => html`<p>${inlineMarkup(text)}</p>\n`);
  return html`<h2 id="get-a-key">${keyHeading}</h2>
${users}<details><summary>For the operator</summary>${operator}</details>`;
}
