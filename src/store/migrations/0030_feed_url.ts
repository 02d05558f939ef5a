import { type Kysely, sql } from "kysely";

/** Addresses that answer one read without a key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table feed_url (
      id text primary key,
      -- SHA-256 of the token in the URL.
      hash text collate "C" not null unique,
      account text collate "C" not null,
      name text not null,
      -- Path and query of the read that it is bound to.
      target text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz,
      -- Id of the key that made it.
      made_by text not null
    )`.execute(db);
  await sql`create index feed_url_account on feed_url (account, created_at, id)`.execute(db);
}
