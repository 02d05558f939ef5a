import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import { Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../contract/catalog.ts";
import { cellText } from "../../contract/cell-text.ts";
import { type Column, columnsOf, plainColumn } from "../../contract/columns.ts";
import { pagingOf } from "../../contract/paging.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { isOpaque, memberOf } from "../../contract/rules/known-values.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";

/**
 * Formats responses as tables: one of the plain members of the last response, and one for each list at any depth. A row
 * of an inner list begins with the names of the rows that contain it.
 */
export function responseTables(out: Terminal["out"], operation: Operation, responses: readonly JsonObject[]): string {
  const { output } = operation.method;
  const next = pagingOf(operation)?.next.at(-1);
  const last = responses.at(-1) ?? {};
  const members = columnsOf(output, "", ({ row }) => row, true).flatMap((column) => {
    const text = column.field === next ? "" : cellOf(column, { value: last });
    return text === "" ? [] : [[column.name, text]];
  });
  const rows = responses.map((value): Row => ({ names: [], value }));
  const lists = [...listTables(out, output, { path: "", headings: [], rows })];
  return [...(members.length > 0 ? [table(out, ["field", "value"], members)] : []), ...lists].join("\n");
}

interface Row {
  /** Names of the outer rows that contain the row, outermost first. */
  readonly names: readonly string[];
  readonly value: JsonValue;
  /** Key of the row, if the field is a map and not a list. */
  readonly key?: string;
}

/** The messages at one path of the responses. Together, their lists form tables. */
interface Level {
  readonly path: string;
  /** Column headings for the names of outer rows. */
  readonly headings: readonly string[];
  readonly rows: readonly Row[];
}

/** Yields a table for each list in these messages, then the tables of lists within the rows. */
function* listTables(out: Terminal["out"], desc: DescMessage, { path, headings, rows }: Level): Generator<string> {
  for (const { name, field, itemsOf } of listsIn(desc, "", (value) => value, [desc])) {
    const at = path === "" ? name : `${path}.${name}`;
    const items = rows.flatMap((row) => itemsOf(row.value).map((item): Row => ({ ...item, names: row.names })));
    const columns = columnsOfItems(field);
    const cells = items.map((item) => columns.map((column) => cellOf(column, item)));
    const shown = [...columns.keys()].filter((index) => cells.some((row) => row[index] !== ""));
    const heads = [...headings, ...shown.map((index) => columns[index]?.name ?? "")];
    const lines = items.map(({ names }, place) => [...names, ...shown.map((index) => cells[place]?.[index] ?? "")]);
    // An empty list within rows gets no table, because most rows lack some of these lists.
    if (items.length > 0 || path === "")
      yield items.length > 0 ? `${at}\n${table(out, heads, lines)}` : `${at}: none\n`;
    const [label] = columns.filter(({ role }) => role === Role.ID || role === Role.LABEL);
    const naming = label ?? columns[0];
    if (!field.message || !naming) continue;
    const named = items.map((item): Row => ({ ...item, names: [...item.names, cellOf(naming, item)] }));
    yield* listTables(out, field.message, { path: at, headings: [...headings, `${name}.${naming.name}`], rows: named });
  }
}

/** A list or map of a message, or of a single message within it. */
interface List {
  readonly name: string;
  readonly field: DescField;
  readonly itemsOf: (value: JsonValue) => readonly Omit<Row, "names">[];
}

type Inner = (value: JsonValue) => JsonValue | undefined;

function listsIn(desc: DescMessage, prefix: string, inner: Inner, within: readonly DescMessage[]): List[] {
  return desc.fields.flatMap((field): List[] => {
    const name = prefix + field.jsonName;
    const member: Inner = (value) => memberOf(inner(value), field);
    if (field.fieldKind === "map" || (field.fieldKind === "list" && field.message))
      return [{ name, field, itemsOf: (value) => itemsOf(member(value)) }];
    if (field.fieldKind !== "message" || isOpaque(field.message) || within.includes(field.message)) return [];
    return listsIn(field.message, `${name}.`, member, [...within, field.message]);
  });
}

function itemsOf(value: JsonValue | undefined): Omit<Row, "names">[] {
  if (Array.isArray(value)) return value.map((item) => ({ value: item }));
  if (value === undefined || !isObject(value)) return [];
  return Object.entries(value).map(([key, item]) => ({ key, value: item }));
}

function columnsOfItems(field: DescField): readonly Column[] {
  const own = field.message
    ? columnsOf(field.message, "", ({ row }) => row, true)
    : [plainColumn("value", field, ({ row }) => row)];
  return field.fieldKind === "map" ? [plainColumn("key", undefined, ({ key }) => key ?? null), ...own] : own;
}

function cellOf(column: Column, { value, key = "" }: Omit<Row, "names">): string {
  return cellText(column, column.read({ request: {}, response: {}, parents: [], row: value, key }));
}
