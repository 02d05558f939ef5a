import { type Kysely, sql } from "kysely";

/** What the scores of one set say alike is kept with the set. Of those from before nothing is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["vulnerability_cohort", "vulnerability_cohort_version"])
    await sql`alter table ${sql.table(table)} add column shared jsonb not null default '{}'`.execute(db);
  const visible = sql`current_setting('ids.as_of')::timestamptz`;
  await sql`create or replace view ids_past.vulnerability_cohort as
    select generated_at, methodology, marks, shared from vulnerability_cohort_version
    where valid_from <= ${visible} and valid_to > ${visible}`.execute(db);
}
