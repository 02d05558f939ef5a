import { catalog } from "../../../contract/catalog.ts";
import { type Html, html } from "../../../pages/html.ts";
import { titleOf } from "../../../pages/reference/contents.ts";
import { checksField, hiddenFields, problemIn, refusalMarkup, textField } from "../../view/form-field.ts";
import type { Visit } from "../../visit.ts";

export const keyAction = "create-key";

/** So that who signs in with it sees the keys. */
const firstScopes = ["keys:read"];
/** Operations that are named beside a right. */
const maxNamed = 3;

/** The form of a new key, with the rights that the key of this session can give. */
export function newKeyMarkup(visit: Visit): Html {
  const { viewer, query, refused } = visit;
  const scopes = [...(viewer.principal?.scopes ?? [])].sort((a, b) => a.localeCompare(b, "en"));
  const isRefused = refused?.action === keyAction;
  const chosen = new Set(isRefused ? query.getAll("scope") : firstScopes);
  const problem = (field: string) => problemIn(visit, [keyAction], field);
  return html`${refusalMarkup(visit, [keyAction])}
<form class="filters" method="post" action="/account/change">${hiddenFields(visit)}<input type="hidden" name="action" value="${keyAction}">
${textField({ id: "key-name", name: "name", label: "Name of a new key", value: isRefused ? (query.get("name") ?? "") : "", attributes: html`required maxlength="100"`, isWide: true, problem: problem("name") })}
${scopes.length > 0 && checksField({ id: "key-scopes", name: "scope", legend: "Rights beside reading the data of the plan", choices: scopes.map(rightChoice), chosen, problem: problem("scopes") })}
<button>Make a key</button></form>`;
}

function rightChoice(scope: string) {
  return [scope, html`<span><code>${scope}</code> <span class="soft">${usesOf(scope)}</span></span>`] as const;
}

/** The operations that need a right. */
function usesOf(scope: string): string {
  const titles = catalog.filter(({ access }) => access.scope === scope).map(titleOf);
  const named = titles
    .slice(0, maxNamed)
    .map((title) => title.charAt(0).toLowerCase() + title.slice(1))
    .join(", ");
  return titles.length > maxNamed ? `${named} and ${titles.length - maxNamed} more` : named;
}
