import {
  AccountService,
  type ApiKey,
  type GetUsageResponse,
  type Limit,
} from "../../../../gen/es/ids/account/v1/account_pb.ts";
import type { FeedUrl } from "../../../../gen/es/ids/account/v1/feed_urls_pb.ts";
import { operatorPlan } from "../../../access/keys/operator-keys.ts";
import { comparePlans, type Plan } from "../../../access/plans.ts";
import { catalog } from "../../../contract/catalog.ts";
import { labelOf, lowerFirst } from "../../../contract/labels.ts";
import { type Html, html } from "../../../pages/html.ts";
import { planName } from "../../../pages/plans.ts";
import { titleOf } from "../../../pages/reference/contents.ts";
import { readMessage } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import { stateMarkup } from "../../view/availability.ts";
import { blockOf, provenanceOf } from "../../view/block.ts";
import { amountText, bar, bars, numberText } from "../../view/figures.ts";
import {
  checksField,
  confirmMarkup,
  hiddenFields,
  problemIn,
  rejectedField,
  rejectionMarkup,
  textField,
} from "../../view/form-field.ts";
import { ago, agoIfEver, dayText, instant } from "../../view/times.ts";
import { done, type PrivatePage } from "./private-page.ts";
import { requestsBlock } from "./requests.ts";

const maxOperations = 12;

function usageMarkup({ usage }: GetUsageResponse): Html {
  const totals = [...Map.groupBy(usage, ({ operation }) => operation)]
    .map(([operation, rows]) => ({ operation, calls: rows.reduce((sum, { calls }) => sum + Number(calls), 0) }))
    .sort((a, b) => b.calls - a.calls);
  if (totals.length === 0)
    return html`<div class="nothing"><p><strong>No requests yet.</strong> Calls appear here within seconds.</p></div>`;
  const max = totals[0]?.calls ?? 1;
  const barsOf = (some: typeof totals) =>
    bars(
      some.map(({ operation, calls }) => ({ label: operation, value: calls })),
      max,
    );
  const [shown, others] = [totals.slice(0, maxOperations), totals.slice(maxOperations)];
  return html`${barsOf(shown)}${others.length > 0 && html`<details><summary>${amountText(others.length, "more operation")}</summary>${barsOf(others)}</details>`}`;
}

function limitsMarkup(limits: readonly Limit[], { now }: PageContext): Html {
  return html`<div class="wide scrolls short" role="region" aria-label="Table: Limits" tabindex="0"><table><thead><tr><th scope="col">Limit</th><th scope="col" class="number">Left</th><th scope="col" class="number">Of</th><th scope="col">Renewed</th></tr></thead><tbody>${limits.map(
    ({ name, limit: of, remaining: left, resetAt }) => {
      const [limit, remaining] = [of, left].map((value) => (value === undefined ? undefined : Number(value)));
      return html`<tr><th scope="row">${labelOf(name)}</th><td class="number">${remaining === undefined ? "–" : html`<span class="bar-cell">${limit !== undefined && bar(remaining, limit, "calm")}<span>${numberText(remaining)}</span></span>`}</td><td class="number">${limit === undefined ? "unlimited" : numberText(limit)}</td><td class="time">${resetAt === undefined ? "" : ago(Number(resetAt), now)}</td></tr>\n`;
    },
  )}</tbody></table></div>`;
}

const keyAction = "create-key";

/** Scopes that a new key has by default. A session with it can then list the keys of the account. */
const firstScopes = ["keys:read"];
const maxNamed = 3;

function newKeyMarkup(page: PageContext): Html {
  const { viewer, query, rejected } = page;
  const scopes = [...(viewer.principal?.scopes ?? [])].sort((a, b) => a.localeCompare(b, "en"));
  const isRejected = rejected?.action === keyAction;
  const chosen = new Set(isRejected ? query.getAll("scope") : firstScopes);
  const problem = (field: string) => problemIn(page, [keyAction], field);
  return html`${rejectionMarkup(page, [keyAction])}
<form class="filters" method="post" action="/account/change">${hiddenFields(page)}<input type="hidden" name="action" value="${keyAction}">
${textField({ id: "key-name", name: "name", label: "Name of a new key", attributes: html`required maxlength="100"`, isWide: true, ...rejectedField(page, keyAction, "name") })}
${scopes.length > 0 && checksField({ id: "key-scopes", name: "scope", legend: "Scopes in addition to the data of the plan", choices: scopes.map((scope) => [scope, html`<span><code>${scope}</code> <span class="soft">${usesOf(scope)}</span></span>`]), chosen, problem: problem("scopes") })}
${checksField({ id: "key-read-only", name: "read_only", legend: "Read-only", choices: [["true", "This key changes nothing. Other keys also manage alerts and webhooks"]], chosen: new Set(isRejected ? query.getAll("read_only") : []), problem: problem("read_only") })}
<button>Create key</button></form>`;
}

