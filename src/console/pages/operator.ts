import { type Account, AccountService, type ListAccountsResponse } from "../../../gen/es/ids/account/v1/account_pb.ts";
import { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { DatasetSource } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import type { Source } from "../../../gen/es/ids/catalog/v1/source_pb.ts";
import { operatorPlan } from "../../access/keys/operator-keys.ts";
import { planKeys } from "../../access/plans.ts";
import { NotAuthenticated, NotEntitled } from "../../errors.ts";
import { type Html, html } from "../../pages/html.ts";
import { type MessageRead, readMessage } from "../metadata.ts";
import type { PageContext } from "../page-context.ts";
import { catalogState, failureText, stateMarkup } from "../view/availability.ts";
import { blockOf, provenanceOf } from "../view/block.ts";
import { numberText } from "../view/figures.ts";
import { hiddenFields, rejectedField, rejectionMarkup, textField } from "../view/form-field.ts";
import { agoIfEver, dayText } from "../view/times.ts";
import type { Viewer } from "../viewer.ts";
import { done, type PrivatePage } from "./account/private-page.ts";

type IsSet = (variable: string) => boolean;

/** The last read of each source, by name. For a source of several datasets, the newest one. */
type LastReads = ReadonlyMap<string, DatasetSource>;

function lastReads({ message }: MessageRead<typeof listDatasets.output>): LastReads {
  const uses = (message?.datasets ?? []).flatMap(({ sources }) => sources);
  const sorted = uses.toSorted((a, b) => Number((a.lastRunAt ?? 0n) - (b.lastRunAt ?? 0n)));
  return new Map(sorted.map((use) => [use.name, use]));
}

interface SourcesView {
  readonly reads: LastReads;
  readonly isSet: IsSet;
  readonly page: PageContext;
}

/** Lists sources. Those with missing settings come first, because the operator must act. */
function sourcesMarkup(sources: readonly Source[], view: SourcesView): Html {
  const ordered = [...sources].sort((a, b) => Number(a.configured) - Number(b.configured));
  return html`<div class="wide scrolls" role="region" aria-label="Table: Sources" tabindex="0"><table class="cards"><thead><tr><th scope="col">Source</th><th scope="col">State</th><th scope="col">Last read</th><th scope="col">Last failure</th><th scope="col">Settings</th><th scope="col">Cost</th><th scope="col">Quota</th><th scope="col">Terms</th><th scope="col">Where to get it</th></tr></thead><tbody>${ordered.map((source) => sourceRow(source, view))}</tbody></table></div>
<p class="small soft">Settings are variables of the service's environment; <code>ids sources check</code> requests a source once and shows the result.</p>`;
}

function sourceRow(source: Source, { reads, isSet, page: { now, isSample } }: SourcesView): Html {
  const { name, state, configured, variables, access, license } = source;
  const read = reads.get(name);
  const signUp = access?.signUp ?? "";
  const settings = variables.map(
    ({ name: variable }) =>
      html`<code>${variable}</code> <span class="tag">${isSet(variable) ? "set" : "not set"}</span> `,
  );
  return html`<tr><th scope="row">${name}</th><td data-label="State"><div>${stateMarkup(catalogState(state))}${isSample && html` <span class="tag sample">Sample</span>`}</div></td><td class="time" data-label="Last read">${read ? agoIfEver(read.lastRunAt, now) : "on request only"}</td><td class="text" data-label="Last failure">${(read && failureText(read)) ?? "none"}</td><td data-label="Settings"><div>${variables.length === 0 ? "none" : settings}${!configured && html`<span class="tag">a required setting is missing</span>`}</div></td><td class="text" data-label="Cost">${access?.cost}</td><td class="text" data-label="Quota">${access?.quota}</td><td class="text lines">${license?.terms} <span class="tag">${license?.kind}</span></td><td data-label="Where to get it">${signUp.startsWith("https://") && html`<a href="${signUp}" rel="noopener noreferrer nofollow">Sign up<span class="unseen"> at ${name}</span></a>`}</td></tr>\n`;
}

const accountAction = "create-account";

function accountsMarkup({ accounts, pagination }: ListAccountsResponse, page: PageContext): Html {
  const hidden = hiddenFields(page);
  const own = (field: string) => rejectedField(page, accountAction, field);
  const next = pagination?.nextCursor ?? "";
  return html`<div class="wide scrolls" role="region" aria-label="Table: Accounts" tabindex="0"><table class="cards"><thead><tr><th scope="col">Account</th><th scope="col">Name</th><th scope="col">Plan</th><th scope="col">Since</th><th scope="col">Change</th></tr></thead><tbody>${accounts.map((account) => accountRow(account, hidden))}</tbody></table></div>
${next !== "" && html`<p><a href="/operator?cursor=${encodeURIComponent(next)}">Next accounts</a></p>`}
<p class="small soft">${numberText(pagination?.totalCount ?? accounts.length)} accounts.</p>
${rejectionMarkup(page, [accountAction])}
<form class="filters" method="post" action="/operator/change">${hidden}<input type="hidden" name="action" value="${accountAction}">${textField({ id: "account-id", name: "id", label: "Id of a new account", attributes: html`required maxlength="64"`, ...own("id") })}${textField({ id: "account-name", name: "name", label: "Name", attributes: html`maxlength="200"`, ...own("name") })}<span class="field"><label for="account-plan">Plan</label>${planChoice("account-plan", own("plan").value || "free")}</span><button>Create account</button></form>`;
}

function accountRow({ id, name, plan, createdAt }: Account, hidden: Html): Html {
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
const { listSources, listDatasets } = CatalogService.method;

export function operatorPage(isSet: IsSet): PrivatePage {
  return {
    path: "/operator",
    title: "Accounts and sources",
    markup: (page, notice) => markup(page, notice, isSet),
    actions,
    parameters: ["cursor"],
    forms: [accountAction],
  };
}

async function markup(page: PageContext, notice: Html | undefined, isSet: IsSet): Promise<Html> {
  requireOperator(page.viewer);
  const { isSample } = page;
  const cursor = page.query.get("cursor") ?? "";
  const [listed, found, read] = await Promise.all([
    readMessage(page.read, listAccounts, { page_size: 100, cursor }),
    readMessage(page.read, listSources),
    readMessage(page.read, listDatasets),
  ]);
  const own = blockOf(page, {
    id: "accounts",
    title: "Accounts",
    about: "Create an account, then a key for it. The key is shown only once.",
    content: listed.message && accountsMarkup(listed.message, page),
    provenance: provenanceOf(listed.response),
  });
  const from = blockOf(page, {
    id: "sources",
    title: "Sources",
    about: html`The settings of each source, where to get them, and the result of the last read.${isSample && readSamples}`,
    content: found.message && sourcesMarkup(found.message.sources, { reads: lastReads(read), isSet, page }),
    provenance: { ...provenanceOf(found.response), isSample },
  });
  return html`<main id="content" tabindex="-1"><header class="top"><p class="crumbs"><a href="/account">Account</a></p><h1>Accounts and sources</h1></header>${notice}<div class="grid">${own.markup}${from.markup}</div></main>`;
}

/** Explains why a source shows data although its settings are missing. */
const readSamples = html` These are samples: they have the displayed state and last read, and they need no settings. For real data, start the service with <code>IDS_DATA=live</code>.`;

/** Throws `NotAuthenticated` or `NotEntitled` unless the viewer is the operator. */
function requireOperator({ principal, isSignedIn }: Viewer): void {
  if (!isSignedIn) throw new NotAuthenticated("Sign in with the operator's key");
  if (principal?.plan.key !== operatorPlan) throw new NotEntitled("Operator key required");
}

/** These actions do not check the viewer, because their operations require the operator's key. */
const actions: PrivatePage["actions"] = {
  [accountAction]: ({ of, call }) =>
    done(
      `The account ${of("id")} was created. Create a key for it next.`,
      call(createAccount, { id: of("id"), name: of("name"), plan: of("plan") }),
    ),
  "set-plan": ({ of, call }) =>
    done(
      `The plan of ${of("account")} is now ${of("plan")}.`,
      call(setSubscription, { account: of("account"), plan: of("plan") }),
    ),
  async "create-key"({ of, call }) {
    const { secret } = await call(createApiKey, { account: of("account"), name: of("name") });
    return { text: `The key of ${of("account")}`, secret };
  },
};
