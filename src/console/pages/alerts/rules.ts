import type { Endpoint } from "../../../../gen/es/ids/alerts/v1/endpoint_pb.ts";
import type { Rule } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { PageContext } from "../../page-context.ts";
import { stateMarkup } from "../../view/availability.ts";
import { confirmMarkup } from "../../view/confirm.ts";
import { numberText } from "../../view/figures.ts";
import { hiddenFields } from "../../view/form-field.ts";
import { labelOf } from "../../view/labels.ts";
import { ago } from "../../view/times.ts";
import { fieldsOf } from "./triggers.ts";

export function rulesMarkup(rules: readonly Rule[], endpoints: readonly Endpoint[], page: PageContext): Html {
  if (rules.length === 0)
    return html`<div class="nothing"><p><strong>No rules yet.</strong> Create one below, or save a <a href="/tenders">search of tenders</a>.</p></div>`;
  const names = new Map(endpoints.map(({ id, name }) => [id, name]));
  return html`<div class="wide" role="region" aria-label="Table: Rules" tabindex="0"><table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">State</th><th scope="col" class="grow">Watches</th><th scope="col">Reports to</th><th scope="col" class="number">Reported</th><th scope="col">Last</th><th scope="col">Change</th></tr></thead><tbody>${rules.map((rule) => rowMarkup(rule, names, page))}</tbody></table></div>`;
}

function rowMarkup(rule: Rule, names: ReadonlyMap<string, string>, page: PageContext): Html {
  const { id, name, paused, endpointIds, fired, lastFiredAt } = rule;
  const state = paused ? ({ tone: "none", word: "Paused" } as const) : ({ tone: "good", word: "Active" } as const);
  const receivers =
    endpointIds.length === 0 ? "all endpoints" : endpointIds.map((each) => names.get(each) ?? "deleted").join(", ");
  return html`<tr><th scope="row">${name}</th><td data-label="State">${stateMarkup(state)}</td><td class="text" data-label="Watches"><div>${watchesMarkup(rule)}</div></td><td class="text" data-label="Reports to">${receivers}</td><td class="number" data-label="Reported">${numberText(Number(fired))}</td><td class="time" data-label="Last">${lastFiredAt === undefined ? "never" : ago(Number(lastFiredAt), page.now)}</td><td><form class="actions" method="post" action="/alerts/change">${hiddenFields(page, ["rule"])}<input type="hidden" name="rule" value="${id}"><a class="button" href="/alerts?rule=${id}#rule">Edit<span class="unseen"> ${name}</span></a> ${action("preview-rule", "Dry run", name)} ${action("test-rule", "Send a test", name)} ${paused ? action("resume-rule", "Resume", name) : action("pause-rule", "Pause", name)} ${confirmMarkup({ action: "delete-rule", text: "Delete", name, warning: "The rule reports nothing any more, and cannot be brought back." })}</form></td></tr>\n`;
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
  const datasets = values
    .getAll("datasets")
    .map((name, index) => html`${index > 0 && ", "}<a href="/data/${name}">${labelOf(name)}</a>`);
  const rest = without("datasets");
  return html`${kind === "staleness" && "age of "}${datasets}${rest.length > 0 && `: ${rest.join("; ")}`}`;
}
