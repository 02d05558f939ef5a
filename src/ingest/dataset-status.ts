import { type Selectable, sql } from "kysely";
import type { DataStatus } from "../contract/data-status.ts";
import { dataStatusWithInputs, readingOf } from "../store/served/dataset-age.ts";
import type { Store, StoreTables } from "../store/tables.ts";
import type { ProgramTable } from "./dataset.ts";
import { type DriftStatus, driftStatuses } from "./drift/drift.ts";
import { type MissingPartStatus, missingPartStatuses, publicSentence, readPartial } from "./refresh/report.ts";
import type { ScheduledDataset } from "./schedule/scheduled.ts";
import type { License, SourceMetadata, SourceTerms } from "./source.ts";

export interface DatasetStatus {
  readonly name: string;
  /**
   * `empty`: never stored, or samples that live mode does not serve. `incomplete`: a required input was never read. `no
   * inputs`: its inputs were all empty. `expired`: too old to be served. `stale`: older than its maximum age.
   * `degraded`: a source returns no data.
   */
  readonly state: "ok" | "degraded" | "stale" | "expired" | "no inputs" | "incomplete" | "empty";
  readonly reason?: string;
  readonly origin?: "live" | "sample";
  readonly generation?: number;
  readonly rows?: number;
  readonly storedAt?: string;
  /** The time of the last successful read of the dataset's inputs, and the seconds since then. */
  readonly readAt?: string;
  readonly ageSeconds?: number;
  readonly missingParts?: readonly string[];
  readonly sources: readonly SourceStatus[];
  readonly tables?: readonly ProgramTable[];
  /** The public error of the last computation, for a dataset without sources. Each kind of failure has one sentence. */
  readonly error?: string;
  /** The original error message, which only the operator may see. */
  readonly words?: string;
}

export interface SourceStatus {
  readonly name: string;
  /**
   * `partial`: some parts of the data are missing. `unconfigured`: a variable is missing. `waiting`: no request was
   * sent yet.
   */
  readonly state: "ok" | "partial" | "failed" | "refused" | "unconfigured" | "waiting";
  readonly missing: readonly string[];
  readonly license: License;
  /** The public error of the last request. Each kind of failure has one sentence. */
  readonly error?: string;
  readonly status?: number;
  /** The original error message, which only the operator may see. */
  readonly words?: string;
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
  readonly available?: number;
  readonly missingParts?: readonly MissingPartStatus[];
  readonly contentHash?: string;
  /** The time of the oldest read whose bytes are stored, and when the stored bytes last gave the same rows again. */
  readonly bytesSince?: string;
  readonly verifiedAt?: string;
  /** The number of stored changes in the schema of the source's responses, and the latest changes, newest first. */
  readonly drifts?: number;
  readonly drift?: readonly DriftStatus[];
}

export interface StatusParts {
  readonly datasets: readonly ScheduledDataset[];
  readonly missingOf: (source: SourceTerms) => readonly string[];
  readonly data: "live" | "sample";
  readonly clock: () => Date;
  /** Whether the status includes original error messages, which only the operator may see. */
  readonly forOperator?: boolean;
}

/** Returns the status of every dataset. Without a database, nothing is stored. */
export async function datasetStatuses(database: Store | undefined, parts: StatusParts): Promise<DatasetStatus[]> {
  if (!database)
    return parts.datasets.map((dataset) => statusOf(dataset, { stored: new Map(), tried: new Map() }, parts));
  const stored = new Map((await database.selectFrom("dataset").selectAll().execute()).map((row) => [row.name, row]));
  const state = { stored, tried: await sourceRows(database) };
  return parts.datasets.map((dataset) => statusOf(dataset, state, parts));
}

export async function datasetStatus(
  database: Store,
  dataset: ScheduledDataset,
  parts: StatusParts,
): Promise<DatasetStatus> {
  const names = withInputs(dataset, parts.datasets);
  const [rows, tried] = await Promise.all([
    database.selectFrom("dataset").selectAll().where("name", "in", names).execute(),
    sourceRows(database, names),
  ]);
  return statusOf(dataset, { stored: new Map(rows.map((row) => [row.name, row])), tried }, parts);
}

