import { type Kysely, sql } from "kysely";

/** The last state of a computed row for each set of inputs that it was computed from earlier. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table change_baseline (
      dataset text not null,
      rows text not null,
      subject text not null,
      inputs text not null,
      row_values jsonb not null,
      stored_at timestamptz not null,
      primary key (dataset, rows, subject, inputs)
    )`.execute(db);
}
