import { type Kysely, sql } from "kysely";

/** Risk scores of the last days, one a country and ten minutes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table risk_history (
      methodology text not null,
      -- Beginning of the ten minutes.
      bucket timestamptz not null,
      country text not null,
      origin text not null check (origin in ('live', 'sample')),
      -- Sources without a good answer, separated by commas: only scores of the same sources are compared.
      missing text not null,
      score float8 not null,
      primary key (methodology, bucket, country)
    )`.execute(db);
}
