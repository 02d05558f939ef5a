import type { DescField } from "@bufbuild/protobuf";
import { AlertsService } from "../../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import type { Endpoint } from "../../../../gen/es/ids/alerts/v1/endpoint_pb.ts";
import type { Rule } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import { CatalogService } from "../../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { HistoryService } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { labelOf } from "../../../contract/labels.ts";
import { NotFound } from "../../../errors.ts";
import { guidesBase } from "../../../pages/guides/guide.ts";
import { type Html, html } from "../../../pages/html.ts";
import { verificationPath } from "../../../pages/reference/verify-delivery.ts";
import { chokepoints } from "../../../reference/trade/chokepoints.ts";
import { readMessage } from "../../metadata.ts";
import type { Block, PageContext } from "../../page-context.ts";
import { type Availability, stateMarkup } from "../../view/availability.ts";
import { blockOf, provenanceOf } from "../../view/block.ts";
import { channelsText, noMail } from "../../view/channels.ts";
import {
  type Choice,
  checksField,
  confirmMarkup,
  hiddenFields,
  problemIn,
  rejectionMarkup,
  textField,
} from "../../view/form-field.ts";
import { choicesOfItems, fieldMarkup } from "../../view/request-form.ts";
import { dayText } from "../../view/times.ts";
import type { PrivatePage } from "../account/private-page.ts";
import { sentence } from "../series/series-list.ts";
import { alertActions, fieldsOf, isWatchKind, type WatchKind, watchKinds } from "./changes.ts";
import { action, deliveriesMarkup, rulesMarkup } from "./lists.ts";

const ruleActions = ["create-rule", "update-rule", "preview-rule"];

interface Draft {
  /** The rule to edit; undefined for a new rule. */
  readonly rule: Rule | undefined;
  readonly watch: WatchKind;
  readonly values: URLSearchParams;
}

async function ruleFormBlock(
  page: PageContext,
  rules: readonly Rule[],
  endpoints: readonly Endpoint[],
): Promise<Block> {
  const draft = draftOf(page.query, rules);
  const { rule, watch } = draft;
  const choices = await choicesFor(watch, page);
  return blockOf(page, {
    id: "rule",
    title: rule ? `Change ${rule.name}` : "New rule",
    about: rule
      ? html`A changed rule reports only later events. <a href="/alerts">Create a rule instead</a>`
      : "A rule reports events after its creation. A dry run shows what it would have reported.",
    content: html`${!rule && tabs(watch)}${formMarkup(draft, choices, endpoints, page)}`,
    provenance: undefined,
  });
}

function draftOf(query: URLSearchParams, rules: readonly Rule[]): Draft {
  const id = query.get("rule");
  const rule = id === null ? undefined : rules.find((each) => each.id === id);
  if (id !== null && !rule) throw new NotFound("There is no such rule");
  const named = query.get("watch");
  if (isWatchKind(named)) return { rule, watch: named, values: query };
  if (!rule?.trigger) return { rule, watch: "series", values: query };
  const [watch, values] = fieldsOf(rule.trigger);
  values.set("name", rule.name);
  for (const each of rule.endpointIds) values.append("endpoint", each);
  return { rule, watch, values };
}

function tabs(current: WatchKind): Html {
  return html`<ul class="tabs" aria-label="What to watch">${Object.entries(watchKinds).map(
    ([kind, { title }]) =>
      html`<li><a href="/alerts?watch=${kind}#rule"${kind === current && html` aria-current="true"`}>${title}</a></li>`,
  )}</ul>`;
}

/** Fields of a rule that most rules leave empty, so that the form hides them at first. */
const rarelySet = new Set(["kinds", "condition"]);

type Choices = Readonly<Record<string, readonly Choice[]>>;

async function choicesFor(watch: WatchKind, { read }: PageContext): Promise<Choices> {
  if (watch === "series") {
    const { message } = await readMessage(read, HistoryService.method.listSeries);
    return { series: (message?.series ?? []).map(({ id, title }) => [id, `${id}: ${sentence(title)}`]) };
  }
  if (watch === "tenders") return {};
  if (watch === "watchlist") return { chokepoints: chokepoints.map(({ id, name }) => [id, name]) };
  const { message } = await readMessage(read, CatalogService.method.listDatasets);
  return { datasets: (message?.datasets ?? []).map(({ name }) => [name, labelOf(name)]) };
}

