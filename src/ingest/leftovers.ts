import type { Database } from "../store/database.ts";

/** Removes the schedules of this kind of job whose key is none of these: datasets that are gone would be asked for ever. */
export async function removeOtherSchedules(database: Database, job: string, keys: readonly string[]): Promise<void> {
  await database.query("delete from pgboss.schedule where name = $1 and key <> all($2::text[])", [job, keys]);
}

/**
 * Takes away the jobs of this kind that an earlier process left unfinished, and returns their keys: theirs would stay taken
 * until a lease runs out. Only where no other process can be running one.
 */
export async function takeUnfinished(database: Database, job: string): Promise<string[]> {
  const { rows } = await database.query(
    "delete from pgboss.job where name = $1 and state in ('active', 'retry') returning singleton_key as key",
    [job],
  );
  return rows.flatMap((row) => (isKeyed(row) ? [row.key] : []));
}

function isKeyed(row: unknown): row is { key: string } {
  return typeof row === "object" && row !== null && "key" in row && typeof row.key === "string";
}
