import type { Kysely, Selectable } from "kysely";
import type { StoreTables } from "../store/tables.ts";
import type { ScheduledDataset } from "./scheduled.ts";
import type { Licence, SourceFacts, SourceTerms } from "./source.ts";

/** How a dataset stands: what health, doctor and the metrics tell. */
export interface DatasetCondition {
  readonly name: string;
  /** `empty`: never stored. `stale`: older than it may be. `degraded`: a source brings nothing. */
  readonly state: "ok" | "degraded" | "stale" | "empty";
  readonly origin?: "live" | "sample";
  readonly generation?: number;
  readonly rows?: number;
  readonly storedAt?: string;
  readonly ageSeconds?: number;
  readonly sources: readonly SourceCondition[];
}

/** How one of its sources stands. */
export interface SourceCondition {
  readonly name: string;
  /** `unconfigured`: a variable is missing. `waiting`: not asked yet. */
  readonly state: "ok" | "failed" | "refused" | "unconfigured" | "waiting";
  readonly missing: readonly string[];
  readonly licence: Licence;
  readonly error?: string;
  readonly runs: number;
  readonly failures: number;
  readonly lastRunAt?: string;
  readonly lastGoodAt?: string;
  readonly lastGoodAgeSeconds?: number;
  readonly observedFrom?: string;
  readonly observedTo?: string;
  readonly rowsIn?: number;
  readonly rowsOut?: number;
  readonly rejected?: number;
  readonly contentHash?: string;
}

export interface ConditionParts {
  readonly datasets: readonly ScheduledDataset[];
  /** Variables a source needs and does not have. */
  readonly missingOf: (source: SourceTerms) => readonly string[];
  readonly clock: () => Date;
}

/** Reads the condition of every dataset from the store. */
export async function datasetConditions(
  database: Kysely<StoreTables>,
  parts: ConditionParts,
): Promise<DatasetCondition[]> {
  const stored = new Map((await database.selectFrom("dataset").selectAll().execute()).map((row) => [row.name, row]));
  const tried = await sourceRows(database);
  return parts.datasets.map((dataset) => conditionOf(dataset, stored.get(dataset.name), tried, parts));
}

/** Reads the condition of one dataset from the store. */
export async function datasetCondition(
  database: Kysely<StoreTables>,
  dataset: ScheduledDataset,
  parts: Omit<ConditionParts, "datasets">,
): Promise<DatasetCondition> {
  const [stored, tried] = await Promise.all([
    database.selectFrom("dataset").selectAll().where("name", "=", dataset.name).executeTakeFirst(),
    sourceRows(database, dataset.name),
  ]);
  return conditionOf(dataset, stored, tried, parts);
}

function conditionOf(
  dataset: ScheduledDataset,
  row: Selectable<StoreTables["dataset"]> | undefined,
  tried: ReadonlyMap<string, SourceRow>,
  parts: Omit<ConditionParts, "datasets">,
): DatasetCondition {
  const now = parts.clock();
  const sources = dataset.sources.map((source) =>
    sourceCondition(source, parts.missingOf(source), tried.get(`${dataset.name} ${source.name}`), now),
  );
  const ageSeconds = row && secondsBetween(row.stored_at, now);
  return {
    name: dataset.name,
    state: stateOf(ageSeconds, dataset.freshForMinutes * 60, sources),
    ...(row && {
      origin: row.origin,
      generation: Number(row.generation),
      rows: row.rows,
      storedAt: row.stored_at.toISOString(),
      ageSeconds: secondsBetween(row.stored_at, now),
    }),
    sources,
  };
}

function stateOf(
  ageSeconds: number | undefined,
  freshForSeconds: number,
  sources: readonly SourceCondition[],
): DatasetCondition["state"] {
  if (ageSeconds === undefined) return "empty";
  if (ageSeconds > freshForSeconds) return "stale";
  return sources.every(({ state }) => state === "ok") ? "ok" : "degraded";
}

type SourceRow = Awaited<ReturnType<typeof sourceRows>> extends Map<string, infer Row> ? Row : never;

async function sourceRows(database: Kysely<StoreTables>, dataset?: string) {
  const rows = await database
    .selectFrom("source")
    .$if(dataset !== undefined, (query) => query.where("dataset", "=", dataset ?? ""))
    .select([
      "dataset",
      "source",
      "state",
      "run_at",
      "error",
      "runs",
      "failures",
      "fetched_at",
      "observed_from",
      "observed_to",
      "rows_in",
      "rows_out",
      "rejected",
      "content_hash",
    ])
    .execute();
  return new Map(rows.map((row) => [`${row.dataset} ${row.source}`, row]));
}

function sourceCondition(
  source: SourceFacts,
  missing: readonly string[],
  row: SourceRow | undefined,
  now: Date,
): SourceCondition {
  const { name, licence } = source;
  const state = missing.length > 0 ? "unconfigured" : (row?.state ?? "waiting");
  if (!row) return { name, state, missing, licence, runs: 0, failures: 0 };
  const { runs, failures } = row;
  return {
    name,
    state,
    missing,
    licence,
    runs,
    failures,
    ...(row.error !== null && { error: row.error }),
    lastRunAt: row.run_at.toISOString(),
    ...(row.fetched_at && {
      lastGoodAt: row.fetched_at.toISOString(),
      lastGoodAgeSeconds: secondsBetween(row.fetched_at, now),
      rowsIn: row.rows_in,
      rowsOut: row.rows_out,
      rejected: row.rejected,
    }),
    ...(row.observed_from && { observedFrom: row.observed_from.toISOString() }),
    ...(row.observed_to && { observedTo: row.observed_to.toISOString() }),
    ...(row.content_hash !== null && { contentHash: row.content_hash }),
  };
}

function secondsBetween(then: Date, now: Date): number {
  return Math.max(0, Math.round((now.getTime() - then.getTime()) / 1000));
}
