import { type Kysely, sql } from "kysely";

/** When each row became what it is. Of rows from before it is the moment of this migration: no sooner than it was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["conflict_event", "conflict_event_version", "tender"])
    await sql`alter table ${sql.table(table)} add column stored_at timestamptz not null default now()`.execute(db);
  await sql`create index tender_stored_at on tender (stored_at) where closed_at is null`.execute(db);
  const visible = sql`current_setting('ids.as_of')::timestamptz`;
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'conflict_event'::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db);
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
  await sql`create or replace view ids_past.conflict_event as
    select ${columns} from conflict_event_version where valid_from <= ${visible} and valid_to > ${visible}`.execute(db);
}