function formMarkup(
  { rule, watch, values }: Draft,
  choices: Choices,
  endpoints: readonly Endpoint[],
  page: PageContext,
): Html {
  const problemOf = (field: string) => problemIn(page, ruleActions, field);
  const ofName = (name: string) => ({ id: `choose-${name}`, name, chosen: new Set(values.getAll(name)) });
  const fieldFor = (field: DescField) => {
    const known = choices[field.name];
    const problem = problemOf(field.name);
    const items = field.fieldKind === "list" ? (known ?? choicesOfItems(field)) : undefined;
    return items
      ? checksField({ ...ofName(field.name), legend: labelOf(field.name), choices: items, problem })
      : fieldMarkup(field, values, { choices: known, problem });
  };
  const [fields, folded] = [false, true].map((isFolded) =>
    watchKinds[watch].message.fields.filter(({ name }) => rarelySet.has(name) === isFolded),
  );
  const isOpen = folded?.some(({ name }) => values.has(name) && values.get(name) !== "");
  const ofEndpoints = endpoints.map(({ id, name }): Choice => [id, name]);
  // If the account has no endpoint, the form proposes a feed, because the rule would otherwise report nothing.
  const hasFeed = values.has("feed") ? values.getAll("feed").includes("true") : endpoints.length === 0;
  return html`${rejectionMarkup(page, ruleActions)}<form class="filters" method="post" action="/alerts/change">${hiddenFields({ ...page, address: new URLSearchParams() })}<input type="hidden" name="watch" value="${watch}">${rule && html`<input type="hidden" name="rule" value="${rule.id}">`}
${textField({ id: "rule-name", name: "name", label: "Name, part of every report", value: values.get("name") ?? "", attributes: html`required maxlength="100"`, isWide: true, problem: problemOf("name") })}
${fields?.map(fieldFor)}
${folded && folded.length > 0 && html`<details class="more-filters"${isOpen && html` open`}><summary>More</summary><div>${folded.map(fieldFor)}</div>${watch === "changes" && html`<p class="small"><a href="${guidesBase}/alerts#rules">Examples of conditions</a></p>`}</details>`}
${ofEndpoints.length > 0 && checksField({ ...ofName("endpoint"), legend: "Endpoints; none chosen: all, later ones included", choices: ofEndpoints, problem: problemOf("endpoint_ids") })}
${!rule && html`<input type="hidden" name="feed" value="false">${checksField({ id: "rule-feed", name: "feed", legend: "Feed", choices: [["true", "Also create a feed for this rule"]], chosen: new Set([String(hasFeed)]), problem: undefined })}`}
<span class="buttons">${watch !== "watchlist" && html`<button class="quiet" name="action" value="preview-rule">Dry run</button> `}<button name="action" value="${rule ? "update-rule" : "create-rule"}">${rule ? "Save rule" : "Create rule"}</button></span></form>`;
}

const kinds: Readonly<Record<string, string>> = {
  webhook: "Webhook",
  slack: "Slack-compatible",
  email: "E-mail",
  feed: "Atom feed",
};

const endpointAction = "create-endpoint";

function endpointsMarkup(endpoints: readonly Endpoint[], page: PageContext, sendsMail: boolean): Html {
  const { query } = page;
  const problem = (field: string) => problemIn(page, [endpointAction], field);
  const kind = query.get("kind") ?? "webhook";
  const isOffered = (value: string) => sendsMail || value !== "email";
  return html`${endpoints.length === 0 && html`<div class="nothing"><p><strong>No endpoints yet.</strong> Without one, rules count matches but report nothing.</p></div>`}
${
  endpoints.length > 0 &&
  html`<div class="wide" role="region" aria-label="Table: Endpoints" tabindex="0"><table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col" class="grow">Target</th><th scope="col">State</th><th scope="col">Made</th><th scope="col">Change</th></tr></thead><tbody>${endpoints.map((endpoint) => rowMarkup(endpoint, page))}</tbody></table></div>`
}
${rejectionMarkup(page, [endpointAction])}
<form class="filters" method="post" action="/alerts/change" autocomplete="off">${hiddenFields(page)}<input type="hidden" name="action" value="${endpointAction}">${textField({ id: "endpoint-name", name: "label", label: "Name", value: query.get("label") ?? "", attributes: html`required maxlength="100"`, problem: problem("name") })}<span class="field"><label for="endpoint-kind">Kind</label><select id="endpoint-kind" name="kind">${Object.entries(
    kinds,
  ).map(
    ([value, text]) =>
      html`<option value="${value}"${value === kind && html` selected`}${!isOffered(value) && html` disabled`}>${text}${!isOffered(value) && " (not set up)"}</option>`,
  )}</select></span>${textField({ id: "endpoint-target", name: "target", label: `https URL of a webhook or hook${sendsMail ? ", or e-mail address" : ""}; empty for a feed`, value: query.get("target") ?? "", attributes: html`maxlength="2048" spellcheck="false"`, isWide: true, problem: problem("target") })}<button>Add endpoint</button></form>
