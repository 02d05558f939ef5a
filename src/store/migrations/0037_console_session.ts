import { type Kysely, sql } from "kysely";

/** Sign-ins to the console, each in place of a key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table console_session (
      -- SHA-256 of the token in the cookie.
      hash text collate "C" primary key,
      -- The key that it was exchanged for: it ends with that.
      key_id text not null references api_key (id) on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index console_session_key on console_session (key_id)`.execute(db);
}
