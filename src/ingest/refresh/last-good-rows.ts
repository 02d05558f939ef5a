import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type DescMessage, fromJson, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import type { ResponseDrift } from "../drift/response-drift.ts";
import { readDrift, type SeenDrift, withDrift } from "../drift/seen-drift.ts";
import { type Shape, shapeSchema } from "../drift/shape.ts";
import type { Failure } from "./failure.ts";
import { type PartialResponse, readPartial } from "./missing-parts.ts";

/** A source of a dataset and an origin. Live responses and samples are never mixed. */
export interface SourceKey {
  readonly dataset: string;
  readonly source: string;
  readonly origin: "live" | "sample";
}

export interface LastGood<D extends DescMessage> {
  /** Its rows and retained earlier ones. Undefined if the dataset's own tables contain them. */
  readonly rows: readonly MessageShape<D>[] | undefined;
  readonly fetchedAt: Date;
  /** The number of good rows in the response, including earlier rows of its missing parts. */
  readonly responded: number;
  readonly observedTo: Date | undefined;
  readonly partial: PartialResponse | undefined;
  readonly shape: Shape | undefined;
  readonly drift: readonly SeenDrift[];
}

/** A good response, and all rows that are good after it. */
export interface UsableResponse<D extends DescMessage> {
  readonly at: Date;
  readonly requested: boolean;
  readonly rowsIn: number;
  readonly rejected: number;
  readonly good: readonly MessageShape<D>[];
  readonly retainRows: boolean;
  readonly observed: { readonly from: Date; readonly to: Date } | undefined;
  /** The time when its oldest rows were read, if it was before this response. */
  readonly readAt?: Date;
  readonly partial?: PartialResponse | undefined;
  readonly available?: number | undefined;
  readonly shape?: Shape | undefined;
  readonly drift?: ResponseDrift | undefined;
}

export interface UnreadableResponse {
  readonly state: "failed" | "refused";
  readonly failure: Failure;
  readonly at: Date;
  readonly requested: boolean;
  readonly drift?: ResponseDrift | undefined;
}

type SourceRow = Insertable<StoreTables["source"]>;

export interface Outcome extends Pick<SourceKey, "dataset" | "source"> {
  readonly failures: 0 | 1;
  readonly drifts: number;
  readonly row: Pick<SourceRow, "state" | "run_at"> & Partial<SourceRow>;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const lastColumns = [
  ...(["source", "good_rows", "rows_in", "rejected", "fetched_at"] as const),
  ...(["observed_to", "partial", "shape", "drift"] as const),
] as const;

export type LastResponses = ReadonlyMap<string, Pick<Selectable<StoreTables["source"]>, (typeof lastColumns)[number]>>;

export async function readLastResponses(
  database: Kysely<StoreTables>,
  { dataset, origin }: Omit<SourceKey, "source">,
): Promise<LastResponses> {
  const rows = await database
    .selectFrom("source")
    .select(lastColumns)
    .where("dataset", "=", dataset)
    .where("good_origin", "=", origin)
    .execute();
  return new Map(rows.map((row) => [row.source, row]));
}

export async function lastGood<D extends DescMessage>(
  schema: D,
  row: ReturnType<LastResponses["get"]>,
): Promise<LastGood<D> | undefined> {
  if (!row?.fetched_at) return undefined;
  return {
    rows: row.good_rows ? await unpack(schema, row.good_rows) : undefined,
    fetchedAt: row.fetched_at,
    responded: row.rows_in - row.rejected,
    observedTo: row.observed_to ?? undefined,
    partial: readPartial(row.partial),
    shape: row.shape === null ? undefined : shapeSchema.parse(row.shape),
    drift: readDrift(row.drift),
  };
}

async function unpack<D extends DescMessage>(schema: D, packed: Buffer): Promise<MessageShape<D>[]> {
  const rows: JsonValue[] = JSON.parse((await decompress(packed)).toString("utf8"));
  return rows.map((json) => fromJson(schema, json, { ignoreUnknownFields: true }));
}

/** The rows are compressed when the promise resolves. */
export async function recordSuccess<D extends DescMessage>(
  schema: D,
  { dataset, source, origin }: SourceKey,
  response: UsableResponse<D>,
): Promise<Outcome> {
  const text = JSON.stringify(response.good.map((row) => toJson(schema, row)));
  const row = {
    state: "ok" as const,
    run_at: response.at,
    ...requestedAt(response),
    fetched_at: response.readAt ?? response.at,
    error: null,
    failure_kind: null,
    failure_status: null,
    rows_in: response.rowsIn,
    rows_out: response.good.length,
    rejected: response.rejected,
    observed_from: response.observed?.from ?? null,
    observed_to: response.observed?.to ?? null,
    content_hash: createHash("sha256").update(text).digest("hex"),
    good_origin: origin,
    good_rows: response.retainRows ? await compress(text) : null,
    partial: response.partial ? JSON.stringify(response.partial) : null,
    available: response.available === undefined ? null : String(response.available),
    shape: response.shape ? JSON.stringify(response.shape) : null,
    ...driftColumn(response),
  };
  return { dataset, source, failures: 0, drifts: response.drift?.found.length ?? 0, row };
}

/** Records a bad response. The earlier good data remains. */
export function recordFailure({ dataset, source }: SourceKey, response: UnreadableResponse): Outcome {
  const { state, failure, at, requested, drift } = response;
  // Postgres rejects NUL in text.
  const error = failure.words.slice(0, 1000).toWellFormed().replaceAll("\0", "");
  const failureColumns = { error, failure_kind: failure.kind, failure_status: failure.status ?? null };
  const row = { state, run_at: at, ...requestedAt({ at, requested }), ...failureColumns, ...driftColumn(response) };
  return { dataset, source, failures: 1, drifts: drift?.found.length ?? 0, row };
}

const counts = ["runs", "failures", "drifts"] as const;

/** Stores outcomes. Columns that an outcome does not contain remain unchanged. */
export async function recordOutcomes(database: Kysely<StoreTables>, outcomes: readonly Outcome[]): Promise<void> {
  for (const alike of Map.groupBy(outcomes, ({ row }) => Object.keys(row).join()).values()) {
    const columns = Object.keys(alike[0]?.row ?? {});
    await database
      .insertInto("source")
      .values(
        alike.map(({ dataset, source, failures, drifts, row }) => ({
          ...{ dataset, source, runs: 1, failures, drifts, rows_in: 0, rows_out: 0, rejected: 0 },
          ...row,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["dataset", "source"]).doUpdateSet({
          ...Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)])),
          ...Object.fromEntries(
            counts.map((count) => [count, sql`${sql.ref(`source.${count}`)} + ${sql.ref(`excluded.${count}`)}`]),
          ),
        }),
      )
      .execute();
  }
}

function driftColumn({ at, drift }: { readonly at: Date; readonly drift?: ResponseDrift | undefined }) {
  return drift && drift.found.length > 0 ? { drift: JSON.stringify(withDrift(drift.seen, drift.found, at)) } : {};
}

function requestedAt({ at, requested }: { readonly at: Date; readonly requested: boolean }) {
  return requested ? { asked_at: at } : {};
}
