import { type RawBuilder, sql, type Transaction } from "kysely";
import type { StoreTables } from "../tables.ts";

const rowsInChunk = 1_000;

/** The rows of a query, some at a time: they are computed as they are taken. Nothing else may be so read in the transaction meanwhile. */
export async function* rowsInChunks<Row>(
  transaction: Transaction<StoreTables>,
  query: RawBuilder<unknown>,
): AsyncGenerator<readonly Row[]> {
  await sql`set local statement_timeout = 0`.execute(transaction);
  await sql`declare chunk_rows no scroll cursor for ${query}`.execute(transaction);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(rowsInChunk)} from chunk_rows`.execute(transaction);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsInChunk) break;
  }
  await sql`close chunk_rows`.execute(transaction);
}
