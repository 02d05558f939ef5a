import type { DescField, DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { DatasetCoverageSchema } from "../../../gen/es/ids/catalog/v1/coverage_pb.ts";
import { field as fieldOption, Role, TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { columnsOf, isFigure } from "../../contract/columns.ts";
import { getOption } from "../../contract/option.ts";
import { plainMaker } from "../../contract/plain.ts";
import { hasUnknown } from "../../contract/rules/known-values.ts";
import type { RowCount } from "../../ingest/dataset.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import { broughtRows } from "../../ingest/stored-metadata.ts";
import { countryByCode } from "../../reference/countries/countries.ts";
import type { Served, Visible } from "../../store/served/served.ts";
import type { Store } from "../../store/tables.ts";

/** Returns the start of a time value in Unix epoch milliseconds, or null if the value is not a time. */
export function epochMs(value: string | number | bigint, encoding: TimeEncoding): number | null {
  const text = String(value);
  const [, year = "", quarter, month] = /^(\d{4})(?:-Q([1-4])|-(\d\d))?$/.exec(text) ?? [];
  const isPeriod = year !== "" && encoding !== TimeEncoding.EPOCH_MS;
  if (isPeriod) return Date.UTC(Number(year), quarter ? 3 * (Number(quarter) - 1) : Number(month ?? 1) - 1);
  const instant = encoding === TimeEncoding.EPOCH_MS ? Number(text) : Date.parse(text);
  return text === "" || Number.isNaN(instant) ? null : instant;
}

/**
 * Returns the rows of a message: the items of the topmost lists that name a country, and the entries of maps by
 * country. Map entries with the same key are one row.
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
  const rows = hasValue(desc, row) ? 1 : 0;
  return { source: source === "" ? null : source, country, rows, first: at, last: at };
}

const valueChecks = new WeakMap<DescMessage, (row: ReflectMessage) => boolean>();

/** Returns whether a row has a value, because a row can name a country whose value is unknown. */
function hasValue(desc: DescMessage, row: ReflectMessage): boolean {
  const check = valueChecks.get(desc) ?? valueCheck(desc);
  valueChecks.set(desc, check);
  return check(row);
}

/** Returns the test for a value. If the first numeric field can be unknown, one such field must be known. */
function valueCheck(desc: DescMessage): (row: ReflectMessage) => boolean {
  const numbers = columnsOf(desc, "", ({ row }) => row, true).filter(isFigure);
  const nullable = numbers.filter(({ field }) => field && hasUnknown(field));
  if (nullable.length === 0 || nullable[0] !== numbers[0]) return () => true;
  const plain = plainMaker(desc);
  return ({ message }) => {
    const place = { request: {}, response: {}, parents: [], row: plain(message) };
    return nullable.some(({ read }) => read(place) !== null);
  };
}

function joined(parts: readonly RowCount[]): RowCount {
  const times = parts.flatMap(({ first, last }) => [first, last]).filter((at) => at !== null);
  const [first, last] = times.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)];
  const rows = Math.max(0, ...parts.map((each) => each.rows));
  return { source: null, country: "", ...parts[0], rows, first, last };
}

/** Returns the fields on the path to the field with a role, without lists. Undefined if there is no such field. */
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

export type Coverage = Awaited<ReturnType<typeof coverageOf>>;

/** Counts the rows of a dataset. The result is undefined if readers see no data of the dataset. */
export type ReadCoverage = (dataset: ScheduledDataset) => Promise<Coverage | undefined>;

/** Creates the function that counts rows. It counts each version of a dataset once, at the first request for it. */
export function coverageReader(database: Store, served: Served): ReadCoverage {
  const counted = new Map<string, { readonly generation: number; readonly coverage: Promise<Coverage> }>();
  return async (dataset) => {
    const { name } = dataset;
    const visible = served.visible(dataset);
    if (!visible) return undefined;
    const { generation } = visible.provenance;
    const known = counted.get(name);
    if (known?.generation === generation) return known.coverage;
    const coverage = coverageOf(database, dataset, visible);
    counted.set(name, { generation, coverage });
    coverage.catch(() => counted.delete(name));
    return coverage;
  };
}

async function coverageOf(database: Store, dataset: ScheduledDataset, visible: Visible) {
  const [counts, brought] = await Promise.all([
    countedRows(database, dataset, visible),
    broughtRows(database, visible.provenance),
  ]);
  const located = counts.filter(({ country }) => country !== "");
  const named = counts.filter(({ source }) => source !== null);
  const only = dataset.sources.length === 1 ? dataset.sources[0]?.name : undefined;
  const bySource = named.length > 0 ? named : only === undefined ? brought : counts;
  return {
    countries: summed(located, ({ country }) => country).map(([country, sums]) => ({ country, ...sums })),
    rowsWithoutCountry: rowsIn(counts) - rowsIn(located),
    sources: summed(bySource, ({ source }) => source ?? only ?? "").map(([source, sums]) => ({ source, ...sums })),
  } satisfies MessageInitShape<typeof DatasetCoverageSchema>;
}

/** Counts rows by country. All rows without a country are one group. */
async function countedRows(
  database: Store,
  { countRows, message: schema }: ScheduledDataset,
  { provenance, message }: Visible,
): Promise<readonly RowCount[]> {
  if (countRows) return countRows(database, provenance.generation);
  const rows = schema && message ? messageRows(schema, message) : [];
  if (rows.length > 0 || provenance.rows === 0) return rows.filter((each) => each.rows > 0);
  return [{ source: null, country: "", rows: provenance.rows, first: null, last: null }];
}

function summed(counts: readonly RowCount[], keyOf: (count: RowCount) => string) {
  const groups = [...Map.groupBy(counts, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([key, group]) => {
    const first = group.flatMap((each) => each.first ?? []);
    const last = group.flatMap((each) => each.last ?? []);
    const sums = {
      rows: rowsIn(group),
      ...(first.length > 0 && { firstAt: BigInt(Math.min(...first)) }),
      ...(last.length > 0 && { lastAt: BigInt(Math.max(...last)) }),
    };
    return [key, sums] as const;
  });
}

function rowsIn(counts: readonly RowCount[]): number {
  return counts.reduce((sum, { rows }) => sum + rows, 0);
}
