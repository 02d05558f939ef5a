import { type Kysely, sql } from "kysely";

/** What changed, by position: those of the generation `changes`, which are given out in the order of commits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table change (
      position int8 primary key,
      at timestamptz not null,
      dataset text collate "C" not null,
      origin text not null check (origin in ('live', 'sample')),
      kind text collate "C" not null,
      -- The table of the dataset that the row is in, and the row's key; empty for the dataset as a whole.
      rows text collate "C" not null,
      subject text collate "C" not null,
      country text collate "C" not null,
      source text collate "C" not null,
      before json,
      after json
    )`.execute(db);
  // Set once the change to stale is logged, until the one back is.
  await sql`alter table dataset add column stale_since timestamptz`.execute(db);
}
