import { type Kysely, sql } from "kysely";

/**
 * Tariffs and trade by year, which are kept for ever, each with the name its economy had and when it was read last; which
 * series the source has; duties and imports of which the tariff really collected is made.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table trade_tariff (
      reporter text not null check (reporter ~ '^[0-9]{3}$'),
      year int4 not null,
      rate numeric not null check (rate >= 0),
      name text not null,
      fetched_at timestamptz not null,
      primary key (reporter, year)
    )`.execute(db);
  await sql`
    create table trade_flow (
      reporter text not null check (reporter ~ '^[0-9]{3}$'),
      partner text not null check (partner ~ '^[0-9]{3}$'),
      year int4 not null,
      exports numeric not null check (exports >= 0),
      imports numeric not null check (imports >= 0),
      name text not null,
      fetched_at timestamptz not null,
      primary key (reporter, partner, year)
    )`.execute(db);
  await sql`
    create table trade_coverage (
      dataset text not null,
      reporter text not null check (reporter ~ '^[0-9]{3}$'),
      partner text not null check (partner ~ '^[0-9]{3}$'),
      advertised boolean not null,
      empty_streak int4 not null check (empty_streak >= 0),
      last_ok_at timestamptz,
      primary key (dataset, reporter, partner)
    )`.execute(db);
  await sql`
    create table trade_collected_tariff (
      reporter text primary key check (reporter ~ '^[0-9]{3}$'),
      quarter text not null,
      duties numeric not null check (duties >= 0),
      imports numeric not null check (imports > 0),
      fetched_at timestamptz not null
    )`.execute(db);
}
