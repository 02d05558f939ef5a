import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  isMessage,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { RawBuilder } from "kysely";
import {
  field as fieldOption,
  operation as operationOption,
  Role,
  TimeEncoding,
} from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column, Place } from "../../contract/columns.ts";
import { getOption } from "../../contract/option.ts";
import { plainMaker } from "../../contract/plain.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { type Table, tablesOf, tablesWithin } from "../../contract/tables.ts";

export interface FollowedTable {
  readonly table: Table;
  /** The columns that together identify a row. Empty if the table has only one row. */
  readonly key: readonly Column[];
  readonly columns: readonly Column[];
  readonly reported: readonly Column[];
  readonly responses: (stored: JsonObject) => readonly JsonObject[];
}

export interface Followable {
  readonly serves: readonly DescMethod[];
  readonly message?: DescMessage | undefined;
  readonly features?: { readonly lists: DescMethodUnary } | undefined;
  /** The operation whose response shows the rows, for a dataset that is stored with another schema. */
  readonly shows?: { readonly lists: DescMethodUnary } | undefined;
}

const planned = new WeakMap<Followable, readonly FollowedTable[]>();

/**
 * Returns the tables of a dataset whose rows have a key and are stored, so that their changes can be logged. Tables
 * that are computed for each request are omitted. If a message contains one single-row response per entity, the rows of
 * all these responses form one table.
 */
export function followedTables(dataset: Followable): readonly FollowedTable[] {
  const known = planned.get(dataset) ?? plan(dataset);
  planned.set(dataset, known);
  return known;
}

function plan({ serves, message, features, shows }: Followable): readonly FollowedTable[] {
  if (features)
    return tablesOf({ method: features.lists })
      .slice(0, 1)
      .map((table) => followed(table, (stored) => [stored]));
  if (shows) return keyed(tablesOf({ method: shows.lists })).map((table) => followed(table, (stored) => [stored]));
  if (!message) return [];
  const tables = serves.filter(isUnary).flatMap((method) => storedTables(method, message));
  return tables.filter(({ table }, index) => tables.findIndex((other) => other.table.name === table.name) === index);
}

function storedTables(method: DescMethodUnary, message: DescMessage): readonly FollowedTable[] {
  const plain = tablesOf({ method }).filter((_, index) => fromRequestOf(method, index).length === 0);
  if (method.output === message) return keyed(plain).map((table) => followed(table, (stored) => [stored]));
  const field = message.fields.find((each) => each.message === method.output && each.fieldKind !== "map");
  if (!field) return keyed(tablesWithin({ method }, message)).map((table) => followed(table, (stored) => [stored]));
  const responses = (stored: JsonObject) => {
    const value = stored[field.jsonName];
    return (Array.isArray(value) ? value : [value ?? null]).filter(isObject);
  };
  const tables = keyed(plain);
  const whole = field.fieldKind === "list" ? tables.filter(({ name }) => name === "response") : [];
  return (whole.length > 0 ? whole : tables).map((table) => followed(table, responses));
}

function fromRequestOf(method: DescMethodUnary, index: number): readonly string[] {
  return getOption(method, operationOption).rows[index]?.fromRequest ?? [];
}

function keyed(tables: readonly Table[]): readonly Table[] {
  return tables.filter(({ key }) => key.length > 0);
}

function followed(table: Table, responses: FollowedTable["responses"]): FollowedTable {
  const isOneRow = table.name === "response";
  const columns = table.columns.filter((column) => !isListOfMessages(column));
  const key = table.key.flatMap((name) => table.columns.find((column) => column.name === name) ?? []);
  return {
    table,
    // Each refresh changes the time of a single-row response, so the time can't be part of the row's key.
    key: isOneRow ? key.filter(({ role }) => role !== Role.TIME) : key,
    columns,
    reported: columns.filter((column) => !isReadTime(column)),
    responses,
  };
}

/** Returns whether a column is the time of a read, which each refresh changes even if no value changes. */
export function isReadTime({ field, time }: Column): boolean {
  return time !== TimeEncoding.UNSPECIFIED && field !== undefined && getOption(field, fieldOption).readTime;
}

/** Returns whether a column is a list of messages. Such a list is a separate table, so its parent omits it. */
function isListOfMessages({ field }: Column): boolean {
  return (
    field !== undefined && (field.fieldKind === "list" || field.fieldKind === "map") && field.message !== undefined
  );
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

/** How to convert a stored message to the response of an operation that has another schema. */
export interface ShownAs {
  readonly lists: DescMethodUnary;
  readonly responseOf: (stored: Message) => JsonObject;
}

export function shownAs<M extends DescMessage, O extends DescMessage>(
  message: M,
  lists: DescMethodUnary<DescMessage, O>,
  show: (stored: MessageShape<M>) => MessageInitShape<O>,
): ShownAs {
  const plain = plainMaker(lists.output);
  return {
    lists,
    responseOf: (stored) => (isMessage(stored, message) ? plain(create(lists.output, show(stored))) : {}),
  };
}

export function followedShape(
  { message, shows }: { readonly message: DescMessage; readonly shows?: ShownAs | undefined },
  stored: Message,
): JsonObject {
  return shows ? shows.responseOf(stored) : plainMaker(message)(stored);
}

export interface RowFeatures<D extends DescMessage = DescMessage> {
  /** The operation whose first table contains the rows of the dataset. */
  readonly lists: DescMethodUnary;
  readonly message: D;
  /** SQL expression for the ID of a row, which stays the same in all versions of the dataset. */
  readonly subject: RawBuilder<unknown>;
  /** Returns the SQL query for the rows that readers can see and that meet a condition, as JSON. */
  readonly visible: (condition: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Returns the query of `visible` with only the columns whose changes are reported. By default, all are compared. */
  readonly compared?: RowFeatures["visible"];
  readonly toRow: (stored: JsonObject) => MessageInitShape<D>;
}

export type AnyRowFeatures = Required<Pick<RowFeatures, "lists" | "subject" | "visible" | "compared">> & {
  readonly plainRow: (stored: JsonObject) => JsonObject;
};

export function rowFeatures<D extends DescMessage>({ message, toRow, ...features }: RowFeatures<D>): AnyRowFeatures {
  const plain = plainMaker(message);
  return {
    ...features,
    compared: features.compared ?? features.visible,
    plainRow: (stored) => plain(create(message, toRow(stored))),
  };
}

/**
 * Records rows before a transaction changes them. `rows` is an SQL query for the ID and the JSON of each row. The JSON
 * is null if readers cannot see the row. If a row is already recorded, its first record remains.
 */
export type NoteRows = (rows: RawBuilder<unknown>) => Promise<void>;

/** Returns the rows of a table by key. If several rows have the same key, the last one counts. */
export function featureRows(followed: FollowedTable, stored: JsonObject): ReadonlyMap<string, Place> {
  const rows = new Map<string, Place>();
  for (const response of followed.responses(stored))
    for (const place of followed.table.rowsIn(response, {})) rows.set(subjectOf(followed, place), place);
  return rows;
}

/** Returns the key of a row as text. Columns are joined by `|`; in values, `|` is escaped as `%7C` and `%` as `%25`. */
export function subjectOf({ key }: Pick<FollowedTable, "key">, place: Place): string {
  return key
    .map(({ read }) => String(read(place) ?? "").replaceAll(/[%|]/g, (letter) => (letter === "|" ? "%7C" : "%25")))
    .join("|");
}
