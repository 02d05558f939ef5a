import { maxStored, requestLogDays } from "../../access/request-log.ts";
import { endedSessionDays, sessionHours } from "../../access/sessions/sessions.ts";
import type { Operator, Site } from "../../pages/frame/frame.ts";
import { gettingKeyMarkup } from "../../pages/getting-key.ts";
import { type Html, html } from "../../pages/html.ts";
import type { MakePage } from "../page-context.ts";
import { cachedSeconds } from "../session/deduplicated.ts";
import { amountText, numberText } from "../view/figures.ts";

export interface AboutParts {
  readonly site: Site;
  /** Retention periods in days. */
  readonly retain: Readonly<Record<"usage" | "audit" | "keys" | "deliveries" | "removed", number>>;
}

export function aboutPage({ site, retain }: AboutParts): MakePage {
  const body = html`<main id="content" class="text" tabindex="-1"><header class="top"><h1>About this service</h1>
<p class="lead">World events, risk and trade from public sources, as pages and as an API. ${site.isSample && "It runs on sample data: its values are invented."}</p></header>
<h2 id="who-runs-this">Who runs this</h2>
${operatorMarkup(site.operator)}
${gettingKeyMarkup(site)}
<h2 id="privacy">Data about visitors</h2>
${privacyMarkup(retain)}
${endMarkup(retain)}
${site.operator.privacy !== undefined && html`<p>In addition, the operator has a <a href="${site.operator.privacy}" rel="noopener noreferrer">privacy notice</a>.</p>`}
<h2 id="terms">Sources of the data</h2>
<p>The data comes from public sources, each under its own terms: <a href="/data#datasets">licenses of the sources</a>. Borders follow the rules in <a href="/places">places</a>.</p></main>`;
  const description =
    "Who runs this service, how to contact them, which data about visitors is stored, and how to get a key.";
  return async () => ({ title: "About this service", description, body });
}

function operatorMarkup({ name, contact }: Operator): Html {
  if (name === undefined && contact === undefined)
    return html`<p>The operator of this service has published no name and no contact. <span class="soft">To publish them, set <code>IDS_OPERATOR_NAME</code> and <code>IDS_OPERATOR_CONTACT</code>.</span></p>`;
  const href = contact !== undefined && /^https?:/i.test(contact) ? contact : `mailto:${contact}`;
  return html`<dl class="facts-list"><dt>Operator</dt><dd>${name ?? "has not said"}</dd><dt>Contact</dt><dd>${contact === undefined ? "has not said" : html`<a href="${href}" rel="noopener noreferrer">${contact}</a>`}</dd></dl>`;
}

function privacyMarkup({ usage, audit, keys, deliveries, removed }: AboutParts["retain"]): Html {
  return html`<p>This describes the program. A proxy in front of it may store more, and backups contain the data of their time. The operator knows about both.</p>
<ul>
<li><strong>Visitors:</strong> no cookie, no script or file of another host, and no visitor statistics. Your network address counts toward the request limits, for a minute or until the end of the UTC day. It is not logged.</li>
<li><strong>Signed-in users:</strong> two cookies that scripts cannot read. One is for the session and lasts at most ${sessionHours} hours. One lasts ${cachedSeconds} seconds and contains the result of a form. The browser does not store the key. The service stores the key's id, the start, and the end of the session until ${daysOnly(endedSessionDays)} after its end, but no address.</li>
<li><strong>Requests with a key, and changes made on these pages:</strong> id, time, operation, key id, status, cost, and duration, for ${daysOnly(requestLogDays)} and at most the newest ${numberText(maxStored)} of an account. This list contains no parameters, no responses, no address, and no key.</li>
<li><strong>Changes</strong> (keys, feed URLs, webhooks, rules, endpoints, companies, scenarios, accounts): the account and key id, the operation with the sent and returned values but without secrets, its result, its time, and the IP address (${daysText(audit)}; the event that created a key remains while the key is active). The account reads them with <a href="/docs/list-audit-events">List audit events</a>. The service's log contains a line for each, with the address and without the values. The operator decides how long the log is stored. A response to an <code>Idempotency-Key</code> is stored encrypted for 24 hours.</li>
<li><strong>Accounts:</strong> id, name, plan, and keys with their names and last use; number of calls by operation and day (${daysText(usage)}); revoked or expired keys and feed URLs (${daysText(keys)}); rules, endpoints and webhooks with their addresses, until they are deleted; alert deliveries with their endpoints (${daysText(deliveries)}); removed companies (${daysText(removed)}); scenarios until a day after they end; the hash of an email address that received a code, for a day; billing events of a payment provider for 30 days, if the operator uses one.</li>
<li><strong>Secrets</strong> such as keys are stored as hashes. Secrets that the service must read again are stored encrypted.</li>
</ul>`;
}

function endMarkup({ usage, audit, keys, deliveries, removed }: AboutParts["retain"]): Html {
  return html`<h3 id="end-an-account">How to end an account</h3>
<p>The program cannot delete an account: its id, name, and plan remain in the database, to which only the operator has access. You can make the account unusable, and its data then expires.</p>
<ul>
<li><strong>Delete</strong> rules and endpoints at <a href="/alerts">Alerts</a> (its deliveries are deleted with an endpoint), webhooks with <a href="/docs/delete-webhook">Delete webhook</a>, and companies with <a href="/docs/import-companies">Import companies</a>, as removed.</li>
<li><strong>Revoke</strong> feed URLs and keys at <a href="/account">Account</a>, the key of your own session last. Requests with them are rejected within seconds. Without a key, only the operator has access to the account, and can also revoke its keys (<code>ids call revoke-api-key</code>) and end its plan (<code>ids call set-subscription --ended</code>).</li>
<li><strong>Data that expires then:</strong> requests after ${daysOnly(requestLogDays)}, calls by day ${afterText(usage)}, revoked keys and feed URLs ${afterText(keys)}, changes with their IP addresses ${afterText(audit)}, deliveries ${afterText(deliveries)}, removed companies ${afterText(removed)}.</li>
</ul>
<p>To delete the rest, or to delete data earlier, <a href="#who-runs-this">ask the operator</a>.</p>`;
}

function daysText(days: number): string {
  return Number.isFinite(days) ? `stored for ${daysOnly(days)}` : "stored permanently";
}

function afterText(days: number): string {
  return Number.isFinite(days) ? `after ${daysOnly(days)}` : "never";
}

function daysOnly(days: number): string {
  return amountText(days, "day");
}
