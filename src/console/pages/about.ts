import { maxKept, requestLogDays } from "../../access/request-log.ts";
import { sessionHours } from "../../access/sessions/sessions.ts";
import type { Operator, Site } from "../../pages/frame/frame.ts";
import { gettingKeyMarkup } from "../../pages/getting-key.ts";
import { type Html, html } from "../../pages/html.ts";
import { keptSeconds } from "../session/told-once.ts";
import { numberText } from "../view/figures.ts";
import type { MakePage } from "../visit.ts";

export interface AboutParts {
  readonly site: Site;
  /** For how many days things are kept. */
  readonly keep: Readonly<Record<"usage" | "audit" | "keys" | "deliveries", number>>;
}

/** `/about`: who runs the service, what it keeps of its visitors, and how to get a key. */
export function aboutPage({ site, keep }: AboutParts): MakePage {
  const body = html`<main id="content" class="text" tabindex="-1"><header class="top"><h1>About this service</h1>
<p class="lead">World events, risk and trade from public sources, as pages and as an API. ${site.isSample && "It runs on sample data: its values are invented."}</p></header>
<h2 id="who-runs-this">Who runs this</h2>
${operatorMarkup(site.operator)}
${gettingKeyMarkup(site)}
<h2 id="privacy">What is kept of visitors</h2>
${privacyMarkup(keep)}
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

function privacyMarkup({ usage, audit, keys, deliveries }: AboutParts["keep"]): Html {
  return html`<p>This is what the program does. A proxy in front of it may keep more, which its operator knows.</p>
<ul>
<li><strong>Who only looks:</strong> no cookie, no script or file of another host, no counting of visitors. Your network address is counted against the limits of requests, for a minute or until the end of the day (UTC), and is written into no log.</li>
<li><strong>Who signs in:</strong> two cookies that no script reads: one for the session, of ${sessionHours} hours at most, and one of ${keptSeconds} seconds that tells what a form has done. The key itself is not kept in the browser.</li>
<li><strong>Requests with a key:</strong> id, time, operation, key, status, cost and duration, for ${requestLogDays} days and at most the newest ${numberText(maxKept)} of an account. Not what was asked or answered, no address, and no key in clear.</li>
<li><strong>Accounts:</strong> how many calls of which operation on which day (${daysText(usage)}), who changed what (${daysText(audit)}), ended keys (${daysText(keys)}), and what alerts have sent to whom (${daysText(deliveries)}).</li>
<li><strong>Secrets</strong> such as keys are kept as hashes, and those that must be read again encrypted.</li>
</ul>`;
}

function daysText(days: number): string {
  return Number.isFinite(days) ? `kept for ${numberText(days)} days` : "kept for good";
}
