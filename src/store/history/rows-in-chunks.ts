import { type RawBuilder, sql } from "kysely";
import type { Store, Transaction } from "../tables.ts";

const rowsInChunk = 1_000;

/** Yields the rows of a query in chunks, without a statement timeout. A transaction can have only one such stream. */
export async function* rowsInChunks<Row>(
  transaction: Transaction,
  query: RawBuilder<unknown>,
): AsyncGenerator<readonly Row[]> {
  await sql`set local statement_timeout = 0`.execute(transaction);
  yield* cursorRows<Row>(transaction, query);
}

/** Yields the rows of a query in chunks. The statement timeout applies to each chunk. */
export async function* cursorRows<Row>(transaction: Store, query: RawBuilder<unknown>): AsyncGenerator<readonly Row[]> {
  await sql`declare chunk_rows no scroll cursor for ${query}`.execute(transaction);
  let isOpen = true;
  try {
    for (;;) {
      // A failed fetch aborts the transaction, which closes the cursor.
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
