import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "@bufbuild/protobuf";
import { field as fieldOption, Role, TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column, Place } from "../../contract/columns.ts";
import { bareLabel, columnUnit, enumText, labelOf, unitText, valueText } from "../../contract/labels.ts";
import { getOption } from "../../contract/option.ts";
import { fieldRules } from "../../contract/rules/field-rules.ts";
import type { Table } from "../../contract/tables.ts";
import { shortened } from "../../pages/all-rows.ts";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { countries } from "../../reference/countries/countries.ts";
import { chokepointById } from "../../reference/trade/chokepoints.ts";
import { addressWith } from "../address.ts";
import type { PageContext } from "../page-context.ts";
import { amountText, barCell, evenly, numberText, quantityText, unknown } from "./figures.ts";
import { sharesText, textOf } from "./list-text.ts";
import { instantText, spanText } from "./times.ts";

export interface DataTableParts {
  readonly table: Table;
  readonly places: readonly Place[];
  readonly caption: string;
  readonly page: PageContext;
  readonly limit: number;
  /** For an incomplete list: the total number of rows, and how to get the others. */
  readonly beyond?: HtmlValue;
}

/** Shows the rows of any read. Links in the head of the table sort it. */
export function dataTable({ table, places, caption, page, limit, beyond }: DataTableParts): Html {
  const shown = sortedPlaces(places, page.query, table.columns).slice(0, limit);
  const columns = withOngoing(table.columns, page.now);
  const empty = columns.filter(({ read }) => !shown.some((place) => isKnown(read(place)))).length;
  return html`${rowsMarkup({ columns, places: shown, caption, sorted: { page } })}
${remark(places.length, shown.length, empty, beyond)}`;
}

/** If an end is open and the contract has a value for this, shows how long the thing has lasted instead of an end. */
function withOngoing(columns: readonly Column[], now: number): readonly Column[] {
  const start = columns.find(({ role, time }) => role === Role.TIME && time === TimeEncoding.EPOCH_MS);
  return columns.map((column) => {
    const { role, time, field, read } = column;
    const isOpen = role === Role.END && time === TimeEncoding.EPOCH_MS;
    if (!start || !isOpen || !field || getOption(field, fieldOption).unknown.length === 0) return column;
    const lasting = (place: Place) => now - timeOf(start, start.read(place));
    const text = (place: Place) => (lasting(place) >= 0 ? `ongoing for ${spanText(lasting(place))}` : null);
    return { ...column, read: (place) => (isKnown(read(place)) ? read(place) : text(place)) };
  });
}

interface RowsParts {
  readonly columns: readonly Column[];
  readonly places: readonly Place[];
  readonly caption: string;
  /** Names of columns with values from 0 to 100, which are also shown as bars. */
  readonly bars?: readonly string[];
  /** If set, links in the table's head sort the rows. `anchor` is the part of the page to which the links lead. */
  readonly sorted?: { readonly page: PageContext; readonly anchor?: string };
}

/** Shows rows with titles and formats from the contract. Leaves out a column without known values. */
export function rowsMarkup({ columns: all, places, caption, bars = [], sorted }: RowsParts): Html {
  const read = all.map(asPercent).map((column) => ({ column, values: places.map(column.read) }));
  const known = read.filter(({ values }) => values.some(isKnown));
  const reported = known.filter((one) => !known.some((other) => isNameOf(one.values, other)));
  const titles = titlesOf(reported.map(({ column }) => column));
  const columns = reported.map(({ column, values }, place) => ({
    column,
    values,
    title: titles[place] ?? "",
    numbers: isNumeric(column) ? evenly(values.filter(isKnown).map(Number)) : numberText,
    hasBars: bars.includes(column.name),
  }));
  const isNamed = (each: ShownColumn) => isEqual(each, columns.length);
  const [named, shown] = [columns.filter(isNamed), columns.filter((each) => !isNamed(each))];
  const rows = places.map((_, row) => {
    // A cell is dimmed if it and all cells before it repeat the row above.
    const fresh = shown.findIndex(({ values }) => row === 0 || !isDeepStrictEqual(values[row], values[row - 1]));
    return html`<tr>${shown.map((column, place) => cellMarkup(column, row, place < fresh))}</tr>\n`;
  });
  const around = (body: Html) =>
    html`<div class="wide scrolls" role="region" aria-label="${`Table: ${caption}`}" tabindex="0"><table class="cards${sorted && " sorts"}">
<caption class="unseen">${caption}</caption>
<thead><tr>${shown.map(({ column, title }) => headMarkup(column, title, sorted))}</tr></thead>
${body}
</table></div>`;
  const same = named.map(
    ({ title, column, values: [value = null] }) =>
      html`<dt>${title}</dt><dd>${isKnown(value) && isNumeric(column) ? quantityText(Number(value), column.unit, column.scale) : valueMarkup(column, value)}</dd>`,
  );
  return html`${named.length > 0 && html`<p class="small soft">The same in all rows:</p><dl class="facts-list">${same}</dl>`}${shortened(rows, "rows", around)}`;
}

