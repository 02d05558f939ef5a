import type { JsonValue } from "@bufbuild/protobuf";
import { Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column, Place } from "../../contract/columns.ts";
import type { JsonObject } from "../../contract/request/body.ts";
import { countryByCode } from "../../reference/countries/countries.ts";
import type { NewChange } from "../../store/changes/change-log.ts";
import type { FollowedTable } from "./followed-tables.ts";

/** Rows of a table by their keys. */
export type FeatureRows = ReadonlyMap<string, Place>;

/** What must not leave this service of a live dataset: names of sources, and ids of single rows. */
export interface Restricted {
  readonly sources: ReadonlySet<string>;
  readonly parts: ReadonlySet<string>;
}

/** The rows of a table in what is stored. Of several with one key the last counts. */
export function featureRows(followed: FollowedTable, stored: JsonObject): FeatureRows {
  const rows = new Map<string, Place>();
  for (const response of followed.responses(stored))
    for (const place of followed.table.rowsIn(response, {})) rows.set(subjectOf(followed, place), place);
  return rows;
}

/** The key of a row as text: its parts joined by `|`, which within a part is written `%7C`, as `%` is `%25`. */
export function subjectOf({ key }: Pick<FollowedTable, "key">, place: Place): string {
  return key
    .map(({ read }) => String(read(place) ?? "").replaceAll(/[%|]/g, (letter) => (letter === "|" ? "%7C" : "%25")))
    .join("|");
}

/** The values of a row by the names of its columns. */
export type RowValues = Readonly<Record<string, JsonValue>>;

export function valuesOf({ columns }: Pick<FollowedTable, "columns">, place: Place): RowValues {
  return Object.fromEntries(columns.map(({ name, read }) => [name, read(place)]));
}

/** The change of one row; undefined if none of the compared columns differs. */
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

/** Whether a row may leave this service. Where no column names the source, none of a dataset with a restricted one may. */
export function isPassedOn({ table }: FollowedTable, { sources, parts }: Restricted): (place: Place) => boolean {
  const naming = table.columns.filter(({ role }) => role === Role.SOURCE);
  const ids = table.columns.filter(({ role }) => role === Role.ID);
  if (sources.size > 0 && naming.length === 0) return () => false;
  return (place) =>
    !naming.some(({ read }) => sources.has(String(read(place)))) &&
    !ids.some(({ read }) => parts.has(String(read(place))));
}

function facetsOf({ columns }: FollowedTable, row: RowValues) {
  const textOf = (role: Role) => String(row[columns.findLast((column) => column.role === role)?.name ?? ""] ?? "");
  // Keys of a map may stand for several countries.
  return { country: countryByCode(textOf(Role.COUNTRY))?.alpha2 ?? "", source: textOf(Role.SOURCE) };
}

/** What identifies and names a row. */
function namingOf({ key, columns }: FollowedTable): readonly Column[] {
  const naming = columns.filter(({ role }) => role === Role.LABEL || role === Role.ID || role === Role.COUNTRY);
  return [...new Set([...key, ...naming])];
}

function known(value: JsonValue): boolean {
  return value !== null;
}

/** Values of columns in the shape of JSON: those named `a.b` stand in `a`. */
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
