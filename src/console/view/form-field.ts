import { labelOf } from "../../contract/labels.ts";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { countries } from "../../reference/countries/countries.ts";
import type { PageContext } from "../page-context.ts";

/** Returns the hidden fields of every private form: the token of the session, and the page's query to return to. */
export function hiddenFields({ viewer, address }: PageContext, without: readonly string[] = []): Html {
  const back = new URLSearchParams(address);
  for (const name of without) back.delete(name);
  return html`<input type="hidden" name="token" value="${viewer.formToken}">${back.size > 0 && html`<input type="hidden" name="back" value="${back}">`}`;
}

export function rejectionMarkup({ rejected }: PageContext, actions: readonly string[]): Html {
  if (!rejected || !actions.includes(rejected.action)) return html``;
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus>${rejected.text}</div>`;
}

export function problemIn({ rejected }: PageContext, actions: readonly string[], field: string): string | undefined {
  return rejected && actions.includes(rejected.action) ? rejected.problems.get(field) : undefined;
}

/** Returns the content of a field after its form was rejected: the submitted value, and the problem with it. */
export function rejectedField(page: PageContext, action: string, field: string) {
  const value = page.rejected?.action === action ? (page.query.get(field) ?? "") : "";
  return { value, problem: problemIn(page, [action], field) };
}

export function rejectedAttributes(id: string, problem: string | undefined): Html | undefined {
  return problem === undefined ? undefined : html` aria-invalid="true" aria-describedby="${id}-problem"`;
}

export function problemMarkup(id: string, problem: string | undefined): Html | undefined {
  return problem === undefined
    ? undefined
    : html`<span class="problem" id="${id}-problem">${withSeriesLinks(problem)}</span>`;
}

/** Replaces requests such as `get-series?series=gas.country_fill&keys=DE` by links to the page of the series. */
export function withSeriesLinks(text: string): Html {
  const parts = text.split(/get-series\?series=([\w.]+)&keys=([\w,/-]+)/);
  return html`${parts.map((part, place) => {
    if (place % 3 !== 1) return place % 3 === 0 && part;
    const keys = parts[place + 1] ?? "";
    const names = keys.split(",").map((key) => countries.get(key)?.name ?? key);
    return html`<a href="/series/${part}?${new URLSearchParams({ keys })}">the series “${labelOf(part.replaceAll(".", "_"))}” of ${names.join(", ")}</a>`;
  })}`;
}

/** Returns hidden fields, which send values that the form does not show. */
export function hiddenInputs(values: Iterable<readonly [name: string, value: string]>): Html {
  return html`${[...values].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

export type Choice = readonly [value: string, text: string];

export function optionsMarkup(choices: readonly Choice[], chosen: string | undefined): Html {
  return html`${choices.map(([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`)}`;
}

interface SelectField {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | undefined;
}

export function selectField({ id, name, label, choices, chosen }: SelectField): Html {
  return html`<span class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${optionsMarkup(choices, chosen)}</select></span>`;
}

interface TextField {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly attributes: Html;
  readonly isWide?: boolean;
  readonly problem: string | undefined;
}

export function textField({ id, name, label, value, attributes, isWide = false, problem }: TextField): Html {
  return html`<span class="field${isWide && " wide-field"}"><label for="${id}">${label}</label><input id="${id}" name="${name}" value="${value}" autocomplete="off" ${attributes}${rejectedAttributes(id, problem)}>${problemMarkup(id, problem)}</span>`;
}

interface ChecksField {
  readonly id: string;
  readonly name: string;
  readonly legend: string;
  readonly choices: readonly (readonly [value: string, text: HtmlValue])[];
  readonly chosen: ReadonlySet<string>;
  readonly problem: string | undefined;
}

export function checksField({ id, name, legend, choices, chosen, problem }: ChecksField): Html {
  return html`<fieldset class="checks"${rejectedAttributes(id, problem)}><legend>${legend}</legend>${problemMarkup(id, problem)}<div>${choices.map(
    ([value, text]) =>
      html`<label><input type="checkbox" name="${name}" value="${value}"${chosen.has(value) && html` checked`}> ${text}</label>`,
  )}</div></fieldset>`;
}

interface Confirmed {
  readonly action: string;
  readonly text: string;
  readonly name: string;
  readonly warning: string;
}

/** Returns a button that asks for confirmation with a second button. It works without a script. */
export function confirmMarkup({ action, text, name, warning }: Confirmed): Html {
  const of = html`<span class="unseen"> ${name}</span>`;
  return html`<details class="confirm"><summary>${text}${of}</summary><div><p>${warning}</p><button class="danger" name="action" value="${action}">Yes, ${text.toLowerCase()}${of}</button></div></details>`;
}
