import type { Kysely } from "kysely";
import type { StoreTables } from "../store/tables.ts";
import type { DatasetRef } from "./dataset.ts";

type Database = Kysely<StoreTables>;
type Origin = "live" | "sample";

/** When each source of these datasets last answered well, of one origin. Sources that never did are not in it. */
export async function sourcesReadAt(
  database: Database,
  datasets: readonly DatasetRef[],
  origin: Origin,
): Promise<ReadonlyMap<string, Date>> {
  if (datasets.length === 0) return new Map();
  const rows = await database
    .selectFrom("source")
    .select(["source", "fetched_at"])
    .where("dataset", "in", namesOf(datasets))
    .where("good_origin", "=", origin)
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

function namesOf(datasets: readonly DatasetRef[]): string[] {
  return datasets.map(({ name }) => name);
}
