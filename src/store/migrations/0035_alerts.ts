import { type Kysely, sql } from "kysely";

/** Rules that watch the data, how far they have looked, and endpoints of other kinds beside the webhooks on chokepoints. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Programs before this one take every endpoint for a webhook on chokepoints: the others name one that there is not.
  await sql`
    alter table webhook
      add column kind text collate "C" not null default 'chokepoints'
        check (kind in ('chokepoints', 'webhook', 'slack', 'email', 'feed')),
      add column name text not null default '',
      -- Of an address: it has shown the code that was sent to it.
      add column confirmed_at timestamptz,
      -- SHA-256 of the token in the URL of a feed.
      add column token_hash text collate "C" unique`.execute(db);
  await sql`
    alter table webhook_delivery
      add column rule text collate "C",
      -- The lowest tier whose accounts may have what it tells.
      add column required_tier int2 not null default 0`.execute(db);
  await sql`
    create table alert_rule (
      id text collate "C" primary key,
      account text not null references account (id) on delete cascade,
      name text not null,
      kind text collate "C" not null check (kind in ('changes', 'series', 'tenders', 'staleness')),
      trigger json not null,
      -- Of a rule on a series.
      series text collate "C",
      -- Empty means all of the account.
      endpoints text[] not null,
      created_at timestamptz not null,
      paused_at timestamptz,
      -- What is logged up to here is none of its business.
      after_position int8 not null,
      fired int8 not null default 0,
      last_fired_at timestamptz
    )`.execute(db);
  await sql`create index alert_rule_account on alert_rule (account, created_at, id)`.execute(db);
  await sql`create index alert_rule_series on alert_rule (series) where series is not null`.execute(db);
  // At most one row: how far the log of changes was looked at; none: not yet.
  await sql`
    create table alert_position (
      one bool primary key default true check (one),
      position int8 not null
    )`.execute(db);
  await sql`
    insert into alert_position (position) select value from generation where name = 'changes'`.execute(db);
  // New points of series that a rule watches, until they were looked at.
  await sql`
    create table alert_point (
      id int8 generated always as identity primary key,
      series text collate "C" not null,
      origin text not null,
      key text collate "C" not null,
      at timestamptz not null,
      value float8 not null,
      basis int2 not null
    )`.execute(db);
  // Where a figure stands for a rule.
  await sql`
    create table alert_level (
      rule text collate "C" not null references alert_rule on delete cascade,
      key text collate "C" not null,
      origin text not null,
      at timestamptz not null,
      value float8 not null,
      basis int2 not null,
      -- It was reported beyond the threshold, and not yet back.
      beyond bool not null,
      primary key (rule, key)
    )`.execute(db);
  // Codes that were sent to addresses, so that nobody is flooded with them.
  await sql`
    create table confirmation_sent (
      account text collate "C" not null,
      address_hash text collate "C" not null,
      sent_at timestamptz not null
    )`.execute(db);
  await sql`create index confirmation_sent_at on confirmation_sent (sent_at)`.execute(db);
}
