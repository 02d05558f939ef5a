import { type Kysely, sql } from "kysely";

/**
 * Counters of requests. Unlogged: counting then never waits for the disk, and a server that crashed begins all windows
 * anew. Half of each page stays free, so that the same row can be written many times in place.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The order of the columns is what rate-limiter-flexible expects; `expire` is in Unix epoch milliseconds.
  await sql`
    create unlogged table quota (
      key text primary key,
      points integer not null,
      expire bigint
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index quota_expire on quota (expire)`.execute(db);
}
