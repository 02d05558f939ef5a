import { sessionHours } from "../../../access/sessions/sessions.ts";
import type { Site } from "../../../pages/frame/frame.ts";
import { gettingKeyMarkup } from "../../../pages/getting-key.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { DemoKey } from "../../../pages/reference/reference.ts";
import { addressOf } from "../../address.ts";
import type { PageContext } from "../../page-context.ts";
import { problemMarkup, rejectedAttributes } from "../../view/form-field.ts";

const tiers = ["free", "pro", "api", "enterprise"];

export function signInMarkup(
  { path, query, viewer }: PageContext,
  site: Site,
  demoKeys: readonly DemoKey[],
  introduction?: Html,
): Html {
  const problem = query.get("failed") === "1" ? "This key is not valid here." : undefined;
  return html`<main id="content" class="text" tabindex="-1"><header class="top"><h1>Sign in</h1>
<p class="lead">With an API key you see your keys, usage, limits, and feed URLs. Pages show the data of your plan, or the public data if that is more.</p>${introduction}</header>
${problem !== undefined && html`<div class="notice bad" role="alert" tabindex="-1" autofocus><p>${problem}</p></div>`}
${viewer.hasEnded && html`<div class="notice" role="status"><p>Your session has ended: its ${sessionHours} hours are over, or its key was revoked or has expired. Sign in again with a valid key.</p></div>`}
<form class="filters" method="post" action="/account/sign-in" autocomplete="off">
<input type="hidden" name="to" value="${query.get("to") ?? wayBack(path, query)}">
<span class="field wide-field"><label for="key">API key</label><input id="key" name="key" type="password" required maxlength="64" autocomplete="off" spellcheck="false"${rejectedAttributes("key", problem)}>${problemMarkup("key", problem)}</span>
<button>Sign in</button></form>
<p class="small soft">The key is exchanged for a session of ${sessionHours} hours, and the browser does not store it. The session ends with the key.</p>
${
  demoKeys.length > 0 &&
  html`<h2>Demo keys</h2><p>This service runs on sample data. You can use its demo keys:</p><dl class="facts-list">${demoKeys.map(({ key, tier }) => html`<dt>${tiers[tier] ?? tier}</dt><dd><code>${key}</code></dd>`)}</dl>`
}
${gettingKeyMarkup({ ...site, hasDemoKeys: false })}
<p><a href="/plans">What the plans allow and cost</a> · <a href="/about#privacy">Data about visitors</a></p></main>`;
}

function wayBack(path: string, query: URLSearchParams): string {
  return path === "/account" ? path : addressOf(path, query);
}
