import { type Kysely, sql } from "kysely";

/** The last requests of each account: which, by which key, and how they ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table request_log (
      place int8 generated always as identity primary key,
      account text collate "C" not null,
      -- Of a key or a feed URL.
      key_id text collate "C" not null,
      -- The caller's own, or one that the service gave: not unique.
      request_id text collate "C" not null,
      operation text not null,
      status int4 not null,
      -- Requests that it counted as, against the plan.
      cost int4 not null,
      at timestamptz not null,
      milliseconds int4 not null,
      -- Requests of the account right after it that have no row.
      not_listed int4 not null
    )`.execute(db);
  await sql`create index request_log_account on request_log (account, place)`.execute(db);
  await sql`create index request_log_request on request_log (request_id)`.execute(db);
  await sql`create index request_log_at on request_log using brin (at)`.execute(db);
}
