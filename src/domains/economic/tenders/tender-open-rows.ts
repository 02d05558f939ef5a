import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { RowCount } from "../../../ingest/dataset.ts";
import type { DatasetStatus } from "../../../ingest/dataset-status.ts";
import { deleteSome, type Retention } from "../../../store/retention.ts";
import type { Store } from "../../../store/tables.ts";
import type { TenderTables } from "./tender-table.ts";

/** The number of open notices by source. Sources without open notices are absent. */
export type OpenRows = ReadonlyMap<string, number>;

/** How long the counts of a stale dataset are cached, because counting reads every open notice. */
const countedForMs = 60_000;

/** Returns the reader of these counts. If the dataset is stale, it counts the notices again, at most once a minute. */
export function openRowsReader(
  database: Store,
): (status: Pick<DatasetStatus, "state" | "generation">, now: Date) => Promise<OpenRows> {
  const counts = new LRUCache<string, OpenRows, Date>({
    ...{ max: 1, ignoreFetchAbort: true },
    fetchMethod: (_key, _stale, { context: now }) => countOpen(database, now),
  });
  return ({ state, generation }, now) =>
    state === "stale" || state === "expired"
      ? counts.forceFetch(`${generation} ${Math.floor(now.getTime() / countedForMs)}`, { context: now })
      : readCounted(database);
}

async function readCounted(database: Store): Promise<OpenRows> {
  const rows = await database.withTables<TenderTables>().selectFrom("tender_source").selectAll().execute();
  return new Map(rows.map(({ source, open_rows }) => [source, open_rows]));
}

async function countOpen(database: Store, now: Date): Promise<OpenRows> {
  const { rows } = await sql<{ source: string; open: number }>`
    select source, count(*)::int as open from tender
    where closed_at is null and closing_key > ${now.getTime()} group by source`.execute(database);
  return new Map(rows.map(({ source, open }) => [source, open]));
}

export async function countTenderRows(database: Store): Promise<RowCount[]> {
  const { rows } = await sql<RowCount>`
    select tender.source, country_code as country, count(*)::int as rows,
      (extract(epoch from min(published_at)) * 1000)::float8 as first,
      (extract(epoch from max(published_at)) * 1000)::float8 as last
    from tender join tender_detail using (id)
    where closed_at is null group by tender.source, country_code`.execute(database);
  return rows;
}

/** How many days a closed notice is stored, in case its source opens it again. */
const closedTenderDays = 90;

/** Deletes notices that were closed long ago. This does not affect searches, because they only read open notices. */
export const tenderRetention = {
  table: "tender",
  stored: closedTenderDays,
  ends: "A closed notice with its details. Open notices stay.",
  forget: (database, before, { max }) =>
    deleteSome(database, { table: "tender", key: ["id"], where: sql`closed_at < ${before}` }, max),
} as const satisfies Retention;