function usesOf(scope: string): string {
  const titles = catalog.filter(({ access }) => access.scope === scope).map(titleOf);
  const named = titles.slice(0, maxNamed).map(lowerFirst).join(", ");
  return titles.length > maxNamed ? `${named} and ${titles.length - maxNamed} more` : named;
}

function keysMarkup(keys: readonly ApiKey[], page: PageContext): Html {
  return html`<div class="wide" role="region" aria-label="Table: Keys" tabindex="0"><table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Key</th><th scope="col">State</th><th scope="col">Rights</th><th scope="col">Made</th><th scope="col">Last used</th><th scope="col">Ends</th><th scope="col">Change</th></tr></thead><tbody>${keys.map((key) => rowMarkup(key, page))}</tbody></table></div>
${newKeyMarkup(page)}`;
}

function rowMarkup(key: ApiKey, page: PageContext): Html {
  const { now, viewer } = page;
  const { id, name, prefix, scopes, readOnly, createdAt, lastUsedAt, expiresAt, revokedAt } = key;
  const isEnded = revokedAt !== undefined || (expiresAt !== undefined && Number(expiresAt) <= now);
  const isOwn = viewer.principal?.keyId === id;
  const state = isEnded
    ? ({ tone: "none", word: "Ended" } as const)
    : ({ tone: "good", word: expiresAt === undefined ? "Active" : "Active, ends" } as const);
  const end = revokedAt ?? expiresAt;
  return html`<tr><th scope="row">${name}${isOwn && html` <span class="tag">this session</span>`}</th><td data-label="Key"><code>${prefix}…</code><br><code class="small soft">${id}</code></td><td data-label="State">${stateMarkup(state)}</td><td data-label="Rights">${[...(readOnly ? ["only reads"] : []), ...scopes].join(", ")}</td><td class="time" data-label="Made">${dayText(Number(createdAt))}</td><td class="time" data-label="Last used">${agoIfEver(lastUsedAt, now)}</td><td class="time" data-label="Ends">${end === undefined ? "never" : instant(Number(end), now)}</td><td>${!isEnded && keyForm(key, page)}</td></tr>\n`;
}

/** A replaced key has the same name as the new one, so the form also shows the start of the key. */
function keyForm({ id, name, prefix }: ApiKey, page: PageContext): Html {
  const reported = `${name}, ${prefix}…`;
  const isOwn = page.viewer.principal?.keyId === id;
  return html`<form class="actions" method="post" action="/account/change">${hiddenFields(page)}<input type="hidden" name="key" value="${id}"><button class="quiet" name="action" value="rotate-key">Replace<span class="unseen"> ${reported}</span></button> ${confirmMarkup({ action: "revoke-key", text: "Revoke", name: reported, warning: `Requests with it are rejected from then on${isOwn ? ", and this session ends" : ""}. This cannot be undone.` })}</form>`;
}

const feedAction = "create-feed";

function feedsMarkup(feeds: readonly FeedUrl[], page: PageContext): Html {
  const hidden = hiddenFields(page);
  return html`${feeds.length === 0 && html`<div class="nothing"><p><strong>None yet.</strong> Create one below and paste it into a spreadsheet.</p></div>`}
${
  feeds.length > 0 &&
  html`<div class="wide" role="region" aria-label="Table: Feed URLs" tabindex="0"><table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Read</th><th scope="col">Made</th><th scope="col">Ends</th><th scope="col">Change</th></tr></thead><tbody>${feeds.map(
    ({ id, name, path, createdAt, expiresAt, revokedAt }) =>
      html`<tr><th scope="row">${name}</th><td class="text" data-label="Read"><code>${path}</code><br><code class="small soft">${id}</code></td><td class="time" data-label="Made">${dayText(Number(createdAt))}</td><td class="time" data-label="Ends">${dayText(Number(revokedAt ?? expiresAt))}</td><td>${revokedAt === undefined && html`<form class="actions" method="post" action="/account/change">${hidden}<input type="hidden" name="feed" value="${id}">${confirmMarkup({ action: "revoke-feed", text: "Revoke", name: `${name}, ${id}`, warning: "Spreadsheets that read it get an error from then on. This cannot be undone." })}</form>`}</td></tr>\n`,
  )}</tbody></table></div>`
}
${rejectionMarkup(page, [feedAction])}
<form class="filters" method="post" action="/account/change">${hidden}<input type="hidden" name="action" value="${feedAction}">${textField({ id: "feed-name", name: "name", label: "Name", attributes: html`required maxlength="100"`, ...rejectedField(page, feedAction, "name") })}${textField({ id: "feed-path", name: "path", label: "Path of a read, with its format", attributes: html`required maxlength="2000" placeholder="/api/conflict/v1/list-conflict-events?country=UA&amp;format=csv"`, isWide: true, ...rejectedField(page, feedAction, "path") })}<button>Create feed URL</button></form>`;
}

