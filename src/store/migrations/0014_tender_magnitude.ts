import { type Kysely, sql } from "kysely";

/** Notices are found by the magnitude of their amounts as well: the keys of those stored before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into tender_key (key) select 'amount=1e' || exponent from generate_series(3, 9) as exponent
    on conflict do nothing`.execute(db);
  await sql`
    update tender set keys = tender.keys || magnitude.keys
    from (
      select detail.id, array_agg(tender_key.id) as keys
      from tender_detail as detail
      join generate_series(3, 9) as exponent on detail.amount >= power(10::numeric, exponent)
      join tender_key on tender_key.key = 'amount=1e' || exponent
      group by detail.id
    ) as magnitude
    where magnitude.id = tender.id`.execute(db);
}
