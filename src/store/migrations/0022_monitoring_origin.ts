import { type Kysely, sql } from "kysely";

/** Companies and impacts that were invented for trying the service are told apart from those that an account has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["monitored_company", "company_impact"]) {
    await sql`
      alter table ${sql.table(table)}
      add column origin text not null default 'live' check (origin in ('live', 'sample'))`.execute(db);
  }
  // All that demo accounts had until now by themselves.
  await sql`
    update monitored_company set origin = 'sample' where account like 'demo:%' and domain like '%.example'`.execute(db);
  await sql`
    update company_impact set origin = 'sample' where account like 'demo:%' and rationale like 'Illustrative: %'`.execute(
    db,
  );
}
