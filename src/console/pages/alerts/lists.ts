import type { Delivery } from "../../../../gen/es/ids/alerts/v1/delivery_pb.ts";
import type { Endpoint } from "../../../../gen/es/ids/alerts/v1/endpoint_pb.ts";
import type { Rule } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import { labelOf } from "../../../contract/labels.ts";
import { type Html, html, joined } from "../../../pages/html.ts";
import type { PageContext } from "../../page-context.ts";
import { type Availability, stateMarkup } from "../../view/availability.ts";
import { amountText, numberText } from "../../view/figures.ts";
import { confirmMarkup, hiddenFields } from "../../view/form-field.ts";
import { ago, agoIfEver, instantText } from "../../view/times.ts";
import { fieldsOf } from "./changes.ts";

export function rulesMarkup(rules: readonly Rule[], endpoints: readonly Endpoint[], page: PageContext): Html {
  if (rules.length === 0)
    return html`<div class="nothing"><p><strong>No rules yet.</strong> Create one below, or save a <a href="/tenders">search of tenders</a>.</p></div>`;
  const names = new Map(endpoints.map(({ id, name }) => [id, name]));
  return html`<div class="wide" role="region" aria-label="Table: Rules" tabindex="0"><table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">State</th><th scope="col" class="grow">Watches</th><th scope="col">Reports to</th><th scope="col" class="number">Reported</th><th scope="col">Last</th><th scope="col">Change</th></tr></thead><tbody>${rules.map((rule) => ruleRow(rule, names, page))}</tbody></table></div>`;
}

function ruleRow(rule: Rule, names: ReadonlyMap<string, string>, page: PageContext): Html {
  const { id, name, paused, endpointIds, fired, lastFiredAt } = rule;
  const state = paused ? ({ tone: "none", word: "Paused" } as const) : ({ tone: "good", word: "Active" } as const);
  const receivers =
    endpointIds.length === 0 ? "all endpoints" : endpointIds.map((each) => names.get(each) ?? "deleted").join(", ");
  return html`<tr><th scope="row">${name}</th><td data-label="State">${stateMarkup(state)}</td><td class="text" data-label="Watches"><div>${watchesMarkup(rule)}</div></td><td class="text" data-label="Reports to">${receivers}</td><td class="number" data-label="Reported">${numberText(Number(fired))}</td><td class="time" data-label="Last">${agoIfEver(lastFiredAt, page.now)}</td><td><form class="actions" method="post" action="/alerts/change">${hiddenFields(page, ["rule"])}<input type="hidden" name="rule" value="${id}"><a class="button" href="/alerts?rule=${id}#rule">Edit<span class="unseen"> ${name}</span></a> ${action("preview-rule", "Dry run", name)} ${action("test-rule", "Send a test", name)} ${paused ? action("resume-rule", "Resume", name) : action("pause-rule", "Pause", name)} ${confirmMarkup({ action: "delete-rule", text: "Delete", name, warning: "The rule reports nothing any more, and cannot be brought back." })}</form></td></tr>\n`;
}

export function action(value: string, text: string, name: string): Html {
  return html`<button class="quiet" name="action" value="${value}">${text}<span class="unseen"> ${name}</span></button>`;
}

function watchesMarkup({ trigger }: Rule): Html {
  if (!trigger) return html``;
  const [kind, values] = fieldsOf(trigger);
  const reported = [...Map.groupBy(values, ([name]) => name)].map(([name, pairs]) => ({
    name,
    text: pairs.map(([, value]) => value).join(", "),
  }));
  const without = (...hidden: readonly string[]) =>
    reported
      .filter(({ name }) => !hidden.includes(name))
      .map(({ name, text }) => `${labelOf(name).toLowerCase()} ${text}`);
  if (trigger.series) {
    const { series, keys, direction, threshold } = trigger.series;
    const address = `/series/${encodeURIComponent(series)}?${new URLSearchParams({ keys: keys.join(",") })}`;
    return html`<a href="${address}">${series}</a>${keys.length > 0 && ` of ${keys.join(", ")}`} ${direction} ${threshold !== undefined && numberText(threshold)}${trigger.series.hysteresis > 0 && `, hysteresis ${numberText(trigger.series.hysteresis)}`}`;
  }
  if (kind === "tenders") {
    const search = new URLSearchParams(reported.map(({ name, text }): [string, string] => [name, text]));
    return html`<a href="/tenders?${search}">Notices</a>: ${without().join("; ")}`;
  }
  if (kind === "watchlist") return html`<a href="/watchlist">Watchlist</a>: ${without().join("; ")}`;
  const datasets = values.getAll("datasets").map((name) => html`<a href="/data/${name}">${labelOf(name)}</a>`);
  const rest = without("datasets");
  return html`${kind === "staleness" && "age of "}${joined(datasets)}${rest.length > 0 && `: ${rest.join("; ")}`}`;
}

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
  return html`<div class="wide" role="region" aria-label="Table: Deliveries" tabindex="0"><table class="cards"><thead><tr><th scope="col">Event</th><th scope="col">State</th><th scope="col">Endpoint</th><th scope="col">When</th><th scope="col" class="grow">Attempts</th><th scope="col">Change</th></tr></thead><tbody>${deliveries.map((delivery) => deliveryRow(delivery, known.get(delivery.endpointId), page))}</tbody></table></div>`;
}

function deliveryRow(delivery: Delivery, endpoint: Endpoint | undefined, page: PageContext): Html {
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
