import type { Delivery } from "../../../../gen/es/ids/alerts/v1/delivery_pb.ts";
import type { Endpoint } from "../../../../gen/es/ids/alerts/v1/endpoint_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { PageContext } from "../../page-context.ts";
import { type Availability, stateMarkup } from "../../view/availability.ts";
import { amountText } from "../../view/figures.ts";
import { hiddenFields } from "../../view/form-field.ts";
import { ago, instantText } from "../../view/times.ts";
import { action } from "./rules.ts";

const states: Readonly<Record<string, Availability>> = {
  pending: { tone: "none", word: "Waiting" },
  delivered: { tone: "good", word: "Delivered" },
  failed: { tone: "bad", word: "Failed" },
  discarded: { tone: "warn", word: "Not sent" },
};

export function deliveriesMarkup(
  deliveries: readonly Delivery[],
  endpoints: readonly Endpoint[],
  page: PageContext,
): Html {
  if (deliveries.length === 0)
    return html`<div class="nothing"><p><strong>Nothing reported to the endpoints above.</strong> A test of a rule appears here within seconds.</p></div>`;
  const known = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return html`<div class="wide" role="region" aria-label="Table: Deliveries" tabindex="0"><table class="cards"><thead><tr><th scope="col">Event</th><th scope="col">State</th><th scope="col">Endpoint</th><th scope="col">When</th><th scope="col" class="grow">Attempts</th><th scope="col">Change</th></tr></thead><tbody>${deliveries.map((delivery) => rowMarkup(delivery, known.get(delivery.endpointId), page))}</tbody></table></div>`;
}

function rowMarkup(delivery: Delivery, endpoint: Endpoint | undefined, page: PageContext): Html {
  const { now } = page;
  const { id, type, state, createdAt, nextAttemptAt, body } = delivery;
  const isReplayable = state !== "pending" && endpoint?.state === "active" && endpoint.kind !== "feed";
  const next =
    nextAttemptAt !== undefined && html`<br><span class="soft small">next ${ago(Number(nextAttemptAt), now)}</span>`;
  const replay = html`<form class="actions" method="post" action="/alerts/change">${hiddenFields(page)}<input type="hidden" name="delivery" value="${id}">${action("replay-delivery", "Replay", id)}</form>`;
  return html`<tr><th scope="row"><div>${subjectOf(body, type)}<br><code class="small">${type}</code></div></th><td data-label="State"><div>${stateMarkup(states[state] ?? { tone: "none", word: state })}${next}</div></td><td class="text" data-label="Endpoint">${endpoint?.name ?? "deleted"}</td><td class="time" data-label="When">${ago(Number(createdAt), now)}</td><td class="text" data-label="Attempts"><div>${attemptsMarkup(delivery, endpoint)}</div></td><td>${isReplayable && replay}</td></tr>\n`;
}

function attemptsMarkup({ id, attempts, body }: Delivery, endpoint: Endpoint | undefined): Html {
  const lines = attempts.map((attempt) => {
    const at = Number(attempt.at);
    return html`${stateMarkup(outcomeOf(attempt))} <span class="soft"><time datetime="${new Date(at).toISOString()}">${instantText(at)}</time></span>`;
  });
  const none = endpoint?.kind === "feed" ? "read from the feed" : "none yet";
  const count = amountText(attempts.length, "attempt");
  return html`${lines[0] ?? none}<details><summary>${attempts.length === 0 ? "The event" : `${count} and the event`}<span class="unseen"> of ${id}</span></summary>${lines.length > 0 && html`<ol>${lines.map((line) => html`<li>${line}</li>`)}</ol>`}<p class="small"><code>${id}</code></p>${body !== "" && html`<pre tabindex="0" role="region" aria-label="${`Event of ${id}`}"><code>${body}</code></pre>`}</details>`;
}

const failureWords: Readonly<Record<string, string>> = {
  connection: "no connection",
  timeout: "no answer",
  address: "not sent, the address is not public,",
};

function outcomeOf({ status, error, milliseconds }: Delivery["attempts"][number]): Availability {
  const tone = error === "" ? "good" : "bad";
  if (status !== undefined) return { tone, word: `answered ${status} in ${milliseconds} ms` };
  if (error === "") return { tone, word: `taken in ${milliseconds} ms` };
  return { tone, word: `${failureWords[error] ?? error} after ${milliseconds} ms` };
}

function subjectOf(body: string, type: string): string {
  if (body === "") return "Code of an address";
  const { data }: { readonly data?: { readonly ruleName?: unknown; readonly name?: unknown } } = JSON.parse(body);
  const name = data?.ruleName ?? data?.name;
  return typeof name === "string" && name !== "" ? name : type;
}
