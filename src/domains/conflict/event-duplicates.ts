import type { DescMessage } from "@bufbuild/protobuf";
import { sql, type Transaction } from "kysely";
import type { Refresh } from "../../ingest/dataset.ts";
import type { Span } from "../../ingest/source.ts";
import type { StoreTables } from "../../store/tables.ts";
import type { ConflictTables } from "./event-table.ts";
import { duplicates, reachMs } from "./merge.ts";

/** Compares the sources again where events changed: the second's reports that the first has too are marked, others freed. */
export async function markDuplicates(
  transaction: Transaction<StoreTables>,
  [first, second]: readonly [first: string, second: string],
  changed: Span,
  { now, noteRows }: Pick<Refresh<DescMessage>, "now" | "noteRows">,
): Promise<void> {
  const compared = widened(changed);
  const reports = await readReports(transaction, second, compared);
  const candidates = await readReports(transaction, first, widened(compared));
  const taken = await takenOutside(transaction, second, compared);
  const pairs = duplicates(
    candidates.filter(({ id }) => !taken.has(id)),
    reports,
  );
  const changes = reports
    .map(({ id, duplicateOf }) => ({ id, earlier: duplicateOf, duplicate_of: pairs.get(id) ?? null }))
    .filter(({ earlier, duplicate_of }) => earlier !== duplicate_of);
  await noteRows?.(sql`
    select id, case when duplicate_of is null then to_jsonb(conflict_event) end
    from conflict_event where id = any(${changes.map(({ id }) => id)})`);
  await sql`
    update conflict_event set duplicate_of = change.duplicate_of, stored_at = ${now}
    from json_to_recordset(${JSON.stringify(changes)}::json) as change (id text, duplicate_of text)
    where conflict_event.id = change.id`.execute(transaction);
}

async function readReports(transaction: Transaction<StoreTables>, sourceKey: string, { from, to }: Span) {
  const rows = await transaction
    .withTables<ConflictTables>()
    .selectFrom("conflict_event")
    .select(["id", "country", "occurred_at", "latitude", "longitude", "fatalities", "duplicate_of as duplicateOf"])
    .where("source_key", "=", sourceKey)
    .where("occurred_at", ">=", String(from))
    .where("occurred_at", "<=", String(to))
    .execute();
  return rows.map(({ occurred_at, ...row }) => ({ ...row, occurredAt: Number(occurred_at) }));
}

/** Events that a report outside the compared span is a duplicate of: each is so once at most. */
async function takenOutside(transaction: Transaction<StoreTables>, sourceKey: string, compared: Span) {
  const { from, to } = widened(widened(compared));
  const reports = await readReports(transaction, sourceKey, { from, to: compared.from - 1 });
  reports.push(...(await readReports(transaction, sourceKey, { from: compared.to + 1, to })));
  return new Set(reports.map(({ duplicateOf }) => duplicateOf));
}

function widened({ from, to }: Span): Span {
  return { from: from - reachMs, to: to + reachMs };
}
