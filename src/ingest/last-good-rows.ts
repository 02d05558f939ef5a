import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type DescMessage, fromJson, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import { type Kysely, sql } from "kysely";
import type { StoreTables } from "../store/tables.ts";

/** Which source of which dataset, and whether its answers are live or samples: the two are never mixed. */
interface Place {
  readonly dataset: string;
  readonly source: string;
  readonly origin: "live" | "sample";
}

/** Earliest and latest moment of some rows. */
export interface Observed {
  readonly from: Date;
  readonly to: Date;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The rows of a source's last good answer; undefined when there is none. */
export async function lastGoodRows<D extends DescMessage>(
  database: Kysely<StoreTables>,
  schema: D,
  place: Place,
): Promise<MessageShape<D>[] | undefined> {
  const row = await database
    .selectFrom("source")
    .select("good_rows")
    .where("dataset", "=", place.dataset)
    .where("source", "=", place.source)
    .where("good_origin", "=", place.origin)
    .executeTakeFirst();
  if (!row?.good_rows) return undefined;
  const rows: JsonValue[] = JSON.parse((await decompress(row.good_rows)).toString("utf8"));
  return rows.map((json) => fromJson(schema, json, { ignoreUnknownFields: true }));
}

/** Notes a good answer and keeps its rows. */
export async function recordSuccess<D extends DescMessage>(
  database: Kysely<StoreTables>,
  schema: D,
  { dataset, source, origin }: Place,
  answer: {
    readonly at: Date;
    readonly rowsIn: number;
    readonly rejected: number;
    readonly good: readonly MessageShape<D>[];
    readonly observed: Observed | undefined;
  },
): Promise<void> {
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
  await database
    .insertInto("source")
    .values({ dataset, source, runs: 1, failures: 0, ...row })
    .onConflict((conflict) =>
      conflict.columns(["dataset", "source"]).doUpdateSet({ ...row, runs: sql`source.runs + 1` }),
    )
    .execute();
}

/** Notes a bad answer; what was good before stays. */
export async function recordFailure(
  database: Kysely<StoreTables>,
  { dataset, source }: Place,
  failure: { readonly state: "failed" | "refused"; readonly error: string; readonly at: Date },
): Promise<void> {
  const row = { state: failure.state, run_at: failure.at, error: failure.error.slice(0, 1000) };
  await database
    .insertInto("source")
    .values({ dataset, source, runs: 1, failures: 1, rows_in: 0, rows_out: 0, rejected: 0, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(["dataset", "source"])
        .doUpdateSet({ ...row, runs: sql`source.runs + 1`, failures: sql`source.failures + 1` }),
    )
    .execute();
}
