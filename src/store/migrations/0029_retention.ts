import { type Kysely, sql } from "kysely";

/** What has grown old is found without looking at what has not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index usage_day_age on usage_day (day)`.execute(db);
  await sql`create index audit_event_age on audit_event (at)`.execute(db);
  await sql`create index tender_closed on tender (closed_at) where closed_at is not null`.execute(db);
  // Removed (3), retracted (3).
  for (const [table, state] of [
    ["monitored_company", "state"],
    ["company_impact", "lifecycle"],
  ] as const) {
    const index = (name: string) => sql.ref(`${table}_${name}`);
    await sql`
      create index ${index("ended")} on ${sql.ref(table)} (changed_at)
      where to_generation is null and ${sql.ref(state)} = 3`.execute(db);
    await sql`create index ${index("replaced")} on ${sql.ref(table)} (closed_at) where closed_at is not null`.execute(
      db,
    );
  }
}
