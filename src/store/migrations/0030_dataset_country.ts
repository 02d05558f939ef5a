import { type Kysely, sql } from "kysely";

/** How many rows each dataset has of each country and source. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dataset_country (
      dataset text not null,
      source text not null,
      country text not null,
      rows int not null,
      first_at timestamptz,
      last_at timestamptz,
      primary key (dataset, country, source)
    )`.execute(db);
}
