import type { Account, ListAccountsResponse } from "../../../../gen/es/ids/account/v1/account_pb.ts";
import { operatorPlan } from "../../../access/keys/operator-keys.ts";
import { planKeys } from "../../../access/plans.ts";
import { type Html, html } from "../../../pages/html.ts";
import { numberText } from "../../view/figures.ts";
import { hiddenFields, problemIn, refusalMarkup, textField } from "../../view/form-field.ts";
import { dayText } from "../../view/times.ts";
import type { Visit } from "../../visit.ts";

export const accountAction = "create-account";

export function accountsMarkup({ accounts, pagination }: ListAccountsResponse, visit: Visit): Html {
  const hidden = hiddenFields(visit);
  const isRefused = visit.refused?.action === accountAction;
  const own = (field: string) => ({
    value: isRefused ? (visit.query.get(field) ?? "") : "",
    problem: problemIn(visit, [accountAction], field),
  });
  const next = pagination?.nextCursor ?? "";
  return html`<div class="wide scrolls" role="region" aria-label="Table: Accounts" tabindex="0"><table class="cards"><thead><tr><th scope="col">Account</th><th scope="col">Name</th><th scope="col">Plan</th><th scope="col">Since</th><th scope="col">Change</th></tr></thead><tbody>${accounts.map((account) => rowMarkup(account, hidden))}</tbody></table></div>
${next !== "" && html`<p><a href="/operator?cursor=${encodeURIComponent(next)}">Next accounts</a></p>`}
<p class="small soft">${numberText(pagination?.totalCount ?? accounts.length)} accounts.</p>
${refusalMarkup(visit, [accountAction])}
<form class="filters" method="post" action="/operator/change">${hidden}<input type="hidden" name="action" value="${accountAction}">${textField({ id: "account-id", name: "id", label: "Id of a new account", attributes: html`required maxlength="64"`, ...own("id") })}${textField({ id: "account-name", name: "name", label: "Name", attributes: html`maxlength="200"`, ...own("name") })}<span class="field"><label for="account-plan">Plan</label>${planChoice("account-plan", own("plan").value || "free")}</span><button>Make an account</button></form>`;
}

function rowMarkup({ id, name, plan, createdAt }: Account, hidden: Html): Html {
  const isFixed = plan === operatorPlan;
  const own = `plan-${id.replaceAll(/[^\w-]/g, "-")}`;
  return html`<tr><th scope="row">${id}</th><td data-label="Name">${name}</td><td data-label="Plan">${plan}</td><td class="time" data-label="Since">${dayText(Number(createdAt))}</td><td>${
    !isFixed &&
    html`<form class="actions" method="post" action="/operator/change">${hidden}<input type="hidden" name="account" value="${id}"><input type="hidden" name="name" value="Made by the operator"><label class="unseen" for="${own}">Plan of ${id}</label>${planChoice(own, plan)}<button class="quiet" name="action" value="set-plan">Set plan<span class="unseen"> of ${id}</span></button><button class="quiet" name="action" value="create-key">New key<span class="unseen"> for ${id}</span></button></form>`
  }</td></tr>\n`;
}

function planChoice(id: string, chosen: string): Html {
  return html`<select class="control" id="${id}" name="plan">${planKeys
    .filter((key) => key !== operatorPlan)
    .map((key) => html`<option${key === chosen && html` selected`}>${key}</option>`)}</select>`;
}
