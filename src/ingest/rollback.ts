import { sql } from "kysely";
import { ConfigurationError } from "../errors.ts";
import { hourMs } from "../reference/duration.ts";
import { logChanges } from "../store/changes/change-log.ts";
import { restoreRows, type StoredGeneration, storedGenerations } from "../store/history/generations.ts";
import { retainVersions, type StoredRows } from "../store/history/versions.ts";
import { readingOf, servableMinutes } from "../store/served/dataset-age.ts";
import { raiseGeneration } from "../store/served/generations.ts";
import type { Transaction } from "../store/tables.ts";
import { isStored, storedRows } from "./dataset.ts";
import type { ScheduledDataset } from "./schedule/scheduled.ts";

interface Rollback {
  readonly to: number;
  readonly at: Date;
  readonly datasets: readonly ScheduledDataset[];
  /** Rolls back even if the earlier data is too old to be served. */
  readonly force?: boolean;
}

/**
 * Stores an earlier version (generation) of a dataset as a new one. Refreshes do not replace it until the operator
 * releases it. Datasets that are computed from it are updated by their own refreshes. Series get no points from it.
 * Returns the number of the new version.
 */
export async function rollBack(
  transaction: Transaction,
  dataset: ScheduledDataset,
  { to, at, datasets, force = false }: Rollback,
): Promise<number> {
  const { name } = dataset;
  if (!isStored(dataset) || dataset.currentTables)
    throw new ConfigurationError(`No earlier generations of ${name} are retained`);
  // A concurrent refresh waits for this lock. It then finds that the dataset was rolled back, and stores nothing.
  const generation = await raiseGeneration(transaction, name);
  const current = await transaction.selectFrom("dataset").selectAll().where("name", "=", name).executeTakeFirst();
  if (!current) throw new ConfigurationError(`${name} was never loaded`);
  const target = await generationOf(transaction, { name, origin: current.origin, to });
  if (!force) requireServable(dataset, target, at);
  const rows = ownRows(dataset, datasets);
  await restoreRows(transaction, { rows, at: target.visibleFrom, generation });
  await sql`
    update source set fetched_at = reported.value::timestamptz
    from jsonb_each_text(${JSON.stringify(target.readAt)}::jsonb) as reported
    where dataset = ${name} and source = reported.key and good_origin = ${current.origin}`.execute(transaction);
  await transaction
    .updateTable("dataset")
    .set({
      ...{ generation, stored_at: target.storedAt, rows: target.rows },
      ...{ held_generation: String(to), held_since: at, stale_since: null },
    })
    .where("name", "=", name)
    .execute();
  const { origin } = current;
  await retainVersions(transaction, { name, origin, at, rows: storedRows(dataset) });
  await transaction
    .updateTable("dataset_version")
    .set({ restored_generation: String(target.restoredFrom ?? to) })
    .where("name", "=", name)
    .where("generation", "=", String(generation))
    .execute();
  await logChanges(transaction, { dataset: name, origin, at }, [
    { kind: "corrected", before: { generation: Number(current.generation) }, after: { generation: to } },
  ]);
  return generation;
}

/** Allows refreshes to replace the data that a rollback restored. Returns the version of this data. */
export async function release(transaction: Transaction, name: string): Promise<number> {
  const held = await transaction
    .selectFrom("dataset")
    .select("held_generation")
    .where("name", "=", name)
    .forUpdate()
    .executeTakeFirst();
  if (held?.held_generation == null) throw new ConfigurationError(`${name} was not rolled back`);
  await transaction
    .updateTable("dataset")
    .set({ held_generation: null, held_since: null })
    .where("name", "=", name)
    .execute();
  return Number(held.held_generation);
}

async function generationOf(
  transaction: Transaction,
  { name, origin, to }: { readonly name: string; readonly origin: "live" | "sample"; readonly to: number },
): Promise<StoredGeneration> {
  const stored = (await storedGenerations(transaction, name)).filter((each) => each.origin === origin);
  const found = stored.find(({ generation }) => generation === to);
  if (found?.visibleTo) return found;
  if (found) throw new ConfigurationError(`Generation ${to} of ${name} is already served`);
  const earlier = stored.filter(({ visibleTo }) => visibleTo).map(({ generation }) => generation);
  throw new ConfigurationError(
    earlier.length === 0
      ? `No earlier generation of ${name} is retained`
      : `No generation ${to} of ${name} is retained. Use one of: ${listed(earlier)}`,
  );
}

const maxListed = 10;

function listed(generations: readonly number[]): string {
  const older = generations.length - maxListed;
  const first = generations.slice(0, maxListed).join(", ");
  return older > 0 ? `${first} and ${older} older: ids dataset generations lists them` : first;
}

/** Throws if the version of the dataset is so old that readers would get an error. */
function requireServable(
  dataset: ScheduledDataset,
  { generation, readAt, storedAt }: StoredGeneration,
  at: Date,
): void {
  const times = new Map(Object.entries(readAt).map(([source, time]) => [source, new Date(time)]));
  const { readAt: read } = readingOf(dataset, times, storedAt);
  const [age, limit] = [(at.getTime() - read.getTime()) / hourMs, servableMinutes(dataset) / 60];
  if (age <= limit) return;
  throw new ConfigurationError(
    `Generation ${generation} of ${dataset.name} was read ${Math.floor(age)} hours ago and would not be served: the limit is ${Math.floor(limit)} hours. Put it back all the same with --force`,
  );
}

/** Returns which rows a rollback restores: in a table that several datasets share, only those of this dataset. */
function ownRows(dataset: ScheduledDataset, datasets: readonly ScheduledDataset[]): readonly StoredRows[] {
  const others = datasets.filter(({ name }) => name !== dataset.name).flatMap(({ storedTables = [] }) => storedTables);
  return storedRows(dataset).map((rows) =>
    others.includes(rows.table) ? { ...rows, where: sql`dataset = ${dataset.name}` } : rows,
  );
}
