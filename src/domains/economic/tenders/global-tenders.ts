import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { TenderSchema } from "../../../../gen/es/ids/economic/v1/tenders_pb.ts";
import { type TenderNotice, TenderNoticeSchema } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { type NoteRows, rowFeatures } from "../../../ingest/changes/followed-tables.ts";
import { dataset, type LastGoodResponse } from "../../../ingest/dataset.ts";
import type { Transaction } from "../../../store/tables.ts";
import { canadaBuys } from "./notices/canada-buys.ts";
import { contractsFinder } from "./notices/contracts-finder.ts";
import { gets } from "./notices/gets.ts";
import { sam } from "./notices/sam.ts";
import { ted } from "./notices/ted.ts";
import { worldBankNotices } from "./notices/world-bank-notices.ts";
import { provideWords } from "./tender-conditions.ts";
import { tenderMessage } from "./tender-message.ts";
import { countTenderRows } from "./tender-open-rows.ts";
import { type NoticeRows, noticeRows, tenderId } from "./tender-row.ts";
import type { TenderTables } from "./tender-table.ts";

const instant = z.string().transform((text) => new Date(text));
const text = z.string();

const rowSchema = z.object({
  ...{ id: text, source: text, source_notice_id: text, official_url: text, country_code: text, region: text },
  ...{ title: text, description: text, buyer: text, status: text, notice_type: text, procedure_id: text },
  ...{ published_at: instant.nullable(), updated_at: instant.nullable(), deadline: instant.nullable() },
  ...{
    amount: z
      .number()
      .nullable()
      .transform((value) => (value === null ? null : String(value))),
  },
  ...{ currency: text.nullable(), category_codes: z.array(text), sectors: z.array(text) },
  ...{ fit_score: z.number(), fit_reasons: z.array(text), fit_evidence: z.array(text) },
});

const shown = sql`
  to_jsonb(tender_detail) - array['search_text', 'category_text', 'buyer_text']
    || jsonb_build_object('published_at', tender.published_at)`;

const tenderFeatures = rowFeatures({
  lists: EconomicService.method.listGlobalTenders,
  message: TenderSchema,
  subject: sql`id`,
  visible: (condition) => sql`
    select ${shown} from tender join tender_detail using (id)
    where ${condition} and closed_at is null`,
  toRow: (stored) => tenderMessage(rowSchema.parse(stored)),
});

function openNotices(condition: RawBuilder<unknown>) {
  return sql`
    select tender.id, ${shown} from tender join tender_detail using (id)
    where closed_at is null and ${condition}`;
}

function noticesToChange(json: string) {
  return sql`
    select incoming.id, case when tender.closed_at is null then ${shown} end
    from json_to_recordset(${json}::json) as incoming (id text, content_hash text)
      left join (tender join tender_detail using (id)) on tender.id = incoming.id
    where tender.id is null or tender.content_hash <> incoming.content_hash or tender.closed_reason = 'vanished'`;
}

interface StoredResponse {
  readonly origin: "live" | "sample";
  readonly now: Date;
  readonly noteRows?: NoteRows | undefined;
}

const rowsInStatement = 2_000;

/** Stores notices by ID. A changed notice gets a new revision. A closed notice that is listed again is opened. */
async function storeNotices(
  transaction: Transaction,
  notices: readonly TenderNotice[],
  { origin, now, noteRows }: StoredResponse,
): Promise<void> {
  const rows = [...latest(notices).values()].map((notice) => (origin === "sample" ? withoutPage(notice) : notice));
  const provided = new Set<string>();
  for (let start = 0; start < rows.length; start += rowsInStatement) {
    const chunk = rows.slice(start, start + rowsInStatement).map((notice) => noticeRows(notice, now));
    const words = [...new Set(chunk.flatMap((each) => each.words))].filter((word) => !provided.has(word));
    await provideWords(transaction, words);
    for (const word of words) provided.add(word);
    const hashes = chunk.map(({ row: { id, content_hash } }) => ({ id, content_hash }));
    await noteRows?.(noticesToChange(JSON.stringify(hashes)));
    await upsert(transaction, chunk, { origin, now });
  }
}

/** Replaces the link of a sample notice by one to example.org, because no real page exists for an invented notice. */
function withoutPage(notice: TenderNotice): TenderNotice {
  const { source, sourceNoticeId } = notice;
  return { ...notice, officialUrl: `https://example.org/tenders/${source}/${encodeURIComponent(sourceNoticeId)}` };
}