/** Converts a column of fractions to percentages. For other scales, the head of the column names the scale. */
function asPercent(column: Column): Column {
  const { unit, scale, read } = column;
  if (!unit.startsWith("%") || scale === 1) return column;
  const scaled = (value: JsonValue) => (typeof value === "number" ? value * scale : value);
  return { ...column, scale: 1, read: (place) => scaled(read(place)) };
}

/** If a table has more columns than this and a value is equal in all rows, it is named once above the table. */
const maxEqualColumns = 8;

function isEqual({ values: [first, ...others] }: ShownColumn, columns: number): boolean {
  return columns > maxEqualColumns && others.length > 1 && others.every((value) => isDeepStrictEqual(value, first));
}

interface ShownColumn {
  readonly column: Column;
  readonly title: string;
  readonly values: readonly JsonValue[];
  readonly numbers: (value: number) => string;
  readonly hasBars: boolean;
}

/** Returns whether the column repeats another one, because its values are the names of countries in that. */
function isNameOf(values: readonly JsonValue[], { column, values: codes }: Pick<ShownColumn, "column" | "values">) {
  if (column.role !== Role.COUNTRY) return false;
  return values.every((value, row) => value !== codes[row] && value === countries.get(String(codes[row]))?.name);
}

/** Returns the titles of columns. Equal titles also get the name of the parent field. */
function titlesOf(columns: readonly Column[]): readonly string[] {
  const own = columns.map(columnTitle);
  return own.map((title, place) => {
    const above = columns[place]?.name.split(".").at(-2);
    const isOnly = own.filter((each) => each === title).length === 1;
    if (isOnly) return title;
    return above === undefined ? labelOf(columns[place]?.name ?? "") : `${labelOf(above)}: ${title}`;
  });
}

function remark(all: number, shown: number, empty: number, beyond: HtmlValue): Html {
  const rows =
    shown < all
      ? `The first ${shown} of ${numberText(all)} rows${beyond === undefined ? "" : " that were read"}. Downloads have all of them.`
      : `${amountText(all, "row")}.`;
  const hidden =
    empty > 0 &&
    ` ${empty === 1 ? "One column" : `${empty} columns`} without a value in these rows ${empty === 1 ? "is" : "are"} left out.`;
  return html`<p class="soft small">${rows}${beyond !== undefined && html` ${beyond}`}${hidden}</p>`;
}

interface Sort {
  readonly column: Column;
  readonly isDown: boolean;
}

export function sortIn(query: URLSearchParams, columns: readonly Column[]): Sort | undefined {
  const wanted = query.get("order") ?? "";
  const column = columns.find(({ name }) => name === wanted.replace(/^-/, ""));
  return column && { column, isDown: wanted.startsWith("-") };
}

/** Returns the rows in the order that the address names. */
export function sortedPlaces(
  places: readonly Place[],
  query: URLSearchParams,
  columns: readonly Column[],
): readonly Place[] {
  const sort = sortIn(query, columns);
  return sort ? [...places].sort(comparing(sort)) : places;
}

/** Compares two rows. Unknown values come last in both directions. */
function comparing({ column, isDown }: Sort) {
  return (one: Place, other: Place): number => {
    const [a, b] = [column.read(one), column.read(other)];
    if (!isKnown(a) || !isKnown(b)) return Number(isKnown(b)) - Number(isKnown(a));
    const order =
      typeof a === "number" && typeof b === "number"
        ? a - b
        : String(a).localeCompare(String(b), "en", { numeric: true });
    return isDown ? -order : order;
  };
}

function headMarkup(column: Column, title: string, sorted: RowsParts["sorted"]): Html {
  const { name, unit, scale } = column;
  const sort = sorted && sortIn(sorted.page.query, [column]);
  const isHere = sort !== undefined;
  const isDown = sort?.isDown === true;
  const above = columnUnit(unit, scale);
  const link = (page: PageContext) => {
    // The largest numbers come first, because they are what readers look for.
    const isNextDown = isHere ? !isDown : isNumeric(column);
    return html`<a href="${addressWith(page, { order: isNextDown ? `-${name}` : name })}${sorted?.anchor}">${title}</a>`;
  };
  return html`<th scope="col"${isNumeric(column) && html` class="number"`}${isHere && html` aria-sort="${isDown ? "descending" : "ascending"}"`}>${sorted ? link(sorted.page) : title}${
    above !== "" && html`<span class="unit">${above}</span>`
  }</th>`;
}