${!sendsMail && html`<p class="small soft">${noMail} For e-mail, the operator must set <code>IDS_SMTP_URL</code> and <code>IDS_SMTP_FROM</code>.</p>`}`;
}

function stateOf({ state, disabledReason }: Endpoint): Availability {
  if (state === "active") return { tone: "good", word: "Active" };
  if (state === "unconfirmed") return { tone: "warn", word: "Unconfirmed" };
  return {
    tone: "bad",
    word: disabledReason === "gone" ? "Disabled: it answered 410" : "Disabled: every attempt failed",
  };
}

function rowMarkup(endpoint: Endpoint, page: PageContext): Html {
  const { id, name, kind, target, state, createdAt } = endpoint;
  const hasSecret = kind === "webhook" || kind === "feed";
  const confirm = html`<label class="unseen" for="code-${id}">Code for ${name}</label><input id="code-${id}" class="control code" name="code" maxlength="64" placeholder="Code" autocomplete="one-time-code"> ${action("confirm-endpoint", "Confirm", name)}`;
  return html`<tr><th scope="row">${name}</th><td data-label="Kind">${kinds[kind] ?? kind}</td><td class="text" data-label="Target">${target === "" ? "–" : target}</td><td data-label="State">${stateMarkup(stateOf(endpoint))}</td><td class="time" data-label="Made">${dayText(Number(createdAt))}</td><td><form class="actions" method="post" action="/alerts/change">${hiddenFields(page)}<input type="hidden" name="endpoint-id" value="${id}">${state === "unconfirmed" && confirm}${state === "disabled" && action("reactivate-endpoint", "Enable again", name)} ${hasSecret && action("rotate-endpoint", kind === "feed" ? "New address" : "New secret", name)} ${confirmMarkup({ action: "delete-endpoint", text: "Delete", name, warning: "Rules report to it no more, what waits for it is not sent, and the list of its deliveries goes with it." })}</form></td></tr>\n`;
}

/** Says what rules are, which a visitor reads above the sign-in form. */
function introductionFor(sendsMail: boolean): Html {
  return html`<p class="lead">Alerts watch the data for you: a rule says what to look for, and reports it. ${channelsText(sendsMail)} <a href="/docs/create-rule">How to create a rule</a></p>
<h2>Examples of rules</h2><ul><li><strong>A figure that crosses a threshold:</strong> the risk score of Ukraine is above 70.</li><li><strong>Procurement notices:</strong> notices from Germany or Poland with “cyber security” in the title or description.</li></ul>
<h2>A report</h2><p>A ${sendsMail ? "mailbox or feed reader" : "feed reader"} shows a report like this one, whose values are invented. A webhook gets it as signed JSON.</p>
<pre tabindex="0" role="region" aria-label="Example of a report"><code>Risk of Ukraine: 1 value past the threshold
risk.score UA: 72, before 69 (above 70), 2026-11-24T06:00:00.000Z</code></pre>`;
}

export function alertsPage(sendsMail: boolean): PrivatePage {
  return {
    path: "/alerts",
    title: "Alerts",
    introduction: introductionFor(sendsMail),
    markup: (page, notice) => alertsMarkup(page, sendsMail, notice),
    actions: alertActions,
    forms: [...ruleActions, endpointAction],
    parameters: [
      ...["watch", "rule", "name", "endpoint", "feed", "label", "kind", "target"],
      ...Object.values(watchKinds).flatMap(({ message }) => message.fields.map(({ name }) => name)),
    ],
    drafts: ruleActions,
  };
}

async function alertsMarkup(page: PageContext, sendsMail: boolean, notice: Html | undefined): Promise<Html> {
  const { listRules, listEndpoints, listDeliveries } = AlertsService.method;
  const [ofRules, ofEndpoints, ofDeliveries] = await Promise.all([
    readMessage(page.read, listRules),
    readMessage(page.read, listEndpoints),
    readMessage(page.read, listDeliveries),
  ]);
  const rules = ofRules.message?.rules;
  const endpoints = ofEndpoints.message?.endpoints;
  const deliveries = ofDeliveries.message?.deliveries;
  const blocks = [
    blockOf(page, {
      id: "rules",
      title: "Rules",
      content: rules && rulesMarkup(rules, endpoints ?? [], page),
      provenance: provenanceOf(ofRules.response),
    }),
    await ruleFormBlock(page, rules ?? [], endpoints ?? []),
    blockOf(page, {
      id: "endpoints",
      title: "Endpoints",
      about: html`The targets of rules. Secrets and feed addresses are shown only once, when they are created. Webhook deliveries are signed: <a href="${verificationPath}">verify a delivery</a>.`,
      content: endpoints && endpointsMarkup(endpoints, page, sendsMail),
      provenance: provenanceOf(ofEndpoints.response),
    }),
    blockOf(page, {
      id: "deliveries",
      title: "Deliveries",
      about: "The latest 50, newest first.",
      content: deliveries && deliveriesMarkup(deliveries, endpoints ?? [], page),
      provenance: provenanceOf(ofDeliveries.response),
    }),
  ];
  return html`<main id="content" tabindex="-1"><header class="top"><h1>Alerts</h1>
<p class="lead">Rules watch the data and report what happens to your endpoints. <a href="/account">Limits of your plan</a> · <a href="/watchlist">Watchlists</a></p></header>
${notice}
<div class="grid">${blocks.map(({ markup }) => markup)}</div></main>`;
}
