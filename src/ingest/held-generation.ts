import type { Kysely } from "kysely";
import type { StoreTables } from "../store/tables.ts";

/** Undefined if refreshes may store. */
export async function heldGeneration(
  database: Kysely<StoreTables>,
  { name, origin }: { readonly name: string; readonly origin: "live" | "sample" },
): Promise<number | undefined> {
  return heldOf(await storedDataset(database, name), origin);
}

/** The visible state of a dataset. Undefined before the first load. */
export interface StoredDataset {
  readonly origin: "live" | "sample";
  readonly held_generation: string | null;
}

export function storedDataset(database: Kysely<StoreTables>, name: string): Promise<StoredDataset | undefined> {
  return database
    .selectFrom("dataset")
    .select(["origin", "held_generation"])
    .where("name", "=", name)
    .executeTakeFirst();
}

export function heldOf(stored: StoredDataset | undefined, origin: "live" | "sample"): number | undefined {
  return stored?.origin === origin && stored.held_generation !== null ? Number(stored.held_generation) : undefined;
}
