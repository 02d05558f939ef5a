import { maxStored, requestLogDays } from "../../access/request-log.ts";
import { endedSessionDays, sessionHours } from "../../access/sessions/sessions.ts";
import type { Operator, Site } from "../../pages/frame/frame.ts";
import { gettingKeyMarkup } from "../../pages/getting-key.ts";
import { type Html, html } from "../../pages/html.ts";
import { table } from "../../pages/layout.ts";
import type { MakePage } from "../page-context.ts";
import { cachedSeconds } from "../session/deduplicated.ts";
import { amountText, numberText } from "../view/figures.ts";

export interface AboutParts {
  readonly site: Site;
  /** Days for which the service stores personal data, by kind. */
  readonly retain: Readonly<Record<"usage" | "audit" | "keys" | "deliveries" | "removed", number>>;
}

export function aboutPage({ site, retain }: AboutParts): MakePage {
  const body = html`<main id="content" class="text" tabindex="-1"><header class="top"><h1>About this service</h1>
<p class="lead">World events, risk and trade from public sources, as pages and as an API. ${site.isSample && "It runs on sample data: its values are invented."}</p></header>
<h2 id="who-runs-this">Who runs this</h2>
${operatorMarkup(site.operator)}
${gettingKeyMarkup(site)}
<h2 id="privacy">Privacy notice</h2>
${privacyMarkup(retain, site.operator)}
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

/** Names the data with purpose, legal basis, and storage period, as Article 13 of the GDPR requires. */
function privacyMarkup(retain: AboutParts["retain"], operator: Operator): Html {
  return html`<p>This notice describes how the program processes personal data. ${operatorText(operator)}</p>
${table(["Data", "Purpose", "Legal basis", "Stored"], processing(retain))}
<p>The legal bases are those of Article 6(1) of the GDPR that fit the purposes. The operator can name others.</p>
<ul>
<li><strong>If you don't sign in:</strong> the pages set no cookie, load nothing from other hosts, and run no analytics.</li>
<li><strong>Cookies:</strong> both are necessary for signing in, and scripts cannot read them. The browser does not store the key.</li>
<li><strong>Recipients:</strong> the endpoints and e-mail addresses that you enter, the operator's mail server, and the payment provider, if there is one. No data about you is sent to the sources of the data, except the address that you ask <a href="/docs/reverse-geocode">Reverse geocode</a> about, or the company or aircraft that you look up.</li>
<li><strong>Security:</strong> keys are stored as hashes. Secrets that the service must read again are encrypted.</li>
<li><strong>Required data:</strong> an account needs a name and a plan. Everything else is voluntary. No decision about you is automated, except the limits of your plan.</li>
<li><strong>Outside of the program:</strong> a proxy or a hosting provider can store more, and backups contain the data of their time. The operator knows where the servers are.</li>
</ul>
<h3 id="rights">Your rights</h3>
<p>You can ask the operator for access to your data, a copy, correction, deletion, or restriction, and you can object to its processing. You can complain to a data protection authority. You read your requests, usage, and changes yourself at <a href="/account">Account</a> and with <a href="/docs/list-audit-events">List audit events</a>.</p>`;
}

/** Returns rows of the table: the data, purpose, legal basis, and storage period. */
function processing({ usage, audit, keys, deliveries, removed }: AboutParts["retain"]): readonly string[][] {
  return [
    [
      "Network address of a request",
      "Request limits",
      security,
      "A minute, or until the end of the UTC day. It is not logged, except with a change.",
    ],
    [
      "Cookie of a session; key id, start, and end of the session",
      "Sign-in on these pages",
      contract,
      `The cookie: at most ${sessionHours} hours. The stored session: ${daysOnly(endedSessionDays)} after its end, without an address.`,
    ],
    ["Cookie with the result of a form", "To show the result after a change", contract, `${cachedSeconds} seconds`],
    [
      "Account: id, name, plan, and keys with their names and last use",
      "To provide the service",
      contract,
      `Until the operator deletes the account. Revoked or expired keys and feed URLs: ${daysText(keys)}.`,
    ],
    [
      "Rules, endpoints with e-mail addresses or URLs, watchlists, webhooks, and companies",
      "To send alerts and digests that you set up",
      contract,
      `Until you delete them. Alert deliveries: ${daysText(deliveries)}. Removed companies: ${daysText(removed)}. Scenarios: a day after they end. The hash of an e-mail address that received a code: a day.`,
    ],
    [
      "Requests with a key: id, time, operation, key id, status, cost, and duration",
      "To show you your usage, and to find faults",
      contract,
      `${daysOnly(requestLogDays)}, at most the newest ${numberText(maxStored)} of an account. Without parameters, responses, addresses, and keys.`,
    ],
    ["Number of calls by operation and day", "Limits of plans and billing", contract, sentenceText(daysText(usage))],
    [
      "Changes of an account: key id, operation, sent and returned values without secrets, result, time, and IP address",
      "To find misuse and to show who changed what",
      security,
      `${sentenceText(daysText(audit))}. The event that created a key remains while the key is active. The log of the service has a line for each change, with the address and the names of the fields, but without their values. The operator decides how long the log is stored.`,
    ],
    ["Response to an Idempotency-Key", "To run a repeated request once", contract, "24 hours, encrypted"],
    ["Billing events of a payment provider", "Payment, if the operator uses a provider", contract, "30 days"],
  ];
}

const contract = "Contract (b)";
const security = "Legitimate interest in a secure service (f)";

function operatorText({ name, contact }: Operator): Html {
  if (name === undefined && contact === undefined)
    return html`The controller is the operator, who has published no contact. <span class="soft">An operator who offers the service to others must publish one.</span>`;
  return html`The controller is <a href="#who-runs-this">the operator</a>.`;
}

const sentenceText = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function endMarkup({ usage, audit, keys, deliveries, removed }: AboutParts["retain"]): Html {
  return html`<h3 id="end-an-account">How to end an account</h3>
<p>To delete your account with everything that it owns, <a href="#who-runs-this">ask the operator</a>. Only the record of the deletion remains, with the id of the account${Number.isFinite(audit) && html`, for ${daysOnly(audit)}`}, and data in backups, until the operator deletes them. You can also end the account yourself:</p>
<ul>
<li><strong>Delete</strong> rules and endpoints at <a href="/alerts">Alerts</a> (its deliveries are deleted with an endpoint), webhooks with <a href="/docs/delete-webhook">Delete webhook</a>, and companies with <a href="/docs/import-companies">Import companies</a>, as removed.</li>
<li><strong>Revoke</strong> feed URLs and keys at <a href="/account">Account</a>, the key of your own session last. Requests with them are rejected within seconds.</li>
<li><strong>Data that expires then:</strong> requests after ${daysOnly(requestLogDays)}, calls by day ${afterText(usage)}, revoked keys and feed URLs ${afterText(keys)}, changes with their IP addresses ${afterText(audit)}, deliveries ${afterText(deliveries)}, removed companies ${afterText(removed)}.</li>
</ul>`;
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
