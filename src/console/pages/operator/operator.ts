import { fromJson } from "@bufbuild/protobuf";
import type { Account, ListAccountsResponse } from "../../../../gen/es/ids/account/v1/account_pb.ts";
import { AccountService, ListAccountsResponseSchema } from "../../../../gen/es/ids/account/v1/account_pb.ts";
import { CatalogService, ListSourcesResponseSchema } from "../../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { operatorPlan } from "../../../access/keys/operator-keys.ts";
import { planKeys } from "../../../access/plans.ts";
import { InvalidRequest, NotAuthenticated, NotEntitled } from "../../../errors.ts";
import { type Html, html } from "../../../pages/html.ts";
import { operationFor } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import type { Sections } from "../../sections.ts";
import type { Done } from "../../session/deduplicated.ts";
import type { Call } from "../../session/writes.ts";
import { blockMaker, provenanceOf } from "../../view/block.ts";
import { numberText } from "../../view/figures.ts";
import { hiddenFields, problemIn, rejectionMarkup, textField } from "../../view/form-field.ts";
import { dayText } from "../../view/times.ts";
import type { Viewer } from "../../viewer.ts";
import type { PrivatePage } from "../account/private-page.ts";
import { type IsSet, lastReads, sourcesMarkup } from "./sources.ts";

const accountAction = "create-account";

function accountsMarkup({ accounts, pagination }: ListAccountsResponse, page: PageContext): Html {
  const hidden = hiddenFields(page);
  const isRejected = page.rejected?.action === accountAction;
  const own = (field: string) => ({
    value: isRejected ? (page.query.get(field) ?? "") : "",
    problem: problemIn(page, [accountAction], field),
  });
  const next = pagination?.nextCursor ?? "";
  return html`<div class="wide scrolls" role="region" aria-label="Table: Accounts" tabindex="0"><table class="cards"><thead><tr><th scope="col">Account</th><th scope="col">Name</th><th scope="col">Plan</th><th scope="col">Since</th><th scope="col">Change</th></tr></thead><tbody>${accounts.map((account) => rowMarkup(account, hidden))}</tbody></table></div>
${next !== "" && html`<p><a href="/operator?cursor=${encodeURIComponent(next)}">Next accounts</a></p>`}
<p class="small soft">${numberText(pagination?.totalCount ?? accounts.length)} accounts.</p>
${rejectionMarkup(page, [accountAction])}
<form class="filters" method="post" action="/operator/change">${hidden}<input type="hidden" name="action" value="${accountAction}">${textField({ id: "account-id", name: "id", label: "Id of a new account", attributes: html`required maxlength="64"`, ...own("id") })}${textField({ id: "account-name", name: "name", label: "Name", attributes: html`maxlength="200"`, ...own("name") })}<span class="field"><label for="account-plan">Plan</label>${planChoice("account-plan", own("plan").value || "free")}</span><button>Create account</button></form>`;
}

function rowMarkup({ id, name, plan, createdAt }: Account, hidden: Html): Html {
  const isFixed = plan === operatorPlan;
  const own = `plan-${id.replaceAll(/[^\w-]/g, "-")}`;
  return html`<tr><th scope="row">${id}</th><td data-label="Name">${name}</td><td data-label="Plan">${plan}</td><td class="time" data-label="Since">${dayText(Number(createdAt))}</td><td>${
    !isFixed &&
    html`<form class="actions" method="post" action="/operator/change">${hidden}<input type="hidden" name="account" value="${id}"><input type="hidden" name="name" value="Created by the operator"><label class="unseen" for="${own}">Plan of ${id}</label>${planChoice(own, plan)}<button class="quiet" name="action" value="set-plan">Set plan<span class="unseen"> of ${id}</span></button><button class="quiet" name="action" value="create-key">New key<span class="unseen"> for ${id}</span></button></form>`
  }</td></tr>\n`;
}

function planChoice(id: string, chosen: string): Html {
  return html`<select class="control" id="${id}" name="plan">${planKeys
    .filter((key) => key !== operatorPlan)
    .map((key) => html`<option${key === chosen && html` selected`}>${key}</option>`)}</select>`;
}

const { createAccount, setSubscription, createApiKey, listAccounts } = AccountService.method;
const accounts = operationFor(listAccounts);
const sources = operationFor(CatalogService.method.listSources);
const datasets = operationFor(CatalogService.method.listDatasets);

type OperatorParts = Pick<Sections, "metadata" | "isSample">;

export function operatorPage(sections: OperatorParts, isSet: IsSet): PrivatePage {
  return {
    path: "/operator",
    title: "Accounts and sources",
    markup: (page, notice) => markup(page, notice, sections, isSet),
    change,
    forms: [accountAction],
  };
}

async function markup(
  page: PageContext,
  notice: Html | undefined,
  { metadata, isSample }: OperatorParts,
  isSet: IsSet,
): Promise<Html> {
  requireOperator(page.viewer);
  const cursor = page.query.get("cursor") ?? "";
  const [listed, found, read] = await Promise.all([
    page.read(accounts, { page_size: 100, cursor }),
    page.read(sources),
    page.read(datasets),
  ]);
  const block = blockMaker(page, metadata);
  const accountsPage = listed.kind === "answered" ? fromJson(ListAccountsResponseSchema, listed.body) : undefined;
  const own = block({
    id: "accounts",
    title: "Accounts",
    about: "Create an account, then a key for it. The key is shown only once.",
    content: accountsPage && accountsMarkup(accountsPage, page),
    provenance: provenanceOf(listed),
  });
  const from = block({
    id: "sources",
    title: "Sources",
    about: html`The settings of each source, where to get them, and the result of the last read.${isSample && readSamples}`,
    content:
      found.kind === "answered"
        ? sourcesMarkup(fromJson(ListSourcesResponseSchema, found.body).sources, {
            ...{ reads: lastReads(read), isSet, isSample, page },
          })
        : undefined,
    provenance: { ...provenanceOf(found), isSample },
  });
  return html`<main id="content" tabindex="-1"><header class="top"><p class="crumbs"><a href="/account">Account</a></p><h1>Accounts and sources</h1></header>${notice}<div class="grid">${own.markup}${from.markup}</div></main>`;
}

/** Explains why a source without settings has data. */
const readSamples = html` These are samples: they have the displayed state and last read, and they need no settings. For real data, start the service with <code>IDS_DATA=live</code>.`;

/** Throws `NotAuthenticated` or `NotEntitled`. */
function requireOperator({ principal, isSignedIn }: Viewer): void {
  if (!isSignedIn) throw new NotAuthenticated("Sign in with the operator's key");
  if (principal?.plan.key !== operatorPlan) throw new NotEntitled("Operator key required");
}

/** The operations themselves require the operator's key. */
async function change(form: URLSearchParams, call: Call): Promise<Done> {
  const of = (name: string) => (form.get(name) ?? "").trim();
  switch (of("action")) {
    case "create-account":
      await call(createAccount, { id: of("id"), name: of("name"), plan: of("plan") });
      return { text: `The account ${of("id")} was created. Create a key for it next.` };
    case "set-plan":
      await call(setSubscription, { account: of("account"), plan: of("plan") });
      return { text: `The plan of ${of("account")} is now ${of("plan")}.` };
    case "create-key": {
      const { secret } = await call(createApiKey, { account: of("account"), name: of("name") });
      return { text: `The key of ${of("account")}`, secret };
    }
    default:
      throw new InvalidRequest([{ field: "action", description: "value must be one of the page's forms" }]);
  }
}
