import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { field as fieldOption, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { type Column, columnsOf, columnsOfField, type Place } from "../../contract/columns.ts";
import { bareLabel, columnUnit, labelOf, lowerFirst, unitText } from "../../contract/labels.ts";
import { getOption } from "../../contract/option.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { fieldRules } from "../../contract/rules/field-rules.ts";
import { memberOf } from "../../contract/rules/known-values.ts";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { isKnown, isNumeric, rowsMarkup, valueMarkup } from "./data-table.ts";
import { amountText, type BarRow, bars, quantityText } from "./figures.ts";
import { durationText, yearText } from "./times.ts";

export interface MessageLook {
  /** Title of the tables. */
  readonly title: string;
  /** Names of fields that are not shown, because they add nothing on this page. */
  readonly omit?: readonly string[];
  /** Names of nested messages whose values are comparable with each other, so that they are shown as bars. */
  readonly bars?: readonly string[];
  /** Color of the bars. */
  readonly tone?: "risk" | "calm";
  /** Displayed columns of lists with many fields, by the name of the list. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** Texts next to the labels of bars, by row ID. */
  readonly notes?: ReadonlyMap<string, string>;
  /** Returns a link for the ID of a row in bars. */
  readonly link?: (id: string, label: string | undefined) => HtmlValue;
  /** Text for a value that is absent. Without it, the labels of absent values are listed below the others. */
  readonly absent?: string;
  /** The current year, whose values can't be final. */
  readonly year?: number;
}

interface MessagePlan {
  readonly figures: readonly Column[];
  readonly messages: readonly Nested[];
  readonly lists: readonly Nested[];
}

interface Nested {
  readonly field: DescField;
  readonly desc: DescMessage;
}

/** Shows all fields of a message: values with units, then nested messages, then lists as tables. */
export function messageMarkup(desc: DescMessage, message: JsonObject, look: MessageLook): Html {
  const lacking: string[] = [];
  const parts = partsMarkup(desc, message, look, lacking);
  return html`${parts}${lacking.length > 0 && html`<p class="small soft">${amountText(lacking.length, "figure")} not known: ${lacking.join(", ")}.</p>`}`;
}

/** Returns the HTML of all fields of a message. Adds the labels of absent values to `lacking`. */
function partsMarkup(desc: DescMessage, message: JsonObject, look: MessageLook, lacking: string[]): Html {
  const { figures, messages, lists } = planOf(desc);
  const isShown = (name: string) => look.omit?.includes(name) !== true;
  const nested = messages.flatMap(({ field, desc: own }) => {
    const value = memberOf(message, field) ?? null;
    return isShown(field.name) && isObject(value) ? [{ field, desc: own, value }] : [];
  });
  const records = nested.flatMap((each) => {
    const text = recordTexts(each)?.join("");
    return text === undefined ? [] : [html`<dt>${recordLabel(each.field.name)}</dt><dd>${text}</dd>`];
  });
  const groups = nested.map((each) => !isRecord(each.desc) && groupMarkup(each, look, messages.length, lacking));
  lacking.push(
    ...nested.flatMap((each) => (isRecord(each.desc) && !recordTexts(each) ? [labelOf(each.field.name)] : [])),
  );
  const shown = figures.filter(({ field }) => field && isShown(field.name));
  return html`${figuresMarkup(shown, message, look, lacking)}${records.length > 0 && html`<dl class="facts-list">${records}</dl>`}${groups}${lists
    .filter(({ field }) => isShown(field.name))
    .map((list) => listMarkup(list, memberOf(message, list.field), look))}`;
}

interface NestedValue extends Nested {
  readonly value: JsonObject;
}

/** Returns whether a message has a value with its year, and also the previous value with its year. */
function isRecord({ fields }: DescMessage): boolean {
  const names = fields.map(({ name }) => name);
  return ["value", "year", "previous_value", "previous_year"].every((name) => names.includes(name));
}

/** Returns `31.24% of GDP (2025)` and the value before with the source; undefined if the value is unknown. */
function recordTexts({ field: { name }, desc, value }: NestedValue): readonly [now: string, rest: string] | undefined {
  if (!isRecord(desc)) return undefined;
  const read = new Map(planOf(desc).figures.map((column) => [column.name, column.read(placeOf(value))]));
  const [now, before] = [read.get("value"), read.get("previousValue")];
  const unit = /_pct_gdp$/.test(name) ? "% of GDP" : /_usd$/.test(name) ? "USD" : "";
  if (typeof now !== "number") return undefined;
  const earlier =
    typeof before === "number" &&
    `, ${quantityText(before, unit.replace(" of GDP", ""))} in ${String(read.get("previousYear"))}`;
  return [
    `${quantityText(now, unit)} (${String(read.get("year"))})`,
    `${earlier || ""}. ${String(read.get("source") ?? "")}`,
  ];
}

function recordLabel(name: string): string {
  return labelOf(name.replace(/_(?:pct_gdp|usd)$/, ""));
}

/** Returns the first known value of a message with its label, such as `Inflation 10.6%`. */
export function mainFigure(desc: DescMessage, message: JsonObject, omit: readonly string[]): string | undefined {
  const { figures, messages, lists } = planOf(desc);
  const isShown = (field: DescField | undefined) => field && !omit.includes(field.name) && field.name !== "year";
  for (const column of figures.filter((each) => isNumeric(each) && isShown(each.field))) {
    const value = column.read(placeOf(message));
    const { name, unit, scale } = column;
    const label = bareLabel(labelOf(name), columnUnit(unit, scale), unitText(unit));
    if (typeof value === "number") return `${label} ${quantityText(value, unit, scale)}`;
  }
  for (const { field, desc: own } of messages.filter((each) => isShown(each.field))) {
    const value = memberOf(message, field) ?? null;
    if (!isObject(value)) continue;
    const [record] = recordTexts({ field, desc: own, value }) ?? [];
    const ofOthers = isRecord(own) ? undefined : mainFigure(own, value, omit);
    const text = record === undefined ? ofOthers : `${recordLabel(field.name)} ${record}`;
    if (text !== undefined) return text;
  }
  const [list] = lists.filter(({ field }) => isShown(field));
  const rows = list && memberOf(message, list.field);
  return list && Array.isArray(rows) ? `${labelOf(list.field.name)}: ${rows.length}` : undefined;
}

const plans = new WeakMap<DescMessage, MessagePlan>();

function planOf(desc: DescMessage): MessagePlan {
  const known = plans.get(desc);
  if (known) return known;
  // A flag that says whether another field is known is not shown separately.
  const flags = new Set(desc.fields.map((field) => getOption(field, fieldOption).measuredBy));
  const nested = desc.fields.flatMap((field) => (field.message ? [{ field, desc: field.message }] : []));
  const plan = {
    figures: desc.fields
      .filter(({ message, name, scalar }) => !message && !(flags.has(name) && scalar === ScalarType.BOOL))
      .flatMap((field) => columnsOfField(field, field.jsonName, ({ row }) => row)),
    messages: nested.filter(({ field }) => field.fieldKind === "message"),
    lists: nested.filter(({ field }) => field.fieldKind === "list"),
  };
  plans.set(desc, plan);
  return plan;
}

function groupMarkup({ field, desc, value }: NestedValue, look: MessageLook, groups: number, lacking: string[]) {
  const isBars = look.bars?.includes(field.name) === true;
  const heading = (groups > 1 || isBars) && html`<h3>${labelOf(field.name)}</h3>`;
  const content = !isBars && partsMarkup(desc, value, look, lacking);
  if (content) return content.markup.trim() === "" ? undefined : html`${heading}${content}`;
  const rows = planOf(desc).figures.map((column): BarRow => {
    const figure = column.read(placeOf(value));
    return { label: labelOf(column.name), value: typeof figure === "number" ? figure : undefined };
  });
  return html`${heading}${bars(rows, 100, look.tone)}`;
}

function placeOf(row: JsonValue): Place {
  return { request: {}, response: {}, parents: [], row };
}

function figuresMarkup(columns: readonly Column[], message: JsonObject, look: MessageLook, lacking: string[]) {
  const place = placeOf(message);
  // Units are left out of labels, unless two labels would be equal.
  const bares = columns.map(({ name, unit, scale }) =>
    bareLabel(labelOf(name), columnUnit(unit, scale), unitText(unit)),
  );
  const figures = columns.map((column, index) => {
    const isOnly = bares.filter((each) => each === bares[index]).length === 1;
    return { column, label: (isOnly ? bares[index] : undefined) ?? labelOf(column.name), value: column.read(place) };
  });
  const isLacking = ({ value }: (typeof figures)[number]) => !isKnown(value) && !Array.isArray(value);
  const shown = look.absent === undefined ? figures.filter((each) => !isLacking(each)) : figures;
  if (shown.length < figures.length) lacking.push(...figures.filter(isLacking).map(({ label }) => lowerFirst(label)));
  // If the year is the only known field, nothing is shown.
  if (shown.every(({ column }) => column.name === "year")) return undefined;
  return html`<dl class="facts-list">${shown.map(({ column, label, value }) => html`<dt>${label}</dt>${figureMarkup(column, value, look)}`)}</dl>`;
}

function figureMarkup(column: Column, value: JsonValue, { absent, year }: MessageLook): Html {
  if (Array.isArray(value) && value.length === 0) return html`<dd>none</dd>`;
  if (!isKnown(value)) return html`<dd class="soft">${absent}</dd>`;
  if (column.name === "year" && year !== undefined) return html`<dd>${yearText(Number(value), year)}</dd>`;
  if (!isNumeric(column) || typeof value !== "number") return html`<dd>${valueMarkup(column, value)}</dd>`;
  const { unit, scale } = column;
  return html`<dd>${unit === "s" ? durationText(value) : quantityText(value, unit, scale)}</dd>`;
}

const rowColumns = new WeakMap<DescMessage, readonly Column[]>();

/** Shows a list: rows with a single value as bars, other rows as a table. */
function listMarkup({ field, desc }: Nested, value: JsonValue | undefined, look: MessageLook): Html | undefined {
  const places = Array.isArray(value) ? value.map(placeOf) : [];
  if (places.length === 0) return undefined;
  const wanted = look.columns?.[field.name];
  const all = rowColumns.get(desc) ?? columnsOf(desc, "", ({ row }) => row, false);
  rowColumns.set(desc, all);
  const columns = all.filter(({ name }) => wanted?.includes(name) !== false);
  const [figure, ...others] = columns.filter(isNumeric);
  const heading = html`<h3>${labelOf(field.name)}</h3>`;
  if (figure && others.length === 0 && !wanted) return html`${heading}${barsOf(columns, figure, places, look)}`;
  return html`${heading}${rowsMarkup({ columns, places, caption: `${look.title}: ${labelOf(field.name)}` })}`;
}

function barsOf(columns: readonly Column[], figure: Column, places: readonly Place[], look: MessageLook): Html {
  const id = columns.find(({ role }) => role === Role.ID);
  const label = columns.find(({ role }) => role === Role.LABEL);
  const isShown = ({ field }: Column) => field !== undefined && look.omit?.includes(field.name) !== true;
  const texts = columns.filter((each) => each.type === "text" && each !== id && each !== label && isShown(each));
  const isShare = greatestOf(figure) === 1;
  const rows = places.map((place): BarRow => {
    const [own, name, value] = [id, label, figure].map((column) => column?.read(place));
    const notes = [...texts.map((column) => String(column.read(place) ?? "")), look.notes?.get(String(own)) ?? ""];
    const note = notes.filter((each) => each !== "").join(", ");
    return {
      label: html`${look.link?.(String(own), typeof name === "string" ? name : undefined) ?? String(own)}${note !== "" && html` <span class="soft">${note}</span>`}`,
      value: typeof value !== "number" ? undefined : isShare ? Math.round(value * 1000) / 10 : value,
    };
  });
  return bars(rows, 100, look.tone, isShare ? "%" : "");
}

function greatestOf({ field }: Column): number | undefined {
  const rules = field && fieldRules(field)?.type;
  return rules?.case === "double" && rules.value.lessThan.case === "lte" ? rules.value.lessThan.value : undefined;
}
