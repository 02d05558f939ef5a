import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type DescMessage, fromJson, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import { type Insertable, type Selectable, sql } from "kysely";
import { z } from "zod";
import type { Mask } from "../../config/masking.ts";
import { unreachable } from "../../contract/live-summary.ts";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { ConfigurationError } from "../../errors.ts";
import type { Store, StoreTables } from "../../store/tables.ts";
import { type ResponseDrift, readDrift, type SeenDrift, withSeen } from "../drift/drift.ts";
import { type Shape, shapeSchema } from "../drift/shape.ts";
import { hashesOf } from "../responses/row-hashes.ts";

/** The public sentence for each kind of failure. An error of a source is not public, because it may quote a secret. */
const sentences = {
  unconfigured: "A setting is missing",
  unreadable: "A file of the operator cannot be read",
  unreachable,
  refused: "The source refused the request",
  "over quota": "The source's quota is used up",
  "not found": "The source does not have the requested data",
  failing: "The source failed",
  malformed: "The source's response has an unknown format",
  changed: "The format of the source's response has changed",
  "too small": "The response was empty or implausibly small",
  "too old": "The response was older than the stored data",
  incomplete: "What is stored is not enough to be published",
  unstored: "The rows were good, but could not be stored",
} as const;

export type FailureKind = keyof typeof sentences;

export interface Failure {
  readonly kind: FailureKind;
  readonly status?: number;
  /** The details that only the operator may see. Configured secrets are masked. */
  readonly words: string;
}

export function failureOf(error: unknown, mask: Mask): Failure {
  const words = mask(error instanceof Error ? error.message : String(error));
  // Only the operator's own file leads to this error, because missing settings are found before the request.
  if (error instanceof ConfigurationError) return { kind: "unreadable", words };
  if (!(error instanceof UpstreamError)) return { kind: "malformed", words };
  return failureOfStatus(error.status, words, error.kind);
}

export function failureOfStatus(
  status: number | undefined,
  words: string,
  kind: FailureKind = kindOf(status),
): Failure {
  return { kind, words, ...(status === undefined ? {} : { status }) };
}

function kindOf(status: number | undefined): FailureKind {
  if (status === undefined || (status >= 200 && status < 400)) return "malformed";
  if (status === 429) return "over quota";
  if (status === 404 || status === 410) return "not found";
  return status >= 500 ? "failing" : "refused";
}

/** Returns the sentence for a failure. If only a newer version of the program knows its kind, it is a general one. */
export function publicSentence(kind: string | null, status: number | null): string {
  const sentence = isKind(kind) ? sentences[kind] : "The last read failed";
  return status === null || status === 200 ? sentence : `${sentence} (HTTP ${status})`;
}

function isKind(kind: string | null): kind is FailureKind {
  return kind !== null && Object.hasOwn(sentences, kind);
}

const partialSchema = z.object({
  /** The ISO 8601 time of the response. `readAt` is the time when a missing part was last read. */
  at: z.string(),
  missing: z.array(
    z.object({
      part: z.string(),
      words: z.string(),
      kind: z.string(),
      status: z.number().optional(),
      readAt: z.string().optional(),
    }),
  ),
});

export type PartialResponse = z.output<typeof partialSchema>;

export function readPartial(stored: unknown): PartialResponse | undefined {
  return stored === null || stored === undefined ? undefined : partialSchema.parse(stored);
}

export interface MissingPartStatus {
  readonly part: string;
  readonly error: string;
  readonly status?: number;
  /** The original error message, which only the operator may see. */
  readonly words?: string;
  /** The read time of the part's rows that are still served. Absent if no rows are served. */
  readonly lastGoodAt?: string;
}

export function missingPartStatuses({ missing }: PartialResponse, forOperator = false): MissingPartStatus[] {
  return missing.map(({ part, words, kind, status, readAt }) => ({
    part,
    error: publicSentence(kind, status ?? null),
    ...(status !== undefined && { status }),
    ...(forOperator && { words }),
    ...(readAt !== undefined && { lastGoodAt: readAt }),
  }));
}

/** Identifies a source of a dataset. Results of live responses and of samples are stored separately. */
export interface SourceKey {
  readonly dataset: string;
  readonly source: string;
  readonly origin: "live" | "sample";
}

