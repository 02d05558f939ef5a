import { sql, type Transaction } from "kysely";
import { ConfigurationError } from "../errors.ts";
import { hourMs } from "../reference/duration.ts";
import { logChanges } from "../store/changes/change-log.ts";
import { restoreRows, type StoredGeneration, storedGenerations } from "../store/history/generations.ts";
import { retainVersions, type StoredRows } from "../store/history/versions.ts";
import { readingOf, servableMinutes } from "../store/served/dataset-age.ts";
import { raiseGeneration } from "../store/served/generations.ts";
import type { StoreTables } from "../store/tables.ts";
import type { ScheduledDataset } from "./schedule/scheduled.ts";
import { isStored, storedRows } from "./stored-rows.ts";

/** Which generation is put back, and when. */
interface Rollback {
  readonly to: number;
  readonly at: Date;
  readonly datasets: readonly ScheduledDataset[];
  /** Even where its data are too old to be served. */
  readonly force?: boolean;
}

/**
 * Makes an earlier generation of a dataset visible again, as a new one, which refreshes do not replace until it is let go. What is
 * made from the dataset follows with its own refreshes. Nothing is measured by it: series have no point more. Returns the new
 * generation.
 */
export async function rollBack(
  transaction: Transaction<StoreTables>,
  dataset: ScheduledDataset,
  { to, at, datasets, force = false }: Rollback,
): Promise<number> {
  const { name } = dataset;
  if (!isStored(dataset)) throw new ConfigurationError(`Of ${name} no earlier generations are kept`);
  // Whoever refreshes it waits, and then finds it held.
  const generation = await raiseGeneration(transaction, name);
  const current = await transaction.selectFrom("dataset").selectAll().where("name", "=", name).executeTakeFirst();
  if (!current) throw new ConfigurationError(`${name} was never loaded`);
  const target = await generationOf(transaction, { name, origin: current.origin, to });
  if (!force) requireServable(dataset, target, at);
  const rows = ownRows(dataset, datasets);
  await restoreRows(transaction, { rows, at: target.visibleFrom, generation });
  await sql`
    update source set fetched_at = told.value::timestamptz
    from jsonb_each_text(${JSON.stringify(target.readAt)}::jsonb) as told
    where dataset = ${name} and source = told.key and good_origin = ${current.origin}`.execute(transaction);
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
  await logChanges(transaction, { dataset: name, origin, at }, [
    { kind: "corrected", before: { generation: Number(current.generation) }, after: { generation: to } },
  ]);
  return generation;
}

/** Lets refreshes replace what an operator put back. Returns the generation that was held. */
export async function release(transaction: Transaction<StoreTables>, name: string): Promise<number> {
  const held = await transaction
    .selectFrom("dataset")
    .select("held_generation")
    .where("name", "=", name)
    .forUpdate()
    .executeTakeFirst();
  if (held?.held_generation == null) throw new ConfigurationError(`No earlier generation of ${name} was put back`);
  await transaction
    .updateTable("dataset")
    .set({ held_generation: null, held_since: null })
    .where("name", "=", name)
    .execute();
  return Number(held.held_generation);
}

async function generationOf(
  transaction: Transaction<StoreTables>,
  { name, origin, to }: { readonly name: string; readonly origin: "live" | "sample"; readonly to: number },
): Promise<StoredGeneration> {
  const stored = (await storedGenerations(transaction, name)).filter((each) => each.origin === origin);
  const found = stored.find(({ generation }) => generation === to);
  if (found?.visibleTo) return found;
  if (found) throw new ConfigurationError(`Generation ${to} of ${name} is the one that is served`);
  const earlier = stored.filter(({ visibleTo }) => visibleTo).map(({ generation }) => generation);
  throw new ConfigurationError(
    earlier.length === 0
      ? `Of ${name} no earlier generation is kept`
      : `Of ${name} no generation ${to} is kept; kept are ${listed(earlier)}`,
  );
}

const maxListed = 10;

function listed(generations: readonly number[]): string {
  const older = generations.length - maxListed;
  const first = generations.slice(0, maxListed).join(", ");
  return older > 0 ? `${first} and ${older} older: ids dataset generations lists them` : first;
}

/** Throws where readers would get a refusal instead of the generation. */
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

/** Of a table that several datasets keep, the rows of this one. */
function ownRows(dataset: ScheduledDataset, datasets: readonly ScheduledDataset[]): readonly StoredRows[] {
  const others = datasets.filter(({ name }) => name !== dataset.name).flatMap(({ storedTables = [] }) => storedTables);
  return storedRows(dataset).map((rows) =>
    others.includes(rows.table) ? { ...rows, where: sql`dataset = ${dataset.name}` } : rows,
  );
}