function withInputs({ name, main = [] }: ScheduledDataset, datasets: readonly ScheduledDataset[]): string[] {
  const inputs = datasets.filter((known) => main.some((part) => part.name === known.name));
  return [name, ...inputs.flatMap((input) => withInputs(input, datasets))];
}

interface StoredState {
  readonly stored: ReadonlyMap<string, Selectable<StoreTables["dataset"]>>;
  readonly tried: ReadonlyMap<string, SourceRow>;
}

function statusOf(dataset: ScheduledDataset, state: StoredState, parts: StatusParts): DatasetStatus {
  const now = parts.clock();
  const { name } = dataset;
  // A dataset without sources stores the result of its computation as a source with the name of the dataset.
  const making = dataset.sources.length === 0 ? state.tried.get(`${name} ${name}`) : undefined;
  const metadata = {
    ...(dataset.tables && { tables: dataset.tables }),
    ...(making && errorOf(making, parts.forOperator)),
  };
  const row = state.stored.get(name);
  const sources = dataset.sources.map((source) =>
    sourceStatus(source, parts.missingOf(source), state.tried.get(`${name} ${source.name}`), {
      now,
      ...parts,
    }),
  );
  const dataStatus = dataStatusOf(dataset, state, parts);
  if (!row || !dataStatus) {
    const reason = silentSources(sources);
    return { name, state: "empty", ...(reason !== "" && { reason }), sources, ...metadata };
  }
  const { origin, generation, rows, stored_at: storedAt } = row;
  const isWithoutInputs = rows === 0 && dataset.reads !== undefined;
  const condition = isWithoutInputs ? "no inputs" : stateOf(dataStatus, making ? [...sources, making] : sources);
  const held = heldReason(row);
  const reason = dataStatus.rejection ?? held;
  return {
    name,
    state: condition === "ok" && held !== undefined ? "degraded" : condition,
    ...(reason !== undefined && { reason }),
    origin,
    generation: Number(generation),
    rows,
    storedAt: storedAt.toISOString(),
    readAt: dataStatus.readAt.toISOString(),
    ageSeconds: secondsBetween(dataStatus.readAt, now),
    ...(dataStatus.missing.length > 0 && { missingParts: dataStatus.missing }),
    sources,
    ...metadata,
  };
}

export function silentSources(sources: readonly SourceStatus[]): string {
  const silent = sources.filter(({ state }) => state !== "ok");
  return silent
    .map(({ name, state, missing, words, error }) => {
      if (missing.length === 0) return `${name}: ${words ?? error ?? (state === "waiting" ? "not read yet" : state)}`;
      return `${name}: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set`;
    })
    .join("; ");
}

function heldReason(row: Selectable<StoreTables["dataset"]>): string | undefined {
  if (row.held_generation === null || row.held_since === null) return undefined;
  return `rolled back to generation ${row.held_generation} at ${row.held_since.toISOString()}: refreshes do not replace it`;
}

function isHidden({ origin }: Selectable<StoreTables["dataset"]>, { data }: Pick<StatusParts, "data">): boolean {
  return data === "live" && origin === "sample";
}

function dataStatusOf(dataset: ScheduledDataset, { stored, tried }: StoredState, parts: StatusParts) {
  const visible = (name: string) => {
    const row = stored.get(name);
    return row && !isHidden(row, parts) ? row : undefined;
  };
  return dataStatusWithInputs(dataset, {
    datasetOf: (name) => parts.datasets.find((known) => known.name === name),
    readingOf(terms) {
      const row = visible(terms.name);
      if (!row) return undefined;
      const read = terms.sources.flatMap(({ name }) => {
        const source = tried.get(`${terms.name} ${name}`);
        return source?.fetched_at && source.good_origin === row.origin ? [[name, source.fetched_at] as const] : [];
      });
      return readingOf(terms, new Map(read), row.stored_at);
    },
    now: parts.clock(),
  });
}

