import { type Kysely, sql } from "kysely";

/** Premiums of physical metal over paper with every price behind them: the current ones, and one for each print. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table metal_premium (
      metal text not null,
      -- Day of the benchmark price in Shanghai.
      print_date date not null,
      methodology text not null,
      origin text not null check (origin in ('live', 'sample')),
      physical_price numeric not null,
      physical_source text not null,
      paper_price numeric not null,
      paper_source text not null,
      -- Null when the source does not say.
      paper_as_of timestamptz,
      fx_rate numeric not null,
      fx_source text not null,
      fx_as_of timestamptz not null,
      premium_usd_per_oz numeric not null,
      premium_pct numeric not null,
      computed_at timestamptz not null,
      primary key (metal, methodology, print_date)
    )`.execute(db);
  await sql`create table metal_current (like metal_premium including constraints, primary key (metal))`.execute(db);
}