/** Returns whether a column contains numbers, except times. */
export function isNumeric({ type, time }: Column): boolean {
  return (type === "number" || type === "integer" || type === "bigint") && time === TimeEncoding.UNSPECIFIED;
}

export function isKnown(value: JsonValue): boolean {
  return value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function cellMarkup({ column, title, values, numbers, hasBars }: ShownColumn, row: number, isRepeated: boolean): Html {
  const value = values[row] ?? null;
  const unit = columnUnit(column.unit, column.scale);
  const cell = (kind: string, content: HtmlValue) =>
    html`<td class="${kind}${isRepeated && " again"}" data-label="${title}"${unit !== "" && html` data-unit="${unit}"`}>${content}</td>`;
  if (!isKnown(value)) return cell(isNumeric(column) ? "unknown number" : "unknown", unknown);
  if (column.role === Role.COUNTRY) return cell("word", valueMarkup(column, value));
  if (isInstant(column)) return cell("time", valueMarkup(column, value));
  const text = numbers(Number(value));
  if (hasBars) return cell("number", barCell(Number(value), "risk", text));
  if (isNumeric(column)) return cell("number", text);
  const shown = inWords(column, value);
  const { length } = textOf(shown);
  return cell(length > longText ? "text long" : length > shortText ? "text" : "word", textMarkup(shown));
}

/** Formats a cell that is not a number. */
export function valueMarkup(column: Column, value: JsonValue): Html {
  if (column.role === Role.COUNTRY) return countryLink(String(value));
  return isInstant(column) ? timeMarkup(column, value) : textMarkup(inWords(column, value));
}

function inWords({ field, role }: Column, value: JsonValue): JsonValue {
  if (Array.isArray(value) && field?.message) return sharesText(field.message, value) ?? value;
  if (Array.isArray(value)) return value.map((each) => (typeof each === "string" ? codeText(field, role, each) : each));
  if (typeof value !== "string") return value;
  if (role === Role.WORDS) return labelOf(value);
  const rules = field && fieldRules(field)?.type;
  if (rules && rules.case === "string" && rules.value.in.length > 0) return valueText(field.name, value);
  return codeText(field, role, value);
}

/** Shows codes such as `naval_base` as words. Names of sources, and their codes such as `prc_hpi_a`, do not change. */
function codeText(field: Column["field"], role: Role, text: string): string {
  if (field?.name === "sources") return text;
  const isWords = /^[a-z]{2,}(?:_[a-z]{2,})+$/.test(text) || (role === Role.WORDS && /[A-Z]/.test(text));
  return chokepointById(text)?.name ?? (isWords ? labelOf(text) : enumText(field, text));
}

/** Returns the title without the unit, which is shown next to it. A country is shown by name, not by code. */
function columnTitle({ name, role, unit, scale }: Column): string {
  const label = labelOf(name);
  if (role === Role.COUNTRY) return /^(?:ISO2|code)$/i.test(label) ? "Country" : label.replace(/ (?:ISO2|code)$/i, "");
  const above = columnUnit(unit, scale);
  return above === "" ? label : bareLabel(label, above, unitText(unit));
}

export function countryLink(code: string): Html {
  const country = countries.get(code);
  return country ? html`<a href="/countries/${code}">${country.name}</a>` : html`${code}`;
}

function isInstant({ time }: Column): boolean {
  return time === TimeEncoding.EPOCH_MS || time === TimeEncoding.RFC3339;
}

/** Returns a time in Unix epoch milliseconds; NaN if the value is not a time. */
export function timeOf({ time }: Column, value: JsonValue): number {
  return time === TimeEncoding.EPOCH_MS ? Number(value ?? Number.NaN) : Date.parse(String(value));
}

function timeMarkup(column: Column, value: JsonValue): Html {
  const at = timeOf(column, value);
  if (Number.isNaN(at) || Math.abs(at) > 8.64e15) return html`${String(value)}`;
  return html`<time datetime="${new Date(at).toISOString()}">${instantText(at)}</time>`;
}

/** Maximum length of texts of which two fit next to each other on a phone. */
const shortText = 18;
/** A cell with a text of this length gets a minimum width, so that it does not become very high. */
const longText = 40;
/** Maximum length of a text in a cell. Files contain the whole text. */
const maxText = 160;

function textMarkup(value: JsonValue): Html {
  if (value === true || value === false) return html`${value ? "yes" : "no"}`;
  const text = textOf(value);
  if (/^https?:\/\/[^\s]+$/.test(text) && URL.canParse(text))
    return html`<a href="${text}" rel="noopener noreferrer nofollow">${new URL(text).hostname}</a>`;
  return html`${text.length > maxText ? `${text.slice(0, maxText)}…` : text}`;
}
