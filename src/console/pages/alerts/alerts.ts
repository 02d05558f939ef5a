import { type DescMessage, fromJson, type MessageShape } from "@bufbuild/protobuf";
import { AlertsService } from "../../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import { ListDeliveriesResponseSchema } from "../../../../gen/es/ids/alerts/v1/delivery_pb.ts";
import { ListEndpointsResponseSchema } from "../../../../gen/es/ids/alerts/v1/endpoint_pb.ts";
import { ListRulesResponseSchema } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import type { Site } from "../../../pages/frame/frame.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { DemoKey } from "../../../pages/reference/reference.ts";
import { verificationPath } from "../../../pages/reference/verify-delivery.ts";
import { type Facts, operationFor } from "../../facts.ts";
import type { ReadAnswer } from "../../reads.ts";
import { blockMaker, provenanceOf } from "../../view/block.ts";
import type { Visit } from "../../visit.ts";
import type { PrivatePage } from "../account/private-page.ts";
import { signInMarkup } from "../account/sign-in.ts";
import { changeAlerts } from "./changes.ts";
import { deliveriesMarkup } from "./deliveries.ts";
import { endpointAction, endpointsMarkup } from "./endpoints.ts";
import { ruleActions, ruleFormBlock } from "./rule-form.ts";
import { rulesMarkup } from "./rules.ts";

const listRules = operationFor(AlertsService.method.listRules);
const listEndpoints = operationFor(AlertsService.method.listEndpoints);
const listDeliveries = operationFor(AlertsService.method.listDeliveries);

const introduction = html`<p>Alerts watch the data for you: a rule says what to look for (a series that crosses a line, notices of tenders, events of a country), and reports it to webhooks, by e-mail where the service sends any, and as a feed. <a href="/docs/create-rule">How rules are made</a></p>`;

export interface AlertsParts {
  readonly facts: Facts;
  /** Whether rules can report by e-mail here. */
  readonly sendsMail: boolean;
}

/** `/alerts`: rules, where they report to, and what they reported. */
export function alertsPage(parts: AlertsParts, site: Site, demoKeys: readonly DemoKey[]): PrivatePage {
  return {
    path: "/alerts",
    title: "Alerts",
    markup: (visit, notice) =>
      visit.viewer.isSignedIn ? alertsMarkup(visit, parts, notice) : signInMarkup(visit, site, demoKeys, introduction),
    change: changeAlerts,
    forms: [...ruleActions, endpointAction],
    drafts: ruleActions,
  };
}

async function alertsMarkup(visit: Visit, { facts, sendsMail }: AlertsParts, notice: Html | undefined): Promise<Html> {
  const [rulesAnswer, endpointsAnswer, deliveriesAnswer] = await Promise.all([
    visit.read(listRules),
    visit.read(listEndpoints),
    visit.read(listDeliveries),
  ]);
  const rules = bodyOf(rulesAnswer, ListRulesResponseSchema)?.rules;
  const endpoints = bodyOf(endpointsAnswer, ListEndpointsResponseSchema)?.endpoints;
  const deliveries = bodyOf(deliveriesAnswer, ListDeliveriesResponseSchema)?.deliveries;
  const block = blockMaker(visit, facts);
  const blocks = [
    block({
      id: "rules",
      title: "Rules",
      content: rules && rulesMarkup(rules, endpoints ?? [], visit),
      provenance: provenanceOf(rulesAnswer),
    }),
    await ruleFormBlock(visit, block, { rules: rules ?? [], endpoints: endpoints ?? [] }),
    block({
      id: "endpoints",
      title: "Endpoints",
      about: html`Where rules report to. Secrets and addresses of feeds are shown when they are made, and never again. What a webhook receives is signed: <a href="${verificationPath}">verify a delivery</a>.`,
      content: endpoints && endpointsMarkup(endpoints, visit, sendsMail),
      provenance: provenanceOf(endpointsAnswer),
    }),
    block({
      id: "deliveries",
      title: "Deliveries",
      about: "The latest 50, newest first.",
      content: deliveries && deliveriesMarkup(deliveries, endpoints ?? [], visit),
      provenance: provenanceOf(deliveriesAnswer),
    }),
  ];
  return html`<main id="content" tabindex="-1"><header class="top"><h1>Alerts</h1>
<p class="lead">Rules watch the data and report what happens to your endpoints. <a href="/account">Limits of your plan</a></p></header>
${notice}
<div class="grid">${blocks.map(({ markup }) => markup)}</div></main>`;
}

function bodyOf<D extends DescMessage>(answer: ReadAnswer, schema: D): MessageShape<D> | undefined {
  return answer.kind === "answered" ? fromJson(schema, answer.body) : undefined;
}
