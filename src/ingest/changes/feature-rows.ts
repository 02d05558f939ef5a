import type { JsonValue } from "@bufbuild/protobuf";
import { Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column, Place } from "../../contract/columns.ts";
import type { JsonObject } from "../../contract/request/body.ts";
import { countryByCode } from "../../reference/countries/countries.ts";
import type { NewChange } from "../../store/changes/change-log.ts";
import type { FollowedTable } from "./followed-tables.ts";

export type FeatureRows = ReadonlyMap<string, Place>;

export interface Withheld {
  readonly sources: ReadonlySet<string>;
  readonly parts: ReadonlySet<string>;
}

/** Returns the rows of a table by key. If several rows have the same key, the last one counts. */
export function featureRows(followed: FollowedTable, stored: JsonObject): FeatureRows {
  const rows = new Map<string, Place>();
  for (const response of followed.responses(stored))
    for (const place of followed.table.rowsIn(response, {})) rows.set(subjectOf(followed, place), place);
  return rows;
}

/** The parts are joined by `|`; within a part, `|` is escaped as `%7C` and `%` as `%25`. */
export function subjectOf({ key }: Pick<FollowedTable, "key">, place: Place): string {
  return key
    .map(({ read }) => String(read(place) ?? "").replaceAll(/[%|]/g, (letter) => (letter === "|" ? "%7C" : "%25")))
    .join("|");
}

export type RowValues = Readonly<Record<string, JsonValue>>;

export function valuesOf({ columns }: Pick<FollowedTable, "columns">, place: Place): RowValues {
  return Object.fromEntries(columns.map(({ name, read }) => [name, read(place)]));
}

export function changeOf(
  followed: FollowedTable,
  subject: string,
  { before, after }: { readonly before: RowValues | undefined; readonly after: RowValues | undefined },
): NewChange | undefined {
  const row = after ?? before;
  if (!row) return undefined;
  const about = { rows: followed.table.name, subject, ...facetsOf(followed, row) };
  const columns = followed.reported;
  if (!before) return { kind: "appeared", ...about, after: nested(columns, row, known) };
  if (!after) return { kind: "vanished", ...about, before: nested(namingOf(followed), row, known) };
  const moved = columns.filter(({ name }) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (moved.length === 0) return undefined;
  return { kind: "changed", ...about, before: nested(moved, before), after: nested(moved, after) };
}

/** If no column names the source and a source is withheld, all rows are withheld. */
export function withheldTest({ table }: FollowedTable, { sources, parts }: Withheld): (place: Place) => boolean {
  const naming = table.columns.filter(({ role }) => role === Role.SOURCE);
  const ids = table.columns.filter(({ role }) => role === Role.ID);
  if (sources.size > 0 && naming.length === 0) return () => true;
  return (place) =>
    naming.some(({ read }) => sources.has(String(read(place)))) ||
    ids.some(({ read }) => parts.has(String(read(place))));
}

function facetsOf({ columns }: FollowedTable, row: RowValues) {
  const textOf = (role: Role) => String(row[columns.findLast((column) => column.role === role)?.name ?? ""] ?? "");
  return { country: countryByCode(textOf(Role.COUNTRY))?.alpha2 ?? "", source: textOf(Role.SOURCE) };
}

function namingOf({ key, columns }: FollowedTable): readonly Column[] {
  const naming = columns.filter(({ role }) => role === Role.LABEL || role === Role.ID || role === Role.COUNTRY);
  return [...new Set([...key, ...naming])];
}

function known(value: JsonValue): boolean {
  return value !== null;
}

/** Nests values by column name as in the JSON: the value of `a.b` is a member of `a`. */
function nested(columns: readonly Column[], row: RowValues, isReported = (_: JsonValue) => true): JsonObject {
  const values: Record<string, JsonValue> = {};
  for (const { name } of columns) {
    const value = row[name] ?? null;
    if (!isReported(value)) continue;
    const path = name.split(".");
    const last = path.pop() ?? name;
    let inner = values;
    for (const step of path) inner = inner[step] = (inner[step] ?? {}) as Record<string, JsonValue>;
    inner[last] = value;
  }
  return values;
}
