import type { Store, Transaction } from "../store/tables.ts";
import type { DatasetRef, RowCount } from "./dataset.ts";

type Origin = "live" | "sample";

/** Returns when each source was last read successfully. Sources without a successful read are absent. */
export async function sourcesReadAt(
  database: Store,
  datasets: readonly DatasetRef[],
  origin?: Origin,
): Promise<ReadonlyMap<string, Date>> {
  if (datasets.length === 0) return new Map();
  const rows = await database
    .selectFrom("source")
    .select(["source", "fetched_at"])
    .where("dataset", "in", namesOf(datasets))
    .$if(origin !== undefined, (query) => query.where("good_origin", "=", origin ?? null))
    .execute();
  return new Map(rows.flatMap(({ source, fetched_at: at }) => (at ? [[source, at] as const] : [])));
}

export async function storedOrigins(
  database: Store,
  datasets: readonly DatasetRef[],
): Promise<ReadonlyMap<string, Origin>> {
  const rows = await database
    .selectFrom("dataset")
    .select(["name", "origin"])
    .where("name", "in", namesOf(datasets))
    .execute();
  return new Map(rows.map(({ name, origin }) => [name, origin]));
}

export async function lastStoredAt(database: Store, datasets: readonly DatasetRef[]): Promise<Date | undefined> {
  const row = await database
    .selectFrom("dataset")
    .select(({ fn }) => fn.max("stored_at").as("at"))
    .where("name", "in", namesOf(datasets))
    .executeTakeFirst();
  return row?.at ?? undefined;
}

export async function storedGenerations(
  database: Store,
  datasets: readonly DatasetRef[],
): Promise<ReadonlyMap<string, number>> {
  if (datasets.length === 0) return new Map();
  const rows = await database.selectFrom("generation").selectAll().where("name", "in", namesOf(datasets)).execute();
  return new Map(rows.map(({ name, value }) => [name, Number(value)]));
}

/** Locks datasets until the transaction ends, so that no process stores a new version of them. */
export async function holdGenerations(transaction: Transaction, datasets: readonly DatasetRef[]): Promise<void> {
  const rows = transaction.selectFrom("generation").select("name").where("name", "in", namesOf(datasets));
  await rows.orderBy("name").forShare().execute();
}

/** Returns the time of a dataset's last read or computation if it failed; undefined if none failed. */
export async function failingSince(database: Store, dataset: DatasetRef): Promise<Date | undefined> {
  const row = await database
    .selectFrom("source")
    .select("run_at")
    .where("dataset", "=", dataset.name)
    .where("state", "<>", "ok")
    .executeTakeFirst();
  return row?.run_at;
}

function namesOf(datasets: readonly DatasetRef[]): string[] {
  return datasets.map(({ name }) => name);
}

/** Returns the row count of each source's last good response. A stored row can combine rows of several sources. */
export async function broughtRows(
  database: Store,
  { name, origin }: DatasetRef & { readonly origin: Origin },
): Promise<readonly RowCount[]> {
  const sources = await database
    .selectFrom("source")
    .select(["source", "rows_out", "observed_from", "observed_to"])
    .where("dataset", "=", name)
    .where("good_origin", "=", origin)
    .where("rows_out", ">", 0)
    // A dataset without sources stores the result of its computation as a source with the name of the dataset.
    .where("source", "!=", name)
    .execute();
  return sources.map(({ source, rows_out: rows, observed_from: from, observed_to: to }) => ({
    ...{ source, country: "", rows, first: from?.getTime() ?? null, last: to?.getTime() ?? null },
  }));
}

export interface ReadAge {
  /** Read time of the oldest part of the response, ISO 8601 in UTC. Absent if a part is missing. */
  readonly cachedAt?: string;
  readonly stale: boolean;
}

interface ReadPart {
  /** Unix epoch milliseconds. Undefined if the part was never read. */
  readonly readAt: number | undefined;
  readonly freshForMinutes: number;
}

/** Returns the age of a response that combines several parts. It is stale if a part is stale or missing. */
export function readAge(parts: readonly ReadPart[], now: Date): ReadAge {
  const known = parts.flatMap(({ readAt }) => readAt ?? []);
  if (known.length === 0 || known.length < parts.length) return { stale: true };
  const stale = parts.some(({ readAt = 0, freshForMinutes }) => now.getTime() - readAt > freshForMinutes * 60_000);
  return { cachedAt: new Date(Math.min(...known)).toISOString(), stale };
}
