import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type DescMessage, fromJson, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import { type Kysely, sql } from "kysely";
import type { StoreTables } from "../store/tables.ts";

/** Which source of which dataset, and whether its answers are live or samples: the two are never mixed. */
export interface Place {
  readonly dataset: string;
  readonly source: string;
  readonly origin: "live" | "sample";
}

/** What a source's last good answer left. */
export interface LastGood<D extends DescMessage> {
  /** Its rows, and earlier ones that are remembered. */
  readonly rows: readonly MessageShape<D>[];
  /** Good rows of the answer itself. */
  readonly answered: number;
}

/** A good answer, and all rows that are good after it. */
export interface GoodAnswer<D extends DescMessage> {
  readonly at: Date;
  readonly rowsIn: number;
  readonly rejected: number;
  readonly good: readonly MessageShape<D>[];
  readonly observed: { readonly from: Date; readonly to: Date } | undefined;
}

/** A bad answer, and why it is bad. */
export interface BadAnswer {
  readonly state: "failed" | "refused";
  readonly error: string;
  readonly at: Date;
}

/** Writes what became of an answer. */
export type Note = (database: Kysely<StoreTables>) => Promise<void>;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** What a source's last good answer left; undefined when there was none. */
export async function lastGood<D extends DescMessage>(
  database: Kysely<StoreTables>,
  schema: D,
  place: Place,
): Promise<LastGood<D> | undefined> {
  const row = await database
    .selectFrom("source")
    .select(["good_rows", "rows_in", "rejected"])
    .where("dataset", "=", place.dataset)
    .where("source", "=", place.source)
    .where("good_origin", "=", place.origin)
    .executeTakeFirst();
  if (!row?.good_rows) return undefined;
  const rows: JsonValue[] = JSON.parse((await decompress(row.good_rows)).toString("utf8"));
  return {
    rows: rows.map((json) => fromJson(schema, json, { ignoreUnknownFields: true })),
    answered: row.rows_in - row.rejected,
  };
}

/** Notes a good answer and keeps its rows, which are packed already when this resolves. */
export async function successNote<D extends DescMessage>(
  schema: D,
  { dataset, source, origin }: Place,
  answer: GoodAnswer<D>,
): Promise<Note> {
  const text = JSON.stringify(answer.good.map((row) => toJson(schema, row)));
  const row = {
    state: "ok" as const,
    run_at: answer.at,
    fetched_at: answer.at,
    error: null,
    rows_in: answer.rowsIn,
    rows_out: answer.good.length,
    rejected: answer.rejected,
    observed_from: answer.observed?.from ?? null,
    observed_to: answer.observed?.to ?? null,
    content_hash: createHash("sha256").update(text).digest("hex"),
    good_origin: origin,
    good_rows: await compress(text),
  };
  return async (database) => {
    await database
      .insertInto("source")
      .values({ dataset, source, runs: 1, failures: 0, ...row })
      .onConflict((conflict) =>
        conflict.columns(["dataset", "source"]).doUpdateSet({ ...row, runs: sql`source.runs + 1` }),
      )
      .execute();
  };
}

/** Notes a bad answer; what was good before stays. */
export function failureNote({ dataset, source }: Place, { state, error, at }: BadAnswer): Note {
  // Postgres takes no NUL in a text.
  const row = { state, run_at: at, error: error.slice(0, 1000).toWellFormed().replaceAll("\0", "") };
  return async (database) => {
    await database
      .insertInto("source")
      .values({ dataset, source, runs: 1, failures: 1, rows_in: 0, rows_out: 0, rejected: 0, ...row })
      .onConflict((conflict) =>
        conflict
          .columns(["dataset", "source"])
          .doUpdateSet({ ...row, runs: sql`source.runs + 1`, failures: sql`source.failures + 1` }),
      )
      .execute();
  };
}
