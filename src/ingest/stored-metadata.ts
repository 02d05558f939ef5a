import type { Kysely, Transaction } from "kysely";
import type { StoreTables } from "../store/tables.ts";
import type { DatasetRef } from "./dataset.ts";
import type { RowCount } from "./row-count.ts";

type Database = Kysely<StoreTables>;
type Origin = "live" | "sample";

/** When each source of these datasets last answered well, of one origin or any. Sources that never did are not in it. */
export async function sourcesReadAt(
  database: Database,
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

/** From what each of these datasets was made that is stored, by its name. */
export async function storedOrigins(
  database: Database,
  datasets: readonly DatasetRef[],
): Promise<ReadonlyMap<string, Origin>> {
  const rows = await database
    .selectFrom("dataset")
    .select(["name", "origin"])
    .where("name", "in", namesOf(datasets))
    .execute();
  return new Map(rows.map(({ name, origin }) => [name, origin]));
}

/** When the newest of these datasets was stored. */
export async function lastStoredAt(database: Database, datasets: readonly DatasetRef[]): Promise<Date | undefined> {
  const row = await database
    .selectFrom("dataset")
    .select(({ fn }) => fn.max("stored_at").as("at"))
    .where("name", "in", namesOf(datasets))
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/** The generation of each of these datasets that is stored, by its name. */
export async function storedGenerations(
  database: Database,
  datasets: readonly DatasetRef[],
): Promise<ReadonlyMap<string, number>> {
  if (datasets.length === 0) return new Map();
  const rows = await database.selectFrom("generation").selectAll().where("name", "in", namesOf(datasets)).execute();
  return new Map(rows.map(({ name, value }) => [name, Number(value)]));
}

/** None of these datasets can become visible anew until the transaction ends. */
export async function holdGenerations(
  transaction: Transaction<StoreTables>,
  datasets: readonly DatasetRef[],
): Promise<void> {
  const rows = transaction.selectFrom("generation").select("name").where("name", "in", namesOf(datasets));
  await rows.orderBy("name").forShare().execute();
}

/** When a dataset, or a source of it, last failed, if that is how things stand. */
export async function failingSince(database: Database, dataset: DatasetRef): Promise<Date | undefined> {
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

/** What the last good read of each source of a dataset brought: of several of them a row may be made from all. */
export async function broughtRows(
  database: Database,
  { name, origin }: DatasetRef & { readonly origin: Origin },
): Promise<readonly RowCount[]> {
  const sources = await database
    .selectFrom("source")
    .select(["source", "rows_out", "observed_from", "observed_to"])
    .where("dataset", "=", name)
    .where("good_origin", "=", origin)
    .where("rows_out", ">", 0)
    // A dataset without sources notes itself under its own name.
    .where("source", "!=", name)
    .execute();
  return sources.map(({ source, rows_out: rows, observed_from: from, observed_to: to }) => ({
    ...{ source, country: "", rows, first: from?.getTime() ?? null, last: to?.getTime() ?? null },
  }));
}
