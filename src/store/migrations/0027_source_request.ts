import { type Kysely, sql } from "kysely";

/** How many requests were sent in a UTC day to sources with a small quota. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table source_request (
      source text not null,
      day date not null,
      requests int not null,
      primary key (source, day)
    )`.execute(db);
}
