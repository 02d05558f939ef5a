import { type Kysely, sql } from "kysely";

/** Calls by account, day and operation; answers kept for repeated requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table usage_day (
      account text not null,
      day date not null,
      operation text not null,
      calls bigint not null,
      primary key (account, day, operation)
    )`.execute(db);
  await sql`
    create table idempotent_call (
      id text primary key,
      request_hash text not null,
      answer bytea,
      locked_until timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index idempotent_call_expiry on idempotent_call (expires_at)`.execute(db);
}
