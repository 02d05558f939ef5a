import { create, type DescMessage, type DescMethodUnary, type MessageInitShape } from "@bufbuild/protobuf";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { plainMaker } from "../../contract/plain.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { cursorRows } from "../../store/history/rows-in-chunks.ts";
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
  /** The same, without what no change tells of; whole where absent. */
  readonly compared?: RowFeatures["visible"];
  readonly toRow: (stored: JsonObject) => MessageInitShape<D>;
}

/** The same without the type of its rows. */
export type AnyRowFeatures = Required<Pick<RowFeatures, "lists" | "subject" | "visible" | "compared">> & {
  /** What the read shows of a stored row. */
  readonly plainRow: (stored: JsonObject) => JsonObject;
};

export function rowFeatures<D extends DescMessage>({ message, toRow, ...features }: RowFeatures<D>): AnyRowFeatures {
  const plain = plainMaker(message);
  return {
    ...features,
    compared: features.compared ?? features.visible,
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

/** What became of the rows that were touched, in chunks. */
export function touchedRows(
  transaction: Kysely<StoreTables>,
  { subject, compared }: AnyRowFeatures,
): AsyncIterable<readonly TouchedRow[]> {
  const now = compared(sql`${subject} = change_before.subject`);
  return cursorRows<TouchedRow>(
    transaction,
    sql`
      select before, after from change_before left join lateral (${now}) as now (after) on true
      where before is distinct from after order by subject`,
  );
}