/** Returns the latest version of each notice. If two have the same time, the later row counts. */
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

/** Inserts new notices and updates changed ones. Rows without changes are not written. */
async function upsert(
  transaction: Transaction,
  chunk: readonly NoticeRows[],
  { origin, now }: Pick<StoredResponse, "origin" | "now">,
): Promise<void> {
  const [first] = chunk;
  if (!first) return;
  const rows = chunk.map((each) => each.row);
  const row = columnsOf(first.row);
  const detail = columnsOf(first.detail);
  await sql`
    with stored as (
      insert into tender (origin, revision, stored_at, ${row.names})
      select ${origin}, 1, ${now}::timestamptz, ${row.names} from json_populate_recordset(null::tender, ${JSON.stringify(rows)}::json)
      on conflict (id) do update set ${row.changes}, stored_at = excluded.stored_at,
        revision = tender.revision + case when tender.content_hash = excluded.content_hash then 0 else 1 end
      where tender.content_hash <> excluded.content_hash or tender.closed_reason = 'vanished'
      returning id
    )
    insert into tender_detail (${detail.names})
    select ${detail.names}
    from json_populate_recordset(null::tender_detail, ${JSON.stringify(chunk.map((each) => each.detail))}::json)
    where id in (select id from stored)
    on conflict (id) do update set ${detail.changes}`.execute(transaction);
}

function columnsOf(row: object) {
  const names = Object.keys(row);
  const changing = names.filter((name) => name !== "id");
  return {
    names: sql.join(names.map((name) => sql.ref(name))),
    changes: sql.join(changing.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`)),
  };
}

/** Deletes notices of the other origin, because samples and live notices must not be stored together. */
async function retainOnly(transaction: Transaction, origin: "live" | "sample"): Promise<void> {
  await transaction.withTables<TenderTables>().deleteFrom("tender").where("origin", "!=", origin).execute();
}

interface ClosedResponse extends Omit<StoredResponse, "origin">, Pick<LastGoodResponse, "covered" | "rejected"> {
  readonly notices: readonly TenderNotice[];
}

/** Closes notices that a complete response no longer lists, if they were published on a day that it covers. */
async function closeVanished(
  transaction: Transaction,
  source: string,
  { notices, covered, rejected, now, noteRows }: ClosedResponse,
): Promise<void> {
  const ids = JSON.stringify([...notices.map(tenderId), ...rejected.map((row) => `${source}:${row}`)]);
  for (const { from, to } of covered) {
    const isGone = sql`
      tender.source = ${source} and tender.id not in (select json_array_elements_text(${ids}::json))
      and coalesce(extract(epoch from tender.published_at) * 1000, 0) between ${from}::int8 and ${to}::int8`;
    await noteRows?.(openNotices(isGone));
    await sql`
      update tender set closed_at = ${now}, closed_reason = 'vanished'
      where closed_at is null and ${isGone}`.execute(transaction);
  }
}

async function closeExpired(transaction: Transaction, { now, noteRows }: Omit<StoredResponse, "origin">) {
  await noteRows?.(openNotices(sql`closing_key <= ${String(now.getTime())}`));
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

/** Notices are stored in tables of their own. Closed ones remain stored, but readers do not see them. */
export const globalTenders = dataset({
  name: "global-tenders",
  subject: "Public procurement notices of governments and international institutions.",
  notIncluded: [
    "winners of contracts, awarded contracts: the notices are open ones",
    "tender values in one currency: amounts keep the currency of the notice",
  ],
  row: TenderNoticeSchema,
  schedule: "35 * * * *",
  freshForMinutes: 180,
  serves: [EconomicService.method.listGlobalTenders],
  sources: [sam, ted, contractsFinder, canadaBuys, gets, worldBankNotices],
  currentTables: ["tender", "tender_detail"],
  counters: ["revision", "content_hash", "closed_at", "terms"],
  unsettle: (transaction) => sql`update tender set content_hash = ''`.execute(transaction),
  rowsInTable: true,
  countRows: countTenderRows,
  features: tenderFeatures,
  async write(transaction, { bySource, responses, origin, now, noteRows }) {
    await retainOnly(transaction, origin);
    for (const [source, notices] of bySource) {
      await storeNotices(transaction, notices, { origin, now, noteRows });
      const response = responses.get(source);
      if (response) await closeVanished(transaction, source, { notices, ...response, now, noteRows });
    }
    return closeExpired(transaction, { now, noteRows });
  },
});
