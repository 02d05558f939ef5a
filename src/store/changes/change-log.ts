import type { JsonObject } from "@bufbuild/protobuf";
import { type Selectable, sql } from "kysely";
import type { Retention } from "../retention.ts";
import { raiseGeneration } from "../served/generations.ts";
import type { ChangeTable, Store, Transaction } from "../tables.ts";

/** Name of the counter that each logged change raises. Its value is the position of the newest change. */
export const changesGeneration = "changes";

export const changeKinds = [
  ...(["appeared", "changed", "vanished", "replaced"] as const),
  ...(["moved", "corrected", "stale", "degraded", "recovered"] as const),
] as const;

export type ChangeKind = (typeof changeKinds)[number];

export interface NewChange {
  readonly kind: ChangeKind;
  /** Table, key, country, and source of the changed row. A value is empty if it is unknown or no single row changed. */
  readonly rows?: string;
  readonly subject?: string;
  readonly country?: string;
  readonly source?: string;
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

export interface ChangeOccasion {
  readonly dataset: string;
  readonly origin: "live" | "sample";
  readonly at: Date;
}

export type LoggedChange = Omit<Selectable<ChangeTable>, "position"> & { readonly position: number };

const rowsInStatement = 500;

/**
 * Logs changes as the last step of the transaction that makes them visible. Until its end, other transactions wait
 * before they log. Positions are therefore in commit order and without gaps, so a reader misses nothing before its
 * position.
 */
export async function logChanges(
  transaction: Transaction,
  { dataset, origin, at }: ChangeOccasion,
  changes: readonly NewChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const newest = await raiseGeneration(transaction, changesGeneration, changes.length);
  for (let start = 0; start < changes.length; start += rowsInStatement) {
    const rows = changes.slice(start, start + rowsInStatement).map((change, index) => ({
      ...{ rows: "", subject: "", country: "", source: "", before: null, after: null },
      ...change,
      position: newest - changes.length + 1 + start + index,
    }));
    await sql`
      insert into change (position, at, dataset, origin, kind, rows, subject, country, source, before, after)
      select position, ${at}, ${dataset}, ${origin}, kind, rows, subject, country, source, before, after
      from json_to_recordset(${JSON.stringify(rows)}::json) as logged (
        position int8, kind text, rows text, subject text, country text, source text, before json, after json
      )`.execute(transaction);
  }
}

export async function forgetSamples(transaction: Transaction, dataset: string): Promise<void> {
  await transaction.deleteFrom("change").where("dataset", "=", dataset).where("origin", "=", "sample").execute();
}

export interface LogExtent {
  /** Position just before the oldest stored change. A reader that has read up to here or later can miss no change. */
  readonly floor: number;
  readonly newest: number;
}

export async function logExtent(database: Store): Promise<LogExtent> {
  const { rows } = await sql<{ oldest: string | null; newest: string | null }>`
    select (select min(position) from change) as oldest,
      (select value from generation where name = ${changesGeneration}) as newest`.execute(database);
  const newest = Number(rows[0]?.newest ?? 0);
  const oldest = rows[0]?.oldest;
  return { newest, floor: oldest == null ? newest : Number(oldest) - 1 };
}

/** Selects changes by dataset, country, and kind. An empty list selects all. */
export interface ChangeFilter {
  readonly datasets: readonly string[];
  readonly countries: readonly string[];
  readonly kinds: readonly string[];
}

/** A range of the log by position; the first position is excluded. */
export interface ChangeSpan {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
  /** True in live mode, which excludes sample data. */
  readonly liveOnly: boolean;
}

export async function readChanges(
  database: Store,
  { after, upTo, limit, liveOnly }: ChangeSpan,
  { datasets, countries, kinds }: ChangeFilter = { datasets: [], countries: [], kinds: [] },
): Promise<LoggedChange[]> {
  const rows = await database
    .selectFrom("change")
    .selectAll()
    .where("position", ">", String(after))
    .where("position", "<=", String(upTo))
    .$if(liveOnly, (query) => query.where("origin", "=", "live"))
    .$if(datasets.length > 0, (query) => query.where("dataset", "in", datasets))
    .$if(countries.length > 0, (query) => query.where("country", "in", countries))
    .$if(kinds.length > 0, (query) => query.where("kind", "in", kinds))
    .orderBy("position")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
}

/** Days for which changes are stored, so that a disconnected reader can resume. */
export const changeDays = 7;

/** The oldest changes are deleted first, so that the log has no gaps. */
export const changeRetention = {
  table: "change",
  stored: changeDays,
  ends: "A logged change, from its refresh, once all before it have ended.",
  async forget(database, before, { max }) {
    const { rows } = await sql<{ deleted: number }>`
      with gone as (
        delete from change where position in (
          select position from change
          where position < coalesce(
            (select position from change where at >= ${before} order by position limit 1),
            (select max(position) + 1 from change)
          )
          order by position limit ${max} for update skip locked
        ) returning 1
      )
      select count(*)::int4 as deleted from gone`.execute(database);
    return rows[0]?.deleted ?? 0;
  },
} as const satisfies Retention;
