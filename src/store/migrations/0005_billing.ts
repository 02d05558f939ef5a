import { type Kysely, sql } from "kysely";

/** What the billing provider said of a subscription and when, who is asking it, and the events that were heard already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subscription
      add column event_at timestamptz,
      add column checking_since timestamptz,
      add column check_after timestamptz`.execute(db);
  await sql`
    create table billing_event (
      id text primary key,
      received_at timestamptz not null
    )`.execute(db);
  await sql`create index billing_event_received on billing_event (received_at)`.execute(db);
}
