import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { field as fieldOption, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "../../contract/option.ts";
import type { RowCount } from "../../ingest/dataset.ts";
import { countryByCode } from "../../reference/countries/countries.ts";
import { epochMs } from "./row-time.ts";

/**
 * Returns the rows of a dataset that is stored as one message. Rows are the elements of the topmost lists whose message
 * names a country, and the entries of maps by country. All entries with the same key count as one row.
 */
export function messageRows(schema: DescMessage, message: Message): readonly RowCount[] {
  let level: readonly ReflectMessage[] = [reflect(schema, message)];
  while (level.length > 0) {
    const fields = level.flatMap((node) => node.fields.map((field) => ({ node, field })));
    const rows = fields.flatMap(({ node, field }) => listRows(node, field));
    const keyed = Map.groupBy(
      fields.flatMap(({ node, field }) => mapRows(node, field)),
      ([key]) => key,
    );
    const found = [...rows, ...[...keyed.values()].map((parts) => joined(parts.map(([, part]) => part)))];
    if (found.length > 0) return found;
    level = fields.flatMap(({ node, field }) => messagesIn(node, field));
  }
  return [];
}

function listRows(node: ReflectMessage, field: DescField): RowCount[] {
  const country = field.fieldKind === "list" && field.message && pathTo(Role.COUNTRY, field.message);
  if (!country) return [];
  return messagesIn(node, field).map((row) => rowOf(field.message, row, String(valueAt(row, country))));
}

function mapRows(node: ReflectMessage, field: DescField): (readonly [string, RowCount])[] {
  if (field.fieldKind !== "map" || getOption(field, fieldOption).role !== Role.COUNTRY) return [];
  return [...node.get(field)].flatMap(([key, row]) => {
    const country = countryByCode(String(key))?.alpha2 ?? "";
    return isReflectMessage(row) ? [[String(key), rowOf(row.desc, row, country)] as const] : [];
  });
}

function rowOf(desc: DescMessage, row: ReflectMessage, country: string): RowCount {
  const [time, naming] = [pathTo(Role.TIME, desc), pathTo(Role.SOURCE, desc)];
  const at = time ? timeAt(row, time) : null;
  const source = naming ? String(valueAt(row, naming)) : "";
  return { source: source === "" ? null : source, country, rows: 1, first: at, last: at };
}

function joined(parts: readonly RowCount[]): RowCount {
  const times = parts.flatMap(({ first, last }) => [first, last]).filter((at) => at !== null);
  const [first, last] = times.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)];
  return { source: null, country: "", ...parts[0], rows: 1, first, last };
}

/** Returns the path through single messages, or undefined if no field has the role. */
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

function messagesIn(node: ReflectMessage, field: DescField): ReflectMessage[] {
  if (!field.message || !node.isSet(field)) return [];
  const value: unknown = node.get(field);
  if (isReflectMessage(value)) return [value];
  const values: Iterable<unknown> =
    field.fieldKind === "map" ? node.get(field).values() : field.fieldKind === "list" ? node.get(field) : [];
  return [...values].filter((each) => isReflectMessage(each));
}
