import { catalog } from "../../../contract/catalog.ts";
import { type Html, html } from "../../../pages/html.ts";
import { titleOf } from "../../../pages/reference/contents.ts";
import {
  hiddenFields,
  problemIn,
  problemMarkup,
  refusalMarkup,
  refusedAttributes,
  textField,
} from "../../view/form-field.ts";
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
${scopes.length > 0 && rightsMarkup(scopes, chosen, problem("scopes"))}
<button>Make a key</button></form>`;
}

function rightsMarkup(scopes: readonly string[], chosen: ReadonlySet<string>, problem: string | undefined): Html {
  const id = "key-scopes";
  return html`<fieldset class="checks"${refusedAttributes(id, problem)}><legend>Rights beside reading the data of the plan</legend>${problemMarkup(id, problem)}<div>${scopes.map(
    (scope) =>
      html`<label><input type="checkbox" name="scope" value="${scope}"${chosen.has(scope) && html` checked`}> <span><code>${scope}</code> <span class="soft">${usesOf(scope)}</span></span></label>`,
  )}</div></fieldset>`;
}

/** The operations that need a right. */
function usesOf(scope: string): string {
  const titles = catalog.filter(({ access }) => access.scope === scope).map(titleOf);
  const named = titles.slice(0, maxNamed).join(", ").toLowerCase();
  return titles.length > maxNamed ? `${named} and ${titles.length - maxNamed} more` : named;
}
