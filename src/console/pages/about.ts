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
  /** For how many days things are kept. */
  readonly retain: Readonly<Record<"usage" | "audit" | "keys" | "deliveries" | "removed", number>>;
}

/** `/about`: who runs the service, what it keeps of its visitors, and how to get a key. */
export function aboutPage({ site, retain }: AboutParts): MakePage {
  const body = html`<main id="content" class="text" tabindex="-1"><header class="top"><h1>About this service</h1>
<p class="lead">World events, risk and trade from public sources, as pages and as an API. ${site.isSample && "It runs on sample data: its values are invented."}</p></header>
<h2 id="who-runs-this">Who runs this</h2>
${operatorMarkup(site.operator)}
${gettingKeyMarkup(site)}
<h2 id="privacy">What is kept of visitors</h2>
${privacyMarkup(retain)}
${endMarkup(retain)}
${site.operator.privacy !== undefined && html`<p>What the operator says beside this: <a href="${site.operator.privacy}" rel="noopener noreferrer">privacy notice</a>.</p>`}
<h2 id="terms">Whose data this is</h2>
<p>Data come from public sources, each under its own terms: <a href="/data#datasets">licenses of the sources</a>. What is shown about borders follows <a href="/places">places</a>.</p></main>`;
  const description = "Who runs this service, how to reach them, what is kept of visitors, and how to get a key.";
  return async () => ({ title: "About this service", description, body });
}

function operatorMarkup({ name, contact }: Operator): Html {
  if (name === undefined && contact === undefined)
    return html`<p>The operator of this service has not said who they are, nor how to reach them. <span class="soft">Whoever runs it can: <code>IDS_OPERATOR_NAME</code>, <code>IDS_OPERATOR_CONTACT</code>.</span></p>`;
  return html`<dl class="facts-list"><dt>Operator</dt><dd>${name ?? "has not said"}</dd><dt>Contact</dt><dd>${contact === undefined ? "has not said" : contactLink(contact)}</dd></dl>`;
}

function contactLink(contact: string): Html {
  const isPage = /^https?:/i.test(contact);
  return html`<a href="${isPage ? contact : `mailto:${contact}`}" rel="noopener noreferrer">${contact}</a>`;
}

function privacyMarkup({ usage, audit, keys, deliveries, removed }: AboutParts["retain"]): Html {
  return html`<p>This is what the program does. A proxy in front of it may keep more, and backups keep what was there when they were made; the operator knows of both.</p>
<ul>
<li><strong>Who only looks:</strong> no cookie, no script or file of another host, no counting of visitors. Your network address is counted against the limits of requests, for a minute or until the end of the day (UTC), and is written into no log.</li>
<li><strong>Who signs in:</strong> two cookies that no script reads: one for the session, of ${sessionHours} hours at most, and one of ${cachedSeconds} seconds that tells what a form has done. The key itself is not kept in the browser. The service keeps which key the session is of, when it began and when it ends, until ${daysOnly(endedSessionDays)} after its end; no address.</li>
<li><strong>Requests with a key, and changes made on these pages:</strong> id, time, operation, key, status, cost and duration, for ${daysOnly(requestLogDays)} and at most the newest ${numberText(maxStored)} of an account. This list does not hold what was asked or answered, an address, or a key in clear.</li>
<li><strong>Changes</strong> (keys, feed URLs, webhooks, rules, endpoints, companies, scenarios, accounts): who made it (account and key), the operation with the values sent and returned but no secrets, how it ended, when, and the IP address it came from (${daysText(audit)}; that of the making of a key stays while the key is active). The account reads them with <a href="/docs/list-audit-events">List audit events</a>. The service's log has a line of each, with the address and without the values sent; how long the log is kept is up to the operator. A response to an <code>Idempotency-Key</code> is kept encrypted for 24 hours.</li>
<li><strong>Accounts:</strong> id, name, plan, and keys with their names and when they were last used; how many calls of which operation on which day (${daysText(usage)}); revoked or expired keys and feed URLs (${daysText(keys)}); rules, endpoints and webhooks with their addresses, until they are deleted; what alerts have sent to whom (${daysText(deliveries)}); removed companies (${daysText(removed)}); scenarios until a day after they end; that a code was sent to an e-mail address, as a hash, for a day; billing events of a payment provider for 30 days, where the operator has one.</li>
<li><strong>Secrets</strong> such as keys are kept as hashes, and those that must be read again encrypted.</li>
</ul>`;
}

/** What ends by itself, what the account ends, and what stays. */
function endMarkup({ usage, audit, keys, deliveries, removed }: AboutParts["retain"]): Html {
  return html`<h3 id="end-an-account">How to end an account</h3>
<p>This program has no operation and no command that deletes an account: its id, name and plan stay in the database, to which only the operator has access. You can make it unusable; what it did then ends by itself.</p>
<ul>
<li><strong>Delete</strong> rules and endpoints at <a href="/alerts">Alerts</a> (an endpoint goes with its deliveries), webhooks with <a href="/docs/delete-webhook">Delete webhook</a>, and companies with <a href="/docs/import-companies">Import companies</a>, as removed.</li>
<li><strong>Revoke</strong> feed URLs and keys at <a href="/account">Account</a>, the one of your own session last: whoever still uses them is refused within seconds. Without a key nobody gets at the account but the operator, who can revoke its keys too (<code>ids keys revoke</code>) and end its plan (<code>ids accounts subscribe --ended</code>).</li>
<li><strong>What ends by itself then:</strong> requests after ${daysOnly(requestLogDays)}, calls by day ${afterText(usage)}, revoked keys and feed URLs ${afterText(keys)}, changes with their IP addresses ${afterText(audit)}, deliveries ${afterText(deliveries)}, removed companies ${afterText(removed)}.</li>
</ul>
<p>To have something deleted earlier, or the rest: <a href="#who-runs-this">ask the operator</a>.</p>`;
}

function daysText(days: number): string {
  return Number.isFinite(days) ? `kept for ${daysOnly(days)}` : "kept for good";
}

function afterText(days: number): string {
  return Number.isFinite(days) ? `after ${daysOnly(days)}` : "never";
}

function daysOnly(days: number): string {
  return amountText(days, "day");
}
