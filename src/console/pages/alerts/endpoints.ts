import type { Endpoint } from "../../../../gen/es/ids/alerts/v1/endpoint_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { type Availability, stateMarkup } from "../../view/availability.ts";
import { confirmMarkup } from "../../view/confirm.ts";
import { hiddenFields, problemIn, refusalMarkup, textField } from "../../view/form-field.ts";
import { dayText } from "../../view/times.ts";
import type { Visit } from "../../visit.ts";
import { action } from "./rules.ts";

const kinds: Readonly<Record<string, string>> = {
  webhook: "Webhook",
  slack: "Slack-compatible",
  email: "E-mail",
  feed: "Atom feed",
};

export const endpointAction = "create-endpoint";

/** Where rules report to, and the form of a new one. */
export function endpointsMarkup(endpoints: readonly Endpoint[], visit: Visit, sendsMail: boolean): Html {
  const { query } = visit;
  const problem = (field: string) => problemIn(visit, [endpointAction], field);
  const kind = query.get("kind") ?? "webhook";
  const offered = Object.entries(kinds).filter(([value]) => sendsMail || value !== "email");
  return html`${endpoints.length === 0 && html`<div class="nothing"><p><strong>No endpoints yet.</strong> Without one, rules count what they find and report it to nobody.</p></div>`}
${
  endpoints.length > 0 &&
  html`<div class="wide" role="region" aria-label="Table: Endpoints" tabindex="0"><table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col" class="grow">Target</th><th scope="col">State</th><th scope="col">Made</th><th scope="col">Change</th></tr></thead><tbody>${endpoints.map((endpoint) => rowMarkup(endpoint, visit))}</tbody></table></div>`
}
${refusalMarkup(visit, [endpointAction])}
<form class="filters" method="post" action="/alerts/change" autocomplete="off">${hiddenFields(visit)}<input type="hidden" name="action" value="${endpointAction}">${textField({ id: "endpoint-name", name: "label", label: "Name", value: query.get("label") ?? "", attributes: html`required maxlength="100"`, problem: problem("name") })}<span class="field"><label for="endpoint-kind">Kind</label><select id="endpoint-kind" name="kind">${offered.map(
    ([value, text]) => html`<option value="${value}"${value === kind && html` selected`}>${text}</option>`,
  )}</select></span>${textField({ id: "endpoint-target", name: "target", label: `https URL of a webhook or hook${sendsMail ? ", or e-mail address" : ""}; empty for a feed`, value: query.get("target") ?? "", attributes: html`maxlength="2048" spellcheck="false"`, isWide: true, problem: problem("target") })}<button>Add endpoint</button></form>`;
}

function stateOf({ state, disabledReason }: Endpoint): Availability {
  if (state === "active") return { tone: "good", word: "Active" };
  if (state === "unconfirmed") return { tone: "warn", word: "Unconfirmed" };
  return {
    tone: "bad",
    word: disabledReason === "gone" ? "Disabled: it answered 410" : "Disabled: every attempt failed",
  };
}

function rowMarkup(endpoint: Endpoint, visit: Visit): Html {
  const { id, name, kind, target, state, createdAt } = endpoint;
  const hasSecret = kind === "webhook" || kind === "feed";
  const confirm = html`<label class="unseen" for="code-${id}">Code for ${name}</label><input id="code-${id}" class="control code" name="code" maxlength="64" placeholder="Code" autocomplete="one-time-code"> ${action("confirm-endpoint", "Confirm", name)}`;
  return html`<tr><th scope="row">${name}</th><td data-label="Kind">${kinds[kind] ?? kind}</td><td class="text" data-label="Target">${target === "" ? "–" : target}</td><td data-label="State">${stateMarkup(stateOf(endpoint))}</td><td class="time" data-label="Made">${dayText(Number(createdAt))}</td><td><form class="actions" method="post" action="/alerts/change">${hiddenFields(visit)}<input type="hidden" name="endpoint-id" value="${id}">${state === "unconfirmed" && confirm}${state === "disabled" && action("reactivate-endpoint", "Enable again", name)} ${hasSecret && action("rotate-endpoint", kind === "feed" ? "New address" : "New secret", name)} ${confirmMarkup({ action: "delete-endpoint", text: "Delete", name, warning: "Rules report to it no more, what waits for it is not sent, and the list of its deliveries goes with it." })}</form></td></tr>\n`;
}
