import { type DescField, type DescMessage, getOption, type Message } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { field as fieldOption, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { RowCount } from "../../ingest/row-count.ts";
import { epochMs } from "./row-time.ts";

/**
 * The rows of a dataset that is kept as one message: the elements of the lists nearest to its top whose message names a
 * country. None where no list does.
 */
export function messageRows(schema: DescMessage, message: Message): readonly RowCount[] {
  let level: readonly ReflectMessage[] = [reflect(schema, message)];
  while (level.length > 0) {
    const rows = level.flatMap((node) => node.fields.flatMap((field) => rowsOf(node, field)));
    if (rows.length > 0) return rows;
    level = level.flatMap((node) => node.fields.flatMap((field) => messagesIn(node, field)));
  }
  return [];
}

function rowsOf(node: ReflectMessage, field: DescField): RowCount[] {
  const country = field.fieldKind === "list" && field.message && pathTo(Role.COUNTRY, field.message);
  if (!country) return [];
  const time = pathTo(Role.TIME, field.message);
  return messagesIn(node, field).map((row) => {
    const at = time ? timeAt(row, time) : null;
    return { source: null, country: String(valueAt(row, country)), rows: 1, first: at, last: at };
  });
}

/** The fields that lead to the one with a role, through single messages; undefined where there is none. */
function pathTo(role: Role, { fields }: DescMessage, above: readonly DescMessage[] = []): DescField[] | undefined {
  const own = fields.find((field) => field.fieldKind === "scalar" && getOption(field, fieldOption).role === role);
  if (own) return [own];
  for (const field of fields) {
    if (field.fieldKind !== "message" || above.includes(field.message)) continue;
    const path = pathTo(role, field.message, [...above, field.message]);
    if (path) return [field, ...path];
  }
  return undefined;
}

function valueAt(row: ReflectMessage, path: readonly DescField[]): unknown {
  return path.reduce((at: unknown, field) => (isReflectMessage(at) ? at.get(field) : undefined), row);
}

function timeAt(row: ReflectMessage, path: readonly DescField[]): number | null {
  const field = path.at(-1);
  const value = valueAt(row, path);
  if (!field || (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint")) return null;
  const { time, unknown } = getOption(field, fieldOption);
  return unknown.includes(Number(value)) ? null : epochMs(value, time);
}

/** The messages that a field holds. */
function messagesIn(node: ReflectMessage, field: DescField): ReflectMessage[] {
  if (!field.message || !node.isSet(field)) return [];
  const value: unknown = node.get(field);
  if (isReflectMessage(value)) return [value];
  const values: Iterable<unknown> =
    field.fieldKind === "map" ? node.get(field).values() : field.fieldKind === "list" ? node.get(field) : [];
  return [...values].filter((each) => isReflectMessage(each));
}
