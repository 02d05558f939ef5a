import { type Kysely, sql, type Transaction } from "kysely";
import type { CollectedTariff, TariffSeries } from "../../../../gen/es/ids/stored/v1/trade_pb.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { type Freshness, freshness } from "../freshness.ts";

export interface TariffYears extends Freshness {
  readonly years: readonly { readonly year: number; readonly rate: number }[];
}

export interface CollectedRate {
  readonly quarter: string;
  readonly rate: number;
  readonly fetchedAt: Date;
}

/** The rates have two decimals. Returns undefined if there are none. */
export async function readTariffs(
  database: Kysely<StoreTables>,
  reporter: string,
  years: number,
): Promise<TariffYears | undefined> {
  const { rows } = await sql<{ year: number; rate: number; name: string; fetched_at: Date }>`
    select year, round(rate, 2)::float8 as rate, name, fetched_at from trade_tariff
    where reporter = ${reporter}
      and year >= (select max(year) from trade_tariff where reporter = ${reporter}) - ${years}::int
    order by year`.execute(database);
  return rows.length === 0 ? undefined : { years: rows, ...freshness(rows) };
}

/** Returns undefined if the rate is unknown. */
export async function readCollected(
  database: Kysely<StoreTables>,
  reporter: string,
): Promise<CollectedRate | undefined> {
  const { rows } = await sql<{ quarter: string; rate: number; fetched_at: Date }>`
    select quarter, round(duties * 100 / imports, 2)::float8 as rate, fetched_at from trade_collected_tariff
    where reporter = ${reporter}`.execute(database);
  return rows.map(({ quarter, rate, fetched_at }) => ({ quarter, rate, fetchedAt: fetched_at }))[0];
}

/** Adds years and updates the existing ones. Years are never removed. */
export async function storeTariffs(
  transaction: Transaction<StoreTables>,
  series: readonly TariffSeries[],
  now: Date,
): Promise<void> {
  const rows = series.flatMap(({ reporter, name, points }) =>
    points.map(({ year, rate }) => ({ reporter, year, rate, name, fetched_at: now })),
  );
  await sql`
    insert into trade_tariff select * from json_populate_recordset(null::trade_tariff, ${JSON.stringify(rows)})
    on conflict (reporter, year) do update set
      (rate, name, fetched_at) = (excluded.rate, excluded.name, excluded.fetched_at)`.execute(transaction);
}

export async function storeCollected(
  transaction: Transaction<StoreTables>,
  { reporter, quarter, duties, imports }: CollectedTariff,
  now: Date,
): Promise<void> {
  const row = { reporter, quarter, duties, imports, fetched_at: now };
  await sql`
    insert into trade_collected_tariff
    select * from json_populate_record(null::trade_collected_tariff, ${JSON.stringify(row)})
    on conflict (reporter) do update set
      (quarter, duties, imports, fetched_at) = (excluded.quarter, excluded.duties, excluded.imports, excluded.fetched_at)
  `.execute(transaction);
}
