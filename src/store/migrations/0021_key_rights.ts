import { type Kysely, sql } from "kysely";

/** Who made a key, the rights to handle keys, and the log of every write. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Id of the key that made it; `setting`: IDS_OPERATOR_KEY; `store`: on the store itself; null: before this was kept.
  await sql`alter table api_key add column made_by text`.execute(db);
  // Every account goes on with one key that can handle the others: its oldest without rights of its own.
  await sql`
    update api_key set scopes = array['keys:read', 'keys:write']
    where id in (
      select distinct on (account) id from api_key
      where revoked_at is null and (expires_at is null or expires_at > now()) and scopes = '{}'
      order by account, created_at, id
    )`.execute(db);
  await sql`
    create table audit_event (
      id int8 generated always as identity primary key,
      at timestamptz not null,
      -- Who wrote: an account and its key, or empty and \`cli\`, \`setting\`, \`stripe\`.
      actor text not null,
      key_id text not null,
      -- Whose things were written.
      account text collate "C" not null,
      operation text not null,
      -- The request and what came of it, as proto JSON without secrets.
      request jsonb not null,
      result jsonb,
      -- Null while at work, and for good where the process died over it.
      outcome text,
      address text not null,
      request_id text not null
    )`.execute(db);
  await sql`create index audit_event_account on audit_event (account, id desc)`.execute(db);
}
