import { create, type DescMessage, type DescMethodUnary, type MessageInitShape } from "@bufbuild/protobuf";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { plainMaker } from "../../contract/plain.ts";
import type { JsonObject } from "../../contract/request/body.ts";
import { cursorRows } from "../../store/history/rows-in-chunks.ts";
import type { StoreTables } from "../../store/tables.ts";

export interface RowFeatures<D extends DescMessage = DescMessage> {
  /** The operation whose first table contains the rows. */
  readonly lists: DescMethodUnary;
  readonly message: D;
  /** SQL expression for the ID of a row, which identifies it between generations. */
  readonly subject: RawBuilder<unknown>;
  /** SQL query for the visible rows as JSON, for a condition. */
  readonly visible: (condition: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** The same query without the columns that changes do not report. If absent, all columns are compared. */
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
 * Records the visible state of rows before they change. `rows` is SQL for their IDs and their JSON, which is null for
 * rows that are not visible. A row that is already recorded is skipped.
 */
export type NoteRows = (rows: RawBuilder<unknown>) => Promise<void>;

export interface TouchedRow {
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** Creates the table of rows that this transaction writes. Postgres drops it with the transaction. */
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
