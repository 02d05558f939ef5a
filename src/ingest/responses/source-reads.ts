import { hash } from "node:crypto";
import type { DescMessage } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { programVersion } from "../../reference/program-version.ts";
import { deleteSome, type Retention } from "../../store/retention.ts";
import type { Store, Transaction } from "../../store/tables.ts";
import type { SourceResult } from "../refresh/evaluate.ts";
import type { SourceKey } from "../refresh/report.ts";
import type { RecordedBody, RecordedResponse } from "./recorder.ts";
import { countHashes } from "./row-hashes.ts";

export interface SourceRead extends SourceKey {
  readonly generation: number;
  readonly at: Date;
  readonly responses: readonly RecordedResponse[];
  readonly contentHash: string;
  readonly rowHashes: Buffer;
}

const version = programVersion();

/** Returns the read of a source to store; none if it failed or if its responses are not recorded. */
export function readOf<D extends DescMessage>({ response, note }: SourceResult<D>, generation: number): SourceRead[] {
  const { place, at, responses } = response;
  if (responses.length === 0 || !note?.rowHashes || !note.row.content_hash) return [];
  return [{ ...place, generation, at, responses, contentHash: note.row.content_hash, rowHashes: note.rowHashes }];
}

/** Deletes the reads of samples, because live data must not be traced to invented bytes. */
export async function forgetSampleReads(transaction: Transaction, dataset: string): Promise<void> {
  await transaction.deleteFrom("source_read").where("dataset", "=", dataset).where("origin", "=", "sample").execute();
}

/** Stores the responses of a refresh's good reads, in its transaction. Bytes that are already stored remain. */
export async function retainReads(transaction: Transaction, reads: readonly SourceRead[], now: Date): Promise<void> {
  if (reads.length === 0) return;
  const rowHashes = reads.map(({ contentHash, rowHashes }) => bodyOf(contentHash, rowHashes));
  const ofResponses = reads.flatMap(({ responses }) => responses.flatMap(({ body }) => body ?? []));
  await retainBodies(transaction, [...rowHashes, ...ofResponses], now);
  await transaction
    .insertInto("source_read")
    .values(
      reads.map(({ dataset, source, generation, origin, at, contentHash, rowHashes }) => ({
        ...{ dataset, source, generation, origin, at, program: version },
        ...{ content_hash: contentHash, rows: countHashes(rowHashes) },
      })),
    )
    .execute();
  await transaction
    .insertInto("source_digest")
    .values(
      reads.map(({ dataset, source, at, responses }) => ({
        ...{ dataset, source, at },
        digest: digestOfRead(responses.map(({ body }) => body?.sha256 ?? null)),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const responses = reads.flatMap(({ dataset, source, generation, responses }) =>
    responses.map(({ body, headers, isRedacted, ...response }, position) => ({
      ...{ dataset, source, generation, position, ...response },
      ...{ headers: JSON.stringify(headers), sha256: body?.sha256 ?? null, redacted: isRedacted },
    })),
  );
  for (let start = 0; start < responses.length; start += rowsInStatement)
    await transaction
      .insertInto("source_response")
      .values(responses.slice(start, start + rowsInStatement))
      .execute();
}

/** Returns the digest of a read: the SHA-256 of the digests of its good responses, one per line, in their order. */
export function digestOfRead(responses: readonly (string | null)[]): string {
  return hash("sha256", responses.flatMap((sha256) => (sha256 === null ? [] : `${sha256}\n`)).join(""));
}

const rowsInStatement = 1_000;

function bodyOf(sha256: string, bytes: Buffer): RecordedBody {
  return { sha256, size: bytes.length, bytes };
}

/** Bodies are stored in the order of their digests, so that concurrent refreshes do not block each other. */
async function retainBodies(transaction: Transaction, bodies: readonly RecordedBody[], now: Date): Promise<void> {
  const distinct = new Map(bodies.map((body) => [body.sha256, body]));
  const digests = [...distinct.keys()].sort((a, b) => (a < b ? -1 : 1));
  const { rows: known } = await sql<{ sha256: string }>`
    update source_body set stored_at = greatest(stored_at, ${now}) from (
      select sha256 from source_body where sha256 = any(${digests}) and body is not null order by sha256 for update
    ) as known where source_body.sha256 = known.sha256 returning source_body.sha256`.execute(transaction);
  for (const { sha256 } of known) distinct.delete(sha256);
  for (const sha256 of digests) {
    const body = distinct.get(sha256);
    if (!body) continue;
    const stored = { size: body.size, body: body.bytes, stored_size: body.bytes?.length ?? 0, stored_at: now };
    await transaction
      .insertInto("source_body")
      .values({ sha256, ...stored })
      .onConflict((conflict) => conflict.column("sha256").doUpdateSet(stored))
      .execute();
  }
}

/** Deletes the bytes of the oldest responses if all together exceed the maximum. Their digests remain. */
export async function limitBodies(database: Store, maxBytes: number): Promise<void> {
  await sql`
    update source_body set body = null, stored_size = 0 where sha256 in (
      select sha256 from (
        select sha256, sum(stored_size) over (order by stored_at desc, sha256) as size_so_far
        from source_body where body is not null
      ) as by_age where size_so_far > ${maxBytes}
    )`.execute(database);
}

/** Whether a newer read of the same source is stored. The last read is retained, because current rows come from it. */
const isReplaced = sql`exists (
  select from source_read later
  where (later.dataset, later.source) = (source_read.dataset, source_read.source)
    and later.generation > source_read.generation)`;

/** Days after which a body without a read is deleted. A transaction stores bodies before their read, so they stay. */
const unreferencedDays = 1;

export const sourceRetention: readonly Retention<"sources" | "history">[] = [
  {
    table: "source_read",
    stored: "sources",
    ends: "A read of a source, from its time, except the last one of each source. Its responses end with it.",
    forget: (database, before, { max }) =>
      deleteSome(
        database,
        {
          table: "source_read",
          key: ["dataset", "source", "generation"],
          where: sql`at < ${before} and ${isReplaced}`,
        },
        max,
      ),
  },
  {
    table: "source_digest",
    stored: "history",
    ends: "The digest of a read, from its time, except the last one of each source.",
    forget: (database, before, { max }) =>
      deleteSome(
        database,
        {
          table: "source_digest",
          key: ["source", "at", "dataset"],
          where: sql`
            at < ${before} and exists (
              select from source_digest later
              where (later.dataset, later.source) = (source_digest.dataset, source_digest.source)
                and later.at > source_digest.at)`,
        },
        max,
      ),
  },
  {
    table: "source_body",
    stored: unreferencedDays,
    ends: "Bytes to which no read refers any more, from their last use.",
    forget: (database, before, { max }) =>
      deleteSome(
        database,
        {
          table: "source_body",
          key: ["sha256"],
          where: sql`
            stored_at < ${before}
            and not exists (select from source_response where source_response.sha256 = source_body.sha256)
            and not exists (select from source_read where content_hash = source_body.sha256)`,
        },
        max,
      ),
  },
];
