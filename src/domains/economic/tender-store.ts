import { sql, type Transaction } from "kysely";
import type { TenderNotice } from "../../../gen/es/ids/stored/v1/tender_pb.ts";
import type { StoreTables } from "../../store/tables.ts";
import { tenderId, tenderRow } from "./tender-row.ts";
import type { TenderTables } from "./tender-table.ts";
import { wordsOf } from "./tender-text.ts";

/** A source's answer, to be stored. */
interface StoredAnswer {
  readonly origin: "live" | "sample";
  readonly now: Date;
}

const rowsInStatement = 2_000;

/** Stores notices by id. One whose content changed gets a new revision, one that had vanished opens again. */
export async function storeNotices(
  transaction: Transaction<StoreTables>,
  notices: readonly TenderNotice[],
  { origin, now }: StoredAnswer,
): Promise<void> {
  const rows = [...latest(notices).values()];
  for (let start = 0; start < rows.length; start += rowsInStatement) {
    const chunk = rows.slice(start, start + rowsInStatement).map((notice) => tenderRow(notice, now));
    await upsert(transaction, JSON.stringify(chunk), origin, Object.keys(chunk[0] ?? {}));
    await storeWords(transaction, new Set(chunk.flatMap(({ search_text }) => wordsOf(search_text))));
  }
}

/** Words are never dropped: one that no notice has any more costs a look. */
async function storeWords(transaction: Transaction<StoreTables>, words: ReadonlySet<string>): Promise<void> {
  // In one order, so that two writers never wait for each other.
  await sql`
    insert into tender_word (word) select word from json_array_elements_text(${JSON.stringify([...words])}::json) as word
    order by word collate "C" on conflict do nothing`.execute(transaction);
}

/** Of several notices with one id the latest; among equals the later row. */
function latest(notices: readonly TenderNotice[]): ReadonlyMap<string, TenderNotice> {
  const byId = new Map<string, TenderNotice>();
  const changedAt = ({ updatedAt, publishedAt }: TenderNotice) => updatedAt || publishedAt;
  for (const notice of notices) {
    const id = tenderId(notice);
    const other = byId.get(id);
    if (!other || changedAt(notice) >= changedAt(other)) byId.set(id, notice);
  }
  return byId;
}

async function upsert(
  transaction: Transaction<StoreTables>,
  json: string,
  origin: string,
  names: readonly string[],
): Promise<void> {
  const changing = names.filter((name) => name !== "id");
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const set = sql.join(changing.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`));
  await sql`
    insert into tender (origin, revision, ${columns})
    select ${origin}, 1, ${columns} from json_populate_recordset(null::tender, ${json}::json)
    on conflict (id) do update set ${set},
      revision = tender.revision + case when tender.content_hash = excluded.content_hash then 0 else 1 end
    where tender.content_hash <> excluded.content_hash or tender.closed_reason = 'vanished'`.execute(transaction);
}

/** Samples and live notices are never kept side by side. */
export async function keepOnly(transaction: Transaction<StoreTables>, origin: "live" | "sample"): Promise<void> {
  await transaction.withTables<TenderTables>().deleteFrom("tender").where("origin", "!=", origin).execute();
}

/** Closes what a source does not list any more, given everything that it lists. */
export async function closeVanished(
  transaction: Transaction<StoreTables>,
  source: string,
  { notices, rejected, now }: { notices: readonly TenderNotice[]; rejected: readonly string[]; now: Date },
): Promise<void> {
  const ids = JSON.stringify([...notices.map(tenderId), ...rejected.map((row) => `${source}:${row}`)]);
  await sql`
    update tender set closed_at = ${now}, closed_reason = 'vanished'
    where source = ${source} and closed_at is null
      and id not in (select json_array_elements_text(${ids}::json))`.execute(transaction);
}

/** Closes what has run out since, and counts by source what is open. */
export async function closeExpired(transaction: Transaction<StoreTables>, now: Date): Promise<number> {
  const tables = transaction.withTables<TenderTables>();
  await tables
    .updateTable("tender")
    .set({ closed_at: now, closed_reason: "deadline" })
    .where("closed_at", "is", null)
    .where("closing_key", "<=", String(now.getTime()))
    .execute();
  await tables.deleteFrom("tender_source").execute();
  const counts = await tables
    .insertInto("tender_source")
    .columns(["source", "open_rows"])
    .expression(
      tables
        .selectFrom("tender")
        .select(({ fn }) => ["source", fn.countAll<number>().as("open_rows")])
        .where("closed_at", "is", null)
        .groupBy("source"),
    )
    .returning("open_rows")
    .execute();
  return counts.reduce((sum, { open_rows }) => sum + open_rows, 0);
}