export interface LastGood<D extends DescMessage> {
  /** The good rows, including retained earlier ones. Undefined if the dataset stores them in its own tables. */
  readonly rows: readonly MessageShape<D>[] | undefined;
  readonly fetchedAt: Date;
  /** The number of good rows in the last good response, including earlier rows of parts that the response lacks. */
  readonly responded: number;
  readonly observedTo: Date | undefined;
  readonly partial: PartialResponse | undefined;
  readonly shape: Shape | undefined;
  readonly drift: readonly SeenDrift[];
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const lastColumns = [
  ...(["source", "good_rows", "rows_in", "rejected", "fetched_at"] as const),
  ...(["observed_to", "partial", "shape", "drift"] as const),
] as const;

type LastRow = Pick<Selectable<StoreTables["source"]>, (typeof lastColumns)[number]>;
export type LastResponses = () => Promise<ReadonlyMap<string, LastRow>>;

/** Returns a function that reads the last good responses of a dataset's sources. Only its first call runs a query. */
export function lastResponses(database: Store, { dataset, origin }: Omit<SourceKey, "source">): LastResponses {
  let read: ReturnType<LastResponses> | undefined;
  const rows = database.selectFrom("source").select(lastColumns);
  const own = rows.where("dataset", "=", dataset).where("good_origin", "=", origin);
  return () => {
    read ??= own.execute().then((found) => new Map(found.map((row) => [row.source, row])));
    return read;
  };
}

export async function lastGood<D extends DescMessage>(
  schema: D,
  row: LastRow | undefined,
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

/** A good response. `good` also contains the rows of earlier responses that are still valid. */
export interface UsableResponse<D extends DescMessage> {
  readonly at: Date;
  readonly requested: boolean;
  readonly rowsIn: number;
  readonly rejected: number;
  readonly good: readonly MessageShape<D>[];
  readonly retainRows: boolean;
  readonly observed: { readonly from: Date; readonly to: Date } | undefined;
  /** The read time of the oldest rows, if earlier responses contained them. */
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
  /** The hashes of the accepted rows, in the order of the rows. Absent after a bad response. */
  readonly rowHashes?: Buffer<ArrayBuffer>;
}

/** Returns the outcome to store for a good response. The promise resolves after the rows are compressed. */
export async function recordSuccess<D extends DescMessage>(
  schema: D,
  { dataset, source, origin }: SourceKey,
  response: UsableResponse<D>,
): Promise<Outcome> {
  const rows = response.good.map((row) => JSON.stringify(toJson(schema, row)));
  const text = `[${rows.join(",")}]`;
  const row = {
    state: "ok" as const,
    ...attempt(response),
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
  };
  return { dataset, source, failures: 0, drifts: response.drift?.found.length ?? 0, row, rowHashes: hashesOf(rows) };
}

/** Returns the outcome to store for a bad response. The last good rows remain stored. */
export function recordFailure({ dataset, source }: SourceKey, response: UnreadableResponse): Outcome {
  const { state, failure, drift } = response;
  // Postgres rejects NUL in text.
  const error = failure.words.slice(0, 1000).toWellFormed().replaceAll("\0", "");
  const failureColumns = { error, failure_kind: failure.kind, failure_status: failure.status ?? null };
  const row = { state, ...attempt(response), ...failureColumns };
  return { dataset, source, failures: 1, drifts: drift?.found.length ?? 0, row };
}

function attempt({ at, requested, drift }: Pick<UnreadableResponse, "at" | "requested" | "drift">) {
  return {
    run_at: at,
    ...(requested && { asked_at: at }),
    ...(drift && drift.found.length > 0 && { drift: JSON.stringify(withSeen(drift.seen, drift.found, at)) }),
  };
}

const counts = ["runs", "failures", "drifts"] as const;

/** Stores the outcomes of sources. Columns that an outcome does not contain remain unchanged. */
export async function recordOutcomes(database: Store, outcomes: readonly Outcome[]): Promise<void> {
  for (const alike of Map.groupBy(outcomes, ({ row }) => Object.keys(row).join()).values()) {
    const columns = Object.keys(alike[0]?.row ?? {});
    await database
      .insertInto("source")
      .values(
        alike.map(({ dataset, source, failures, drifts, row }) => ({
          ...{ dataset, source, runs: 1, failures, drifts, rows_in: 0, rows_out: 0, rejected: 0 },
          // A source without its settings is not read, so this counts neither as a run nor as a failure.
          ...(row.failure_kind === "unconfigured" && { runs: 0, failures: 0 }),
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