function stateOf(dataStatus: DataStatus, sources: readonly { readonly state: string }[]): DatasetStatus["state"] {
  if (dataStatus.missing.length > 0) return "incomplete";
  if (dataStatus.rejection !== undefined) return "expired";
  if (dataStatus.staleForMs > 0) return "stale";
  return sources.every(({ state }) => state === "ok") ? "ok" : "degraded";
}

type SourceRow = Awaited<ReturnType<typeof sourceRows>> extends Map<string, infer Row> ? Row : never;

async function sourceRows(database: Store, datasets?: readonly string[]) {
  const rows = await database
    .selectFrom("source")
    .$if(datasets !== undefined, (query) => query.where("dataset", "in", datasets ?? []))
    .select([
      "dataset",
      "source",
      "state",
      "run_at",
      "error",
      "failure_kind",
      "failure_status",
      "runs",
      "failures",
      "fetched_at",
      "observed_from",
      "observed_to",
      "rows_in",
      "rows_out",
      "rejected",
      "content_hash",
      "good_origin",
      "drift",
      "drifts",
      "partial",
      "available",
      sql<Date | null>`(
        select min(at) from source_read where (dataset, source) = (source.dataset, source.source) and exists (
          select from source_response join source_body using (sha256)
          where (dataset, source, generation) = (source_read.dataset, source_read.source, source_read.generation)
            and body is not null))`.as("bytes_since"),
      sql<Date | null>`(
        select max(verified_at) from source_read where (dataset, source) = (source.dataset, source.source))`.as(
        "verified_at",
      ),
    ])
    .execute();
  return new Map(rows.map((row) => [`${row.dataset} ${row.source}`, row]));
}

function sourceStatus(
  source: SourceMetadata,
  missing: readonly string[],
  stored: SourceRow | undefined,
  { now, data, forOperator }: Pick<StatusParts, "data" | "forOperator"> & { readonly now: Date },
): SourceStatus {
  const { name, license } = source;
  const isSample = data === "live" && stored?.good_origin === "sample";
  // A successful read of a sample says nothing about the live source.
  const row = isSample && stored?.state === "ok" ? undefined : stored;
  const partial = isSample ? undefined : readPartial(row?.partial);
  const reported = row?.state === "ok" && partial ? "partial" : row?.state;
  const state = missing.length > 0 ? "unconfigured" : (reported ?? "waiting");
  if (!row) return { name, state, missing, license, runs: 0, failures: 0 };
  const { runs, failures } = row;
  return {
    name,
    state,
    missing,
    license,
    runs,
    failures,
    ...errorOf(row, forOperator),
    ...(row.error !== null && row.failure_status !== null && { status: row.failure_status }),
    lastRunAt: row.run_at.toISOString(),
    ...(row.fetched_at &&
      !isSample && {
        lastGoodAt: row.fetched_at.toISOString(),
        lastGoodAgeSeconds: secondsBetween(row.fetched_at, now),
        rowsIn: row.rows_in,
        rowsOut: row.rows_out,
        rejected: row.rejected,
        ...(row.available !== null && { available: Number(row.available) }),
        ...(partial && { missingParts: missingPartStatuses(partial, forOperator) }),
        ...(row.drifts > 0 && { drifts: row.drifts, drift: driftStatuses(row.drift) }),
      }),
    ...(row.observed_from && !isSample && { observedFrom: row.observed_from.toISOString() }),
    ...(row.observed_to && !isSample && { observedTo: row.observed_to.toISOString() }),
    ...(row.content_hash !== null && !isSample && { contentHash: row.content_hash }),
    ...(row.bytes_since && !isSample && { bytesSince: row.bytes_since.toISOString() }),
    ...(row.verified_at && !isSample && { verifiedAt: row.verified_at.toISOString() }),
  };
}

/** Returns the public sentence for the last failure, and the original error message for the operator. */
function errorOf(row: SourceRow, forOperator = false) {
  if (row.error === null) return {};
  return {
    error: publicSentence(row.failure_kind, row.failure_status),
    ...(forOperator && { words: row.error }),
  };
}

function secondsBetween(then: Date, now: Date): number {
  return Math.max(0, Math.round((now.getTime() - then.getTime()) / 1000));
}
