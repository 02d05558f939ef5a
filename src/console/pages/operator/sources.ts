import type { Source } from "../../../../gen/es/ids/catalog/v1/source_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { catalogState, stateMarkup } from "../../view/availability.ts";

/** Those that miss something first: they are what there is to do. */
export function sourcesMarkup(sources: readonly Source[]): Html {
  const ordered = [...sources].sort((a, b) => Number(a.configured) - Number(b.configured));
  return html`<div class="wide scrolls" role="region" aria-label="Table: Sources" tabindex="0"><table class="cards"><thead><tr><th scope="col">Source</th><th scope="col">State</th><th scope="col">Settings</th><th scope="col">Cost</th><th scope="col">Quota</th><th scope="col">Terms</th><th scope="col">To be had</th></tr></thead><tbody>${ordered.map(rowMarkup)}</tbody></table></div>
<p class="small soft">Settings are variables of the service's environment; <code>ids sources check</code> asks a source once and tells what it says.</p>`;
}

function rowMarkup({ name, state, configured, variables, access, license }: Source): Html {
  const signUp = access?.signUp ?? "";
  return html`<tr><th scope="row">${name}</th><td data-label="State">${stateMarkup(catalogState(state))}</td><td data-label="Settings">${variables.length === 0 ? "none" : variables.map((variable) => html`<code>${variable.name}</code> `)}${!configured && html`<span class="tag">missing</span>`}</td><td class="text" data-label="Cost">${access?.cost}</td><td class="text" data-label="Quota">${access?.quota}</td><td class="text lines">${license?.terms} <span class="tag">${license?.kind}</span></td><td data-label="To be had">${signUp.startsWith("https://") && html`<a href="${signUp}" rel="noopener noreferrer nofollow">Sign up<span class="unseen"> at ${name}</span></a>`}</td></tr>\n`;
}
