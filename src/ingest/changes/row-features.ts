import { create, type DescMessage, type DescMethodUnary, type MessageInitShape } from "@bufbuild/protobuf";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { plainMaker } from "../../contract/plain.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import type { StoreTables } from "../../store/tables.ts";

/** How the rows of a dataset with tables of its own are followed. */
export interface RowFeatures<D extends DescMessage = DescMessage> {
  /** The read whose first table they are. */
  readonly lists: DescMethodUnary;
  /** What a row of that table is. */
  readonly message: D;
  /** SQL: of a row its id, by which it is followed. */
  readonly subject: RawBuilder<unknown>;
  /** SQL: rows as JSON, as they are visible now, for which a condition holds. */
  readonly visible: (condition: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly toRow: (stored: JsonObject) => MessageInitShape<D>;
}

/** The same without the type of its rows. */
export type AnyRowFeatures = Pick<RowFeatures, "lists" | "subject" | "visible"> & {
  /** What the read shows of a stored row. */
  readonly plainRow: (stored: JsonObject) => JsonObject;
};

export function rowFeatures<D extends DescMessage>({ message, toRow, ...features }: RowFeatures<D>): AnyRowFeatures {
  const plain = plainMaker(message);
  return {
    ...features,
    plainRow(stored) {
      const row = plain(create(message, toRow(stored)));
      return isObject(row) ? row : {};
    },
  };
}

/**
 * Remembers rows that are about to be changed as they are visible until then: `rows` is SQL for their ids and themselves as JSON,
 * null where they are not visible. Of a row that is remembered already nothing is.
 */
export type NoteRows = (rows: RawBuilder<unknown>) => Promise<void>;

/** A row that was touched and is not as it was. */
export interface TouchedRow {
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** Readies the table of rows that this transaction touches; it goes with the transaction. */
export async function openNotes(transaction: Kysely<StoreTables>): Promise<NoteRows> {
  await closeNotes(transaction);
  await sql`
    create temporary table change_before (subject text collate "C" primary key, before jsonb) on commit drop`.execute(
    transaction,
  );
  return async (rows) => {
    await sql`insert into change_before (subject, before) ${rows} on conflict do nothing`.execute(transaction);
  };
}

export async function closeNotes(transaction: Kysely<StoreTables>): Promise<void> {
  await sql`drop table if exists pg_temp.change_before`.execute(transaction);
}

const rowsInChunk = 1_000;

/** What became of the rows that were touched, in chunks. */
export async function* touchedRows(
  transaction: Kysely<StoreTables>,
  { subject, visible }: AnyRowFeatures,
): AsyncGenerator<readonly TouchedRow[]> {
  const now = visible(sql`${subject} = change_before.subject`);
  for (let last = ""; ; ) {
    const { rows } = await sql<TouchedRow & { subject: string }>`
      select subject, before, after
      from change_before left join lateral (${now}) as now (after) on true
      where subject > ${last} and before is distinct from after
      order by subject limit ${rowsInChunk}`.execute(transaction);
    yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < rowsInChunk) return;
    last = end.subject;
  }
}
