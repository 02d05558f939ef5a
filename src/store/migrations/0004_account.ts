import { type Kysely, sql } from "kysely";

/** Accounts and their subscriptions; a key belongs to an account, and the plan to its subscription. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account (
      id text collate "C" primary key,
      name text not null,
      scopes text[] not null default '{}',
      billing_customer text unique,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table subscription (
      id text primary key,
      account text not null references account,
      provider text not null check (provider in ('local', 'stripe')),
      plan text not null,
      active boolean not null,
      valid_until timestamptz,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index subscription_account on subscription (account)`.execute(db);
  await sql`insert into account (id, name) select distinct account, account from api_key`.execute(db);
  await sql`
    insert into subscription (id, account, provider, plan, active)
    select 'local:' || account, account, 'local', max(plan), true from api_key group by account`.execute(db);
  await sql`
    alter table api_key
      add column id text,
      add column prefix text not null default '',
      add column scopes text[] not null default '{}',
      add column expires_at timestamptz,
      add column replaced_by text,
      add column last_used_at timestamptz,
      drop column plan`.execute(db);
  await sql`update api_key set id = 'key_' || substr(hash, 1, 24)`.execute(db);
  await sql`
    alter table api_key
      alter column id set not null,
      add constraint api_key_id unique (id),
      add foreign key (account) references account`.execute(db);
}
