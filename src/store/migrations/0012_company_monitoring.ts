import { type Kysely, sql } from "kysely";

/**
 * Companies that accounts watch and the impacts of events on them, a row a revision. A generation of an account is the
 * rows with from_generation <= it and to_generation null or > it. Directions, states and the like are the numbers of the
 * contract's enums.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table monitoring_account (
      account text collate "C" primary key references account,
      generation int8 not null,
      -- The oldest one of which no revision was purged.
      oldest_generation int8 not null
    )`.execute(db);
  const revision = sql`
      account text collate "C" not null references monitoring_account,
      id text collate "C" not null,
      revision int4 not null,
      changed_at timestamptz not null,
      from_generation int8 not null,
      -- Null while it is the newest.
      to_generation int8,
      closed_at timestamptz,
      primary key (account, id, revision)`;
  await sql`
    create table monitored_company (
      ${revision},
      name text not null,
      domicile text not null,
      ticker text not null,
      lei text not null,
      domain text not null,
      state int2 not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create table company_impact (
      ${revision},
      event_id text not null,
      event_revision int4 not null,
      company_id text collate "C" not null,
      lifecycle int2 not null,
      direction int2 not null,
      channels int2[] not null,
      magnitude int2 not null,
      attribution float8 not null,
      occurrence_truth float8 not null,
      material_impact float8 not null,
      rationale text not null,
      occurred_at timestamptz not null,
      canonical_url text not null,
      evidence jsonb not null,
      evidence_total int4 not null
    )`.execute(db);
  for (const table of ["monitored_company", "company_impact"]) {
    const index = (name: string) => sql.ref(`${table}_${name}`);
    await sql`create index ${index("newest")} on ${sql.ref(table)} (account, changed_at, id)`.execute(db);
    // For purging.
    await sql`create index ${index("closed")} on ${sql.ref(table)} (account, closed_at) where closed_at is not null`.execute(
      db,
    );
  }
  await sql`create index company_impact_changed on company_impact (account, from_generation, id)`.execute(db);
  await sql`create index company_impact_of_company on company_impact (account, company_id, changed_at, id)`.execute(db);
  // An event has one impact on a company, but for those that were retracted (3).
  await sql`
    create unique index company_impact_of_event on company_impact (account, company_id, event_id)
    where to_generation is null and lifecycle <> 3`.execute(db);
}
