import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { field as fieldOption, Role, TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { asOfParameter } from "../../contract/as-of.ts";
import type { Operation } from "../../contract/catalog.ts";
import { exampleOf } from "../../contract/example.ts";
import { labelOf, valueText } from "../../contract/labels.ts";
import { getOption } from "../../contract/option.ts";
import { defaultOf } from "../../contract/parameter-default.ts";
import { limitNames } from "../../contract/row-limit.ts";
import { fieldRules, isNeeded } from "../../contract/rules/field-rules.ts";
import { commentOf, firstSentence } from "../../contract/schema.ts";
import { type Html, html } from "../../pages/html.ts";
import { isoDay } from "../../reference/calendar.ts";
import { countriesByName, countryByName, countryOf } from "../../reference/countries/countries.ts";
import { dayMs } from "../../reference/duration.ts";
import type { ReadResponse } from "../read-response.ts";
import { type Choice, hiddenInputs, optionsMarkup, problemMarkup, rejectedAttributes } from "./form-field.ts";

const aDay = /^\d{4}-\d\d-\d\d$/;

/** Returns how much later than the start of its day a bound is. A last day is included, so it counts to its end. */
function offsetOf({ name }: DescField): number {
  return name === "end" ? dayMs - 1 : 0;
}

/** Returns the bound of a period as a day; undefined if the bound is within a day. */
function dayIn(field: DescField, value: string): string | undefined {
  const time = getOption(field, fieldOption).time;
  if (time !== TimeEncoding.EPOCH_MS && time !== TimeEncoding.DAY) return undefined;
  if (value === "" || aDay.test(value)) return value;
  const start = Number(value) - offsetOf(field);
  if (time === TimeEncoding.DAY || !Number.isSafeInteger(start) || start % dayMs !== 0) return undefined;
  return Number.isNaN(new Date(start).getTime()) ? undefined : isoDay(start);
}

interface RequestFormParts {
  /** The response to the request that the form describes. If it is a rejection, the form shows the problems. */
  readonly response: ReadResponse;
  readonly action: string;
  readonly values: URLSearchParams;
  readonly hidden: Readonly<Record<string, string>>;
  /** Names of fields that are always visible. A phone shows only the first one. Users can expand the others. */
  readonly first?: readonly string[];
  readonly without?: readonly string[];
  /** Values that users can choose, for fields whose values the contract does not list. */
  readonly choices?: Readonly<Record<string, readonly Choice[]>>;
  /** Fields for which the page has HTML of its own. */
  readonly own?: Readonly<Record<string, (problem?: string) => Html>>;
  /** First time, in Unix epoch milliseconds, for which the form can request an earlier version of the rows. */
  readonly historyFrom?: number | undefined;
}

export function requestForm(parts: RequestFormParts): Html {
  const { response, action, values, hidden, first, historyFrom } = parts;
  const { without = [], choices = {}, own = {} } = parts;
  const fields = response.operation.method.input.fields
    .filter(isChoiceOfRows)
    .filter(({ name }) => !without.includes(name))
    .sort((a, b) => placeOf(a, first) - placeOf(b, first));
  if (fields.length === 0 && historyFrom === undefined) return html``;
  const count = first?.length ?? 4;
  const [shown, folded] = [fields.slice(0, count), fields.slice(count)];
  const past = historyFrom === undefined ? undefined : pastMarkup(values.get(asOfParameter) ?? "", historyFrom);
  const isSet = ({ name }: DescField) => (values.get(name) ?? "") !== "";
  const isOpen = folded.some(isSet) || (past !== undefined && values.has(asOfParameter));
  const markup = (field: DescField) => {
    const problem = response.kind === "refused" ? response.problems.get(field.name) : undefined;
    return own[field.name]?.(problem) ?? fieldMarkup(field, values, { choices: choices[field.name], problem });
  };
  const isBrief = first !== undefined && !isOpen && !shown.slice(1).some(isSet);
  return html`<form class="filters${isBrief && " brief"}" action="${action}" autocomplete="off">
${hiddenInputs(Object.entries(hidden))}
${shown.map(markup)}
<button>Show</button>
${(past !== undefined || folded.length > 0) && html`<details class="more-filters"${isOpen && html` open`}><summary>More filters</summary><div>${folded.map(markup)}${past}</div></details>`}
</form>`;
}

/** Returns the field for a past version of the rows. It asks for a day, unless the URL contains a time. */
function pastMarkup(value: string, historyFrom: number): Html {
  const first = isoDay(historyFrom);
  const type = value === "" || aDay.test(value) ? html`type="date" min="${first}"` : html`type="text"`;
  return html`<span class="field" title="The rows as they were at the end of this day. Versions are held since ${first}."><label for="filter-as_of">As of</label><input id="filter-as_of" name="${asOfParameter}" ${type} value="${value}"></span>`;
}

function placeOf({ name }: DescField, first: readonly string[] = []): number {
  const place = first.indexOf(name);
  return place < 0 ? first.length : place;
}

const ofPaging = new Set(["cursor", "page_size", "limit", "next_after", "after"]);

function isChoiceOfRows(field: DescField): boolean {
  return !field.deprecated && !getOption(field, fieldOption).ignored && !ofPaging.has(field.name);
}

interface FieldParts {
  readonly choices?: readonly Choice[] | undefined;
  readonly problem?: string | undefined;
  /** Start of the ID, if the page has another field of the name. */
  readonly prefix?: string;
}

/** Returns one field of a form. A field with few known values becomes a select list. */
export function fieldMarkup(
  field: DescField,
  values: URLSearchParams,
  { choices = choicesOf(field), problem, prefix = "filter" }: FieldParts = {},
): Html {
  const { name } = field;
  const id = `${prefix}-${name}`;
  const value = values.getAll(name).join(",");
  const about = firstSentence(commentOf(field));
  const rejected = rejectedAttributes(id, problem);
  const needed = html`${isNeeded(field) && html` required`}${rejected}`;
  const day = dayIn(field, value);
  return html`<span class="field${name === "query" && " wide-field"}" title="${about}"><label for="${id}">${labelOf(name)}</label>${
    choices
      ? choiceMarkup(html`id="${id}" name="${name}"${needed}`, choices, value, noneText(field, choices))
      : day !== undefined
        ? html`<input id="${id}" name="${name}" class="day" value="${day}" placeholder="YYYY-MM-DD" autocomplete="off" maxlength="40"${needed}>`
        : html`<input id="${id}" name="${name}" value="${value}" placeholder="${hintOf(field)}" autocomplete="off" maxlength="200"${needed}>`
  }${problemMarkup(id, problem)}</span>`;
}

/** Returns the label for an empty choice; undefined if the field is required. */
function noneText(field: DescField, choices: readonly Choice[]): string | undefined {
  if (isNeeded(field)) return undefined;
  const taken = choices.find(([value]) => value === defaultOf(field));
  return taken ? `${taken[1]} (default)` : "Any";
}

/** Returns a select list. A value in the URL that is not a choice is added. Required fields have no empty choice. */
function choiceMarkup(attributes: Html, choices: readonly Choice[], value: string, none: string | undefined): Html {
  const isKnown = value === "" || choices.some(([choice]) => choice === value);
  const all = isKnown ? choices : [...choices, [value, value] as const];
  const nothing =
    none === undefined
      ? html`<option value="" disabled${value === "" && html` selected`}>Choose one</option>`
      : html`<option value="">${none}</option>`;
  return html`<select ${attributes}>${nothing}${optionsMarkup(all, value)}</select>`;
}

export function choicesOf(field: DescField): readonly Choice[] | undefined {
  if (getOption(field, fieldOption).role === Role.COUNTRY && field.fieldKind !== "list")
    return countriesByName().map(({ alpha2, name }) => [alpha2, name]);
  if (field.fieldKind === "list") return undefined;
  if (field.enum)
    return field.enum.values
      .filter(({ number }) => number !== 0)
      .map(({ name, localName }) => [name, labelOf(localName)] as const);
  if (field.scalar === ScalarType.BOOL) return [["true", "Yes"]];
  const rules = fieldRules(field)?.type;
  if (rules?.case !== "string" || rules.value.in.length === 0) return undefined;
  return rules.value.in.flatMap((value) => (value === "" ? [] : [[value, valueText(field.name, value)] as const]));
}

/** Returns the values that the description of a field names in backticks, although the field also accepts others. */
export function choicesNamed(field: DescField): readonly Choice[] {
  return [...commentOf(field).matchAll(/`(\w+)`/g)].map(([, word = ""]) => [word, labelOf(word)] as const);
}

export function choicesOfItems(field: DescField): readonly Choice[] | undefined {
  const rules = fieldRules(field)?.type;
  const items = rules?.case === "repeated" ? rules.value.items?.type : undefined;
  if (items?.case !== "string" || items.value.in.length === 0) return undefined;
  return items.value.in.map((value) => [value, valueText(field.name, value)] as const);
}

function hintOf(field: DescField): string {
  const example = exampleOf(field);
  const [first] = [example].flat();
  return first === undefined || first === "" ? "" : `e.g. ${String(first)}`;
}

/** Describes the filters of a read that still have their default values. */
export function defaultsMarkup({ method }: Operation, requested: URLSearchParams): Html | undefined {
  const taken = method.input.fields.flatMap((field) => {
    const { name } = field;
    if (requested.has(name) || choicesOf(field) || !(limitNames.has(name) || isChoiceOfRows(field))) return [];
    const words = defaultOf(field);
    return words === undefined ? [] : [`${limitNames.has(name) ? "Rows, at most" : labelOf(name)}: ${words}`];
  });
  return taken.length === 0 ? undefined : html`<p class="small soft">Default filters: ${taken.join("; ")}.</p>`;
}

/** Converts comma-separated names or codes of countries to alpha-2 codes. Unknown texts are not changed. */
export function codesOfNames(texts: readonly string[]): string[] {
  // A text with a comma may be the name of a single country, and is then not split.
  const parts = texts.flatMap((text) => (countryByName(text) ? [text] : text.split(",")));
  return parts.map((part) => countryOf(part.trim())?.alpha2 ?? part.trim());
}
