import { type Kysely, sql } from "kysely";

/** Computations of scenarios. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table scenario_job (
      id text collate "C" primary key,
      account text not null references account (id) on delete cascade,
      scenario_id text not null,
      -- Empty means all countries.
      iso2 text not null,
      disruption_pct int2 not null,
      status text not null check (status in ('pending', 'processing', 'done', 'failed')),
      -- Computations that failed; a worker that was lost with one is no failure of it.
      failures int2 not null default 0,
      created_at timestamptz not null,
      -- It is not begun before.
      due_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      -- Who computes, and until when nobody else does.
      lease text,
      lease_until timestamptz,
      error text not null default '',
      -- As proto JSON.
      result jsonb,
      from_samples bool not null default false
    )`.execute(db);
  await sql`
    create index scenario_job_unfinished on scenario_job (created_at, id)
    where status in ('pending', 'processing')`.execute(db);
  await sql`create index scenario_job_finished on scenario_job (finished_at)`.execute(db);
  await sql`create index scenario_job_account on scenario_job (account)`.execute(db);
}
