import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { field as fieldOption, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { type Column, columnsOf, columnsOfField, type Place } from "../../contract/columns.ts";
import { bareLabel, columnUnit, labelOf, unitText } from "../../contract/labels.ts";
import { getOption } from "../../contract/option.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { fieldRules } from "../../contract/rules/field-rules.ts";
import { memberOf } from "../../contract/rules/known-values.ts";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { isKnown, isNumeric, rowsMarkup, valueMarkup } from "./data-table.ts";
import { type BarRow, bars, quantityText } from "./figures.ts";
import { durationText } from "./times.ts";

export interface MessageLook {
  /** Title of the tables. */
  readonly title: string;
  /** Names of fields that are not shown, because they add nothing on this page. */
  readonly omit?: readonly string[];
  /** Names of messages whose values are comparable, so that they are shown as bars. */
  readonly bars?: readonly string[];
  /** Color of the bars. */
  readonly tone?: "risk" | "calm";
  /** Displayed columns of lists with many fields, by the name of the list. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** Texts next to the labels of bars, by row ID. */
  readonly notes?: ReadonlyMap<string, string>;
  /** Returns a link for the ID of a row in bars. */
  readonly link?: (id: string, label: string | undefined) => HtmlValue;
  /** Text for an absent value. */
  readonly absent?: string;
  /** Text for an empty list of events. */
  readonly empty?: string;
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
  const { figures, messages, lists } = planOf(desc);
  const isShown = (name: string) => look.omit?.includes(name) !== true;
  const groups = messages.map((nested) => {
    const value = memberOf(message, nested.field) ?? null;
    return isShown(nested.field.name) && isObject(value) && groupMarkup(nested, value, look, messages.length);
  });
  const shown = figures.filter(({ field }) => field && isShown(field.name));
  return html`${shown.length > 0 && figuresMarkup(shown, message, look)}${groups}${lists
    .filter(({ field }) => isShown(field.name))
    .map((list) => listMarkup(list, memberOf(message, list.field), look))}`;
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

function groupMarkup({ field, desc }: Nested, value: JsonObject, look: MessageLook, groups: number) {
  const isBars = look.bars?.includes(field.name) === true;
  const heading = (groups > 1 || isBars) && html`<h3>${labelOf(field.name)}</h3>`;
  if (!isBars) return html`${heading}${messageMarkup(desc, value, look)}`;
  const rows = planOf(desc).figures.map((column): BarRow => {
    const figure = column.read(placeOf(value));
    return { label: labelOf(column.name), value: typeof figure === "number" ? figure : undefined };
  });
  return html`${heading}${bars(rows, 100, look.tone)}`;
}

function placeOf(row: JsonValue): Place {
  return { request: {}, response: {}, parents: [], row };
}

function figuresMarkup(columns: readonly Column[], message: JsonObject, { absent }: MessageLook): Html {
  const place = placeOf(message);
  // Units are left out of labels, unless two labels would be equal.
  const bares = columns.map(({ name, unit, scale }) =>
    bareLabel(labelOf(name), columnUnit(unit, scale), unitText(unit)),
  );
  return html`<dl class="facts-list">${columns.map((column, index) => {
    const isOnly = bares.filter((each) => each === bares[index]).length === 1;
    return html`<dt>${isOnly ? bares[index] : labelOf(column.name)}</dt>${figureMarkup(column, column.read(place), absent)}`;
  })}</dl>`;
}

function figureMarkup(column: Column, value: JsonValue, absent = "not known"): Html {
  if (Array.isArray(value) && value.length === 0) return html`<dd>none</dd>`;
  if (!isKnown(value)) return html`<dd class="soft">${absent}</dd>`;
  if (!isNumeric(column) || typeof value !== "number") return html`<dd>${valueMarkup(column, value)}</dd>`;
  const { unit, scale } = column;
  return html`<dd>${unit === "s" ? durationText(value) : quantityText(value, unit, scale)}</dd>`;
}

const rowColumns = new WeakMap<DescMessage, readonly Column[]>();

/** Shows a list: rows with a single value as bars, other rows as a table. */
function listMarkup({ field, desc }: Nested, value: JsonValue | undefined, look: MessageLook): Html | undefined {
  const places = Array.isArray(value) ? value.map(placeOf) : [];
  const wanted = look.columns?.[field.name];
  if (places.length === 0 && (!wanted || look.empty === undefined)) return undefined;
  const all = rowColumns.get(desc) ?? columnsOf(desc, "", ({ row }) => row, false);
  rowColumns.set(desc, all);
  const columns = all.filter(({ name }) => wanted?.includes(name) !== false);
  const [figure, ...others] = columns.filter(isNumeric);
  const heading = html`<h3>${labelOf(field.name)}</h3>`;
  if (places.length === 0) return html`${heading}<p class="soft">${look.empty}</p>`;
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
