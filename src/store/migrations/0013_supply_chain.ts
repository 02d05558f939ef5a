import { type Kysely, sql } from "kysely";

/** Imports by country and heading, what they make of each chokepoint, and the state of the chokepoints. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table imported_product (
      iso2 text not null,
      hs4 text not null,
      year integer not null,
      -- US dollars of the year.
      total_value double precision not null,
      -- Partner codes, alpha-2 codes, values and shares, as proto JSON.
      top_exporters jsonb not null,
      fetched_at timestamptz not null,
      primary key (iso2, hs4)
    )`.execute(db);
  await sql`create index imported_product_fetched_at on imported_product (fetched_at)`.execute(db);
  await sql`
    create table chokepoint_exposure (
      iso2 text not null,
      hs2 text not null,
      coverage text not null check (coverage in ('flow_weighted', 'country_route_fallback')),
      -- Scores by chokepoint, 0 to 100: {"suez": 25, ...}.
      scores jsonb not null,
      -- Empty where every score is 0.
      primary_chokepoint_id text not null,
      vulnerability_index double precision not null,
      computed_at timestamptz not null,
      primary key (iso2, hs2)
    )`.execute(db);
  await sql`
    create table chokepoint_status (
      chokepoint_id text primary key,
      -- 0 to 100.
      score integer not null,
      status text not null check (status in ('green', 'yellow', 'red')),
      threat text not null,
      warnings integer not null,
      anomaly boolean not null,
      -- Null where it is not covered or not known.
      flow_ratio double precision,
      disrupted boolean,
      upstream_unavailable boolean not null,
      -- Newest day of transits on record.
      observed_to date,
      -- Raised with every change of one of the values above, and only then.
      version bigint not null,
      updated_at timestamptz not null
    )`.execute(db);
}
