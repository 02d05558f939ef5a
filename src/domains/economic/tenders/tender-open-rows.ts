import { type Kysely, sql } from "kysely";
import type { DatasetStatus } from "../../../ingest/dataset-status.ts";
import type { RowCount } from "../../../ingest/row-count.ts";
import type { StoreTables } from "../../../store/tables.ts";
import type { TenderTables } from "./tender-table.ts";

/** Open notices by source; a source that is not named has none. */
export type OpenRows = ReadonlyMap<string, number>;

/** Counting goes through every open notice. */
const countedForMs = 60_000;

interface Count {
  readonly generation: number | undefined;
  readonly at: number;
  readonly rows: Promise<OpenRows>;
}

/** Reads how many notices of each source are open: as the last refresh counted them, once that is old as they are now. */
export function openRowsReader(
  database: Kysely<StoreTables>,
): (status: Pick<DatasetStatus, "state" | "generation">, now: Date) => Promise<OpenRows> {
  let last: Count | undefined;
  const start = (generation: number | undefined, now: Date): Promise<OpenRows> => {
    const count = { generation, at: now.getTime(), rows: countOpen(database, now) };
    last = count;
    count.rows.catch(() => {
      if (last === count) last = undefined;
    });
    return count.rows;
  };
  return ({ state, generation }, now) => {
    if (state !== "stale" && state !== "expired") return readCounted(database);
    const current = () =>
      last && last.generation === generation && Math.abs(now.getTime() - last.at) < countedForMs
        ? last.rows
        : undefined;
    // One that fails says so to whoever began it; of the others one begins it again.
    return current()?.catch(() => current() ?? start(generation, now)) ?? start(generation, now);
  };
}

async function readCounted(database: Kysely<StoreTables>): Promise<OpenRows> {
  const rows = await database.withTables<TenderTables>().selectFrom("tender_source").selectAll().execute();
  return new Map(rows.map(({ source, open_rows }) => [source, open_rows]));
}

async function countOpen(database: Kysely<StoreTables>, now: Date): Promise<OpenRows> {
  const { rows } = await sql<{ source: string; open: number }>`
    select source, count(*)::int as open from tender
    where closed_at is null and closing_key > ${now.getTime()} group by source`.execute(database);
  return new Map(rows.map(({ source, open }) => [source, open]));
}

/** The open notices by source and country, by the day of their publication. */
export async function countTenderRows(database: Kysely<StoreTables>): Promise<RowCount[]> {
  const { rows } = await sql<RowCount>`
    select tender.source, country_code as country, count(*)::int as rows,
      (extract(epoch from min(published_at)) * 1000)::float8 as first,
      (extract(epoch from max(published_at)) * 1000)::float8 as last
    from tender join tender_detail using (id)
    where closed_at is null group by tender.source, country_code`.execute(database);
  return rows;
}