const { createApiKey, rotateApiKey, revokeApiKey, createFeedUrl, revokeFeedUrl } = AccountService.method;
const { listApiKeys, listFeedUrls, getUsage } = AccountService.method;

const actions: PrivatePage["actions"] = {
  async [keyAction]({ of, fields, call }) {
    const { secret } = await call(createApiKey, {
      name: of("name"),
      scopes: fields.getAll("scope"),
      readOnly: of("read_only") === "true",
    });
    return { text: "Your new key", secret };
  },
  async "rotate-key"({ of, call }) {
    const { secret } = await call(rotateApiKey, { keyId: of("key") });
    return { text: "The replacement. The old key works for another day", secret };
  },
  "revoke-key": ({ of, call }) =>
    done("The key is revoked: requests with it are refused.", call(revokeApiKey, { keyId: of("key") })),
  async [feedAction]({ of, call, origin }) {
    // Users may paste a whole URL of this service, as in curl commands. Only its path is used.
    const path = of("path").startsWith(`${origin}/`) ? of("path").slice(origin.length) : of("path");
    const { url } = await call(createFeedUrl, { name: of("name"), path });
    return { text: "Your new feed URL", secret: url };
  },
  "revoke-feed": ({ of, call }) =>
    done("The feed URL is revoked: requests to it are refused.", call(revokeFeedUrl, { feedId: of("feed") })),
};

export function accountPage(publicPlan: Plan | undefined): PrivatePage {
  return {
    path: "/account",
    title: "Account",
    introduction: html``,
    markup: (page, notice) => accountMarkup(page, publicPlan, notice),
    actions,
    forms: [keyAction, feedAction],
    parameters: ["request", "before"],
  };
}

async function accountMarkup(page: PageContext, publicPlan: Plan | undefined, notice: Html | undefined): Promise<Html> {
  const { principal, formToken } = page.viewer;
  const more = publicPlan && principal && comparePlans(publicPlan, principal.plan) > 0 ? publicPlan.key : undefined;
  const [keys, feeds, usage, requests] = await Promise.all([
    readMessage(page.read, listApiKeys),
    readMessage(page.read, listFeedUrls),
    readMessage(page.read, getUsage, { days: 30 }),
    requestsBlock(page),
  ]);
  const blocks = [
    blockOf(page, {
      id: "keys",
      title: "Keys",
      about:
        "A key is shown when it is made, and never again. Replace one without interruption: the old key works for another day.",
      content: keys.message && keysMarkup(keys.message.keys, page),
      provenance: provenanceOf(keys.response),
    }),
    blockOf(page, {
      id: "limits",
      title: "Limits",
      about: "What the plan allows and what is left now.",
      content: usage.message && limitsMarkup(usage.message.limits, page),
      provenance: provenanceOf(usage.response),
      span: "half",
    }),
    blockOf(page, {
      id: "usage",
      title: "Usage",
      about: "Requests of the last 30 days by operation; views of these pages count as Console.",
      content: usage.message && usageMarkup(usage.message),
      provenance: provenanceOf(usage.response),
      span: "half",
    }),
    requests,
    blockOf(page, {
      id: "feeds",
      title: "Feed URLs",
      about:
        "A URL of one read in one format, for spreadsheets that cannot send a key. Everyone with the URL can read it.",
      content: feeds.message && feedsMarkup(feeds.message.feeds, page),
      provenance: provenanceOf(feeds.response),
    }),
  ];
  return html`<main id="content" tabindex="-1"><header class="top"><h1>Account</h1>
<p class="lead">Signed in as <strong>${principal?.account}</strong>, plan <strong>${principal?.plan.key}</strong>. ${principal?.plan.key === operatorPlan ? html`<a href="/operator">Accounts and sources</a>` : html`<a href="/plans">Compare plans</a>`}</p>
${more !== undefined && html`<p class="small soft">Pages show the public the data of the plan ${planName(more)}, so keys of your plan cannot send some of their curl requests or read some of their files.</p>`}
<form class="filters" method="post" action="/account/sign-out"><input type="hidden" name="token" value="${formToken}"><button class="quiet">Sign out</button></form></header>
${notice}
<div class="grid">${blocks.map(({ markup }) => markup)}</div></main>`;
}
