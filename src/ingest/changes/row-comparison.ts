import { createHash } from "node:crypto";
import type { JsonValue } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { field as fieldOption, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column, Place } from "../../contract/columns.ts";
import { getOption } from "../../contract/option.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { countryByCode } from "../../reference/countries/countries.ts";
import { dayMs } from "../../reference/duration.ts";
import type { NewChange } from "../../store/changes/change-log.ts";
import type { Transaction } from "../../store/tables.ts";
import type { Dataset, RowInputs } from "../dataset.ts";
import type { FollowedTable } from "./followed-tables.ts";

/** One row before and after a refresh. `before` is absent for an added row, `after` for a removed row. */
export interface RowPair {
  readonly followed: FollowedTable;
  readonly subject: string;
  readonly before: Place | undefined;
  readonly after: Place | undefined;
}

/** The stored messages before and after a refresh. Both are empty if the dataset stores rows in its own tables. */
export interface StoredPair {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

interface Gap {
  readonly followed: FollowedTable;
  readonly subject: string;
  readonly before: { readonly inputs: string; readonly values: RowValues } | undefined;
  readonly after: { readonly inputs: string; readonly values: RowValues } | undefined;
}

interface Baseline {
  readonly rows: string;
  readonly subject: string;
  readonly inputs: string;
  readonly row_values: RowValues;
}

const none: StoredPair = { before: {}, after: {} };
/** Earlier states of rows, with which later refreshes compare rows, are stored as long as the change history. */
const retainedMs = 400 * dayMs;

/**
 * Compares the rows of one refresh. A computed row is only compared with an earlier state from the same inputs.
 * Otherwise a source that fails or recovers would appear as a change of a score.
 */
export class RowComparison {
  readonly #dataset: Pick<Dataset, "name" | "inputsOf">;
  readonly #gaps: Gap[] = [];
  readonly #lost = new Set<string>();
  readonly #returned = new Set<string>();

  constructor(dataset: Pick<Dataset, "name" | "inputsOf">) {
    this.#dataset = dataset;
  }

