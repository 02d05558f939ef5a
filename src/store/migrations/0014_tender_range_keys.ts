import { type Kysely, sql } from "kysely";

/** Notices are found by the magnitude of their amounts and the weeks of their moments as well: the keys of those stored before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create temporary table tender_more on commit drop as
    select id, 'amount=1e' || exponent as key from tender_detail
    join generate_series(3, 9) as exponent on amount >= power(10::numeric, exponent)
    union all
    select id, 'published=' || floor(extract(epoch from published_at) / 604800) from tender where published_at is not null
    union all
    -- Those that were read earlier than that are not known any more.
    select id, 'published=ahead' from tender where published_at > now() - interval '30 days'
    union all
    select id, 'deadline=' || floor(extract(epoch from deadline) / 604800) from tender_detail where deadline is not null`.execute(
    db,
  );
  await sql`
    insert into tender_key (key) select distinct key from tender_more on conflict do nothing`.execute(db);
  await sql`
    update tender set keys = tender.keys || more.keys
    from (
      select more.id, array_agg(tender_key.id) as keys from tender_more as more join tender_key using (key)
      group by more.id
    ) as more
    where more.id = tender.id`.execute(db);
}
