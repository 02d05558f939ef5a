import { fromJson } from "@bufbuild/protobuf";
import type { Endpoint } from "../../../../gen/es/ids/alerts/v1/endpoint_pb.ts";
import type { Rule } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import { CatalogService, ListDatasetsResponseSchema } from "../../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { HistoryService, ListSeriesResponseSchema } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { NotFound } from "../../../errors.ts";
import { type Html, html } from "../../../pages/html.ts";
import { operationFor } from "../../facts.ts";
import type { Block, BlockParts } from "../../view/block.ts";
import { checksField, hiddenFields, problemIn, refusalMarkup, textField } from "../../view/form-field.ts";
import { labelOf } from "../../view/labels.ts";
import { type Choice, choicesOfItems, fieldMarkup } from "../../view/request-form.ts";
import type { Visit } from "../../visit.ts";
import { sentence } from "../series/series-list.ts";
import { fieldsOf, isWatchKind, type WatchKind, watchKinds } from "./triggers.ts";

const listDatasets = operationFor(CatalogService.method.listDatasets);
const listSeries = operationFor(HistoryService.method.listSeries);

export const ruleActions = ["create-rule", "update-rule", "preview-rule"];

/** What the form is filled with. */
interface Draft {
  /** The rule that is changed; absent for a new one. */
  readonly rule: Rule | undefined;
  readonly watch: WatchKind;
  readonly values: URLSearchParams;
}

/** The form of a new rule, or of the one that the address names; filled with what the address says. */
export async function ruleFormBlock(
  visit: Visit,
  block: (parts: BlockParts) => Block,
  { rules, endpoints }: { readonly rules: readonly Rule[]; readonly endpoints: readonly Endpoint[] },
): Promise<Block> {
  const draft = draftOf(visit.query, rules);
  const { rule, watch } = draft;
  const choices = await choicesFor(watch, visit);
  return block({
    id: "rule",
    title: rule ? `Change ${rule.name}` : "New rule",
    about: rule
      ? html`A changed rule reports what happens from then on. <a href="/alerts">Make a new one instead</a>`
      : "A rule reports what happens after it is made. A dry run says what it would have reported.",
    content: html`${!rule && tabs(watch)}${formMarkup(draft, choices, endpoints, visit)}`,
    provenance: undefined,
  });
}

function draftOf(query: URLSearchParams, rules: readonly Rule[]): Draft {
  const id = query.get("rule");
  const rule = id === null ? undefined : rules.find((each) => each.id === id);
  if (id !== null && !rule) throw new NotFound("There is no such rule");
  const named = query.get("watch");
  if (isWatchKind(named)) return { rule, watch: named, values: query };
  if (!rule?.trigger) return { rule, watch: "changes", values: query };
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

type Choices = Readonly<Record<string, readonly Choice[]>>;

/** What may be chosen by name, from what this service has. */
async function choicesFor(watch: WatchKind, { read }: Visit): Promise<Choices> {
  if (watch === "series") {
    const answer = await read(listSeries);
    const series = answer.kind === "answered" ? fromJson(ListSeriesResponseSchema, answer.body).series : [];
    return { series: series.map(({ id, title }) => [id, `${id}: ${sentence(title)}`]) };
  }
  if (watch === "tenders") return {};
  const answer = await read(listDatasets);
  const datasets = answer.kind === "answered" ? fromJson(ListDatasetsResponseSchema, answer.body).datasets : [];
  return { datasets: datasets.map(({ name }) => [name, labelOf(name)]) };
}

function formMarkup(
  { rule, watch, values }: Draft,
  choices: Choices,
  endpoints: readonly Endpoint[],
  visit: Visit,
): Html {
  const problemOf = (field: string) => problemIn(visit, ruleActions, field);
  const ofName = (name: string) => ({ id: `choose-${name}`, name, chosen: new Set(values.getAll(name)) });
  const fields = watchKinds[watch].message.fields.map((field) => {
    const known = choices[field.name];
    const problem = problemOf(field.name);
    const items = field.fieldKind === "list" ? (known ?? choicesOfItems(field)) : undefined;
    return items
      ? checksField({ ...ofName(field.name), legend: labelOf(field.name), choices: items, problem })
      : fieldMarkup(field, values, { choices: known, problem });
  });
  const ofEndpoints = endpoints.map(({ id, name }): Choice => [id, name]);
  return html`${refusalMarkup(visit, ruleActions)}<form class="filters" method="post" action="/alerts/change">${hiddenFields({ ...visit, address: new URLSearchParams() })}<input type="hidden" name="watch" value="${watch}">${rule && html`<input type="hidden" name="rule" value="${rule.id}">`}
${textField({ id: "rule-name", name: "name", label: "Name, part of every report", value: values.get("name") ?? "", attributes: html`required maxlength="100"`, isWide: true, problem: problemOf("name") })}
${fields}
${ofEndpoints.length > 0 && checksField({ ...ofName("endpoint"), legend: "Endpoints; none chosen: all, later ones included", choices: ofEndpoints, problem: problemOf("endpoint_ids") })}
<span class="buttons"><button name="action" value="${rule ? "update-rule" : "create-rule"}">${rule ? "Save rule" : "Make rule"}</button> <button class="quiet" name="action" value="preview-rule">Dry run</button></span></form>`;
}