  /** Returns the change of a row; undefined if nothing changed or if the row was computed from other inputs before. */
  changeOf({ followed, subject, before, after }: RowPair, stored = none): NewChange | undefined {
    const then = before && valuesOf(followed, before);
    const now = after && valuesOf(followed, after);
    const { inputsOf } = this.#dataset;
    if (!inputsOf) return changeOf(followed, subject, { before: then, after: now });
    const rows = { before: rowOf(before ?? after), after: rowOf(after ?? before) };
    const inputs = { before: inputsOf(rows.before, stored.before), after: inputsOf(rows.after, stored.after) };
    const digests = { before: digestOf(inputs.before), after: digestOf(inputs.after) };
    if (digests.before === digests.after) return changeOf(followed, subject, knownInBoth(followed, then, now));
    for (const name of inputs.after.missing) if (!inputs.before.missing.includes(name)) this.#lost.add(name);
    for (const name of inputs.before.missing) if (!inputs.after.missing.includes(name)) this.#returned.add(name);
    this.#gaps.push({
      ...{ followed, subject },
      before: then && { inputs: digests.before, values: then },
      after: now && { inputs: digests.after, values: now },
    });
    return undefined;
  }

  /**
   * Stores the earlier state of rows whose inputs changed. Compares the rows with their last state from these inputs.
   */
  async finish(transaction: Transaction, now: Date): Promise<NewChange[]> {
    const gaps = this.#gaps;
    if (gaps.length === 0) return [];
    const baselines = await this.#takeBaselines(transaction);
    const left = gaps.flatMap(({ followed, subject, before }) =>
      before ? [{ rows: followed.table.name, subject, inputs: before.inputs, row_values: before.values }] : [],
    );
    await sql`
      insert into change_baseline (dataset, rows, subject, inputs, row_values, stored_at)
      select ${this.#dataset.name}, rows, subject, inputs, row_values, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(left)}::json) as given (
        rows text, subject text, inputs text, row_values jsonb)
      on conflict (dataset, rows, subject, inputs) do update
      set (row_values, stored_at) = (excluded.row_values, excluded.stored_at)`.execute(transaction);
    const before = new Date(now.getTime() - retainedMs);
    await sql`
      delete from change_baseline where dataset = ${this.#dataset.name} and stored_at < ${before}`.execute(transaction);
    return [
      ...this.#ownChanges(),
      ...gaps.flatMap(({ followed, subject, after }) => {
        const before = baselines.get(`${followed.table.name} ${subject}`);
        return (after && before && changeOf(followed, subject, knownInBoth(followed, before, after.values))) ?? [];
      }),
    ];
  }

  /** Returns and deletes the stored earlier states that were computed from the same inputs as the current rows. */
  async #takeBaselines(transaction: Transaction): Promise<ReadonlyMap<string, RowValues>> {
    const wanted = this.#gaps.flatMap(({ followed, subject, after }) =>
      after ? [{ rows: followed.table.name, subject, inputs: after.inputs }] : [],
    );
    const { rows } = await sql<Baseline>`
      delete from change_baseline known
      using json_to_recordset(${JSON.stringify(wanted)}::json) as wanted (rows text, subject text, inputs text)
      where known.dataset = ${this.#dataset.name}
        and (known.rows, known.subject, known.inputs) = (wanted.rows, wanted.subject, wanted.inputs)
      returning known.rows, known.subject, known.inputs, known.row_values`.execute(transaction);
    return new Map(rows.map(({ rows: table, subject, row_values }) => [`${table} ${subject}`, row_values]));
  }

  /** Returns a change for inputs that became missing, and one for inputs that returned. */
  #ownChanges(): NewChange[] {
    const [lost, returned] = [this.#lost, this.#returned].map((names) => [...names].sort(byName));
    const rows = this.#gaps.length;
    const degraded = { kind: "degraded" as const, after: { missingInputs: lost ?? [], rows } };
    const recovered = { kind: "recovered" as const, after: { returnedInputs: returned ?? [], rows } };
    return [
      ...(this.#lost.size > 0 ? [degraded] : []),
      ...(this.#returned.size > 0 || this.#lost.size === 0 ? [recovered] : []),
    ];
  }
}

/** Deletes the stored states of a dataset, because samples and live data must not be compared. */
export async function deleteBaselines(transaction: Transaction, dataset: string): Promise<void> {
  await sql`delete from change_baseline where dataset = ${dataset}`.execute(transaction);
}

function byName(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function rowOf(place: Place | undefined): JsonObject {
  return place && isObject(place.row) ? place.row : {};
}

/**
 * Returns the states of a computed row before and after a refresh. A value that is unknown in one state is null in
 * both, so that only measured values are compared. The flags that say whether a value is measured become null too.
 */
function knownInBoth(
  { reported: compared }: FollowedTable,
  before: RowValues | undefined,
  after: RowValues | undefined,
) {
  if (!before || !after) return { before, after };
  const flags = compared.flatMap(({ name, field }) => {
    const measuredBy = field && getOption(field, fieldOption).measuredBy;
    const flag = measuredBy ? field?.parent.fields.find((each) => each.name === measuredBy) : undefined;
    return flag ? [name.slice(0, name.lastIndexOf(".") + 1) + flag.jsonName] : [];
  });
  const unknown = compared.filter(({ name }) => (before[name] ?? null) === null || (after[name] ?? null) === null);
  const none = Object.fromEntries([...flags, ...unknown.map(({ name }) => name)].map((name) => [name, null]));
  return { before: { ...before, ...none }, after: { ...after, ...none } };
}

function digestOf({ missing, coverage = [] }: RowInputs): string {
  return createHash("sha256")
    .update(JSON.stringify([missing, coverage]))
    .digest("base64url");
}

type RowValues = Readonly<Record<string, JsonValue>>;

function valuesOf({ columns }: Pick<FollowedTable, "columns">, place: Place): RowValues {
  return Object.fromEntries(columns.map(({ name, read }) => [name, read(place)]));
}

function changeOf(
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
