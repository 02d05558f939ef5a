import { type Kysely, sql } from "kysely";

/** Figures over time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table series_key (
      id int4 generated always as identity primary key,
      series text collate "C" not null,
      origin text not null check (origin in ('live', 'sample')),
      key text collate "C" not null,
      -- Its points are values at the moments of refreshes.
      sampled boolean not null,
      unique (series, origin, key)
    )`.execute(db);
  // What makes figures comparable.
  await sql`
    create table series_basis (
      id int2 generated always as identity primary key,
      methodology text not null,
      sources text not null,
      unique (methodology, sources)
    )`.execute(db);
  await sql`
    create table series_point (
      key_id int4 not null references series_key,
      at timestamptz not null,
      -- A figure that was told anew has another one of these.
      recorded_at timestamptz not null,
      value float8 not null,
      basis int2 not null references series_basis,
      primary key (key_id, at, recorded_at) include (value, basis)
    )`.execute(db);
}
