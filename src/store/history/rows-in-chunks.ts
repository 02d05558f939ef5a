import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { StoreTables } from "../tables.ts";

const rowsInChunk = 1_000;

/** The rows of a query, some at a time and however long that takes: they are computed as they are taken. Nothing else may be so read in the transaction meanwhile. */
export async function* rowsInChunks<Row>(
  transaction: Transaction<StoreTables>,
  query: RawBuilder<unknown>,
): AsyncGenerator<readonly Row[]> {
  await sql`set local statement_timeout = 0`.execute(transaction);
  yield* cursorRows<Row>(transaction, query);
}

/** The same, each chunk within the time that a statement may take. */
export async function* cursorRows<Row>(
  transaction: Kysely<StoreTables>,
  query: RawBuilder<unknown>,
): AsyncGenerator<readonly Row[]> {
  await sql`declare chunk_rows no scroll cursor for ${query}`.execute(transaction);
  let isOpen = true;
  try {
    for (;;) {
      // A fetch that fails ends the transaction, and the cursor with it.
      isOpen = false;
      const { rows } = await sql<Row>`fetch ${sql.lit(rowsInChunk)} from chunk_rows`.execute(transaction);
      isOpen = true;
      if (rows.length > 0) yield rows;
      if (rows.length < rowsInChunk) return;
    }
  } finally {
    if (isOpen) await sql`close chunk_rows`.execute(transaction);
  }
}
