import type { DescMessage } from "@bufbuild/protobuf";
import { sql } from "kysely";
import type { Refresh } from "../../ingest/dataset.ts";
import type { Source, Span } from "../../ingest/source.ts";
import type { Transaction } from "../../store/tables.ts";
import type { ConflictTables } from "./event-table.ts";
import { duplicates, type Report, reachMs } from "./merge.ts";
import { otherReports } from "./reports.ts";

type RankedSource = Pick<Source<unknown>, "name" | "license">;

/** Returns the query for events as readers see them. The log of changes compares its rows after a refresh. */
export function shownRows(condition: ReturnType<typeof sql>) {
  return sql`
    select id, case when duplicate_of is null then ${shownRow} end from conflict_event where ${condition}`;
}

export const shownRow = sql`to_jsonb(conflict_event) || jsonb_build_object('others', ${otherReports})`;

/**
 * Marks reports of the second source that describe the same event as one of the first, and removes marks that are no
 * longer valid. The result is the same as for all reports at once, in whatever order they arrived.
 */
export async function markDuplicates(
  transaction: Transaction,
  sources: readonly RankedSource[],
  changed: Span,
  { now, noteRows }: Pick<Refresh<DescMessage>, "now" | "noteRows">,
): Promise<void> {
  // The first source's report gives an event its values. A restricted source is second, so files can contain the first.
  const [first, second] = sources.toSorted((a, b) => Number(isRestricted(a)) - Number(isRestricted(b)));
  const { read, changes } = await changedPairs(transaction, [first?.name, second?.name], changed);
  const ids = changes.flatMap(({ id, duplicateOf, next }) => [id, duplicateOf ?? id, next ?? id]);
  await noteRows?.(shownRows(sql`id = any(${ids})`));
  await sql`
    update conflict_event set duplicate_of = change.next, stored_at = ${now}
    from json_to_recordset(${JSON.stringify(changes)}::json) as change (id text, next text)
    where conflict_event.id = change.id`.execute(transaction);
  // If a report has changed that duplicates another, the other one gets the time of the change too.
  await sql`
    update conflict_event set stored_at = ${now} where id = any(${ids}) or id in (
      select duplicate_of from conflict_event
      where occurred_at between ${read.from}::int8 and ${read.to}::int8 and stored_at = ${now})`.execute(transaction);
}

interface StoredPair extends Report {
  readonly sourceKey: string;
  readonly duplicateOf: string | null;
}

/**
 * If a report changes, its partner can pair with another report, whose partner then pairs with a third, and so on. So
 * reports are read from a longer span until no pair at its ends changes.
 */
async function changedPairs(transaction: Transaction, [first, second]: readonly (string | undefined)[], changed: Span) {
  for (let reach = 4 * reachMs; ; reach *= 2) {
    const read = widened(changed, reach);
    const reports = await readReports(transaction, widened(read, reachMs));
    const byId = new Map(reports.map((report) => [report.id, report]));
    const crossing = reports.filter((report) => {
      const other = byId.get(report.duplicateOf ?? "");
      return other && isIn(read, report) !== isIn(read, other);
    });
    const settled = new Set(crossing.flatMap(({ id, duplicateOf }) => [id, duplicateOf]));
    const open = reports.filter((report) => isIn(read, report) && !settled.has(report.id));
    const pairs = duplicates(
      open.filter(({ sourceKey }) => sourceKey === first),
      open.filter(({ sourceKey }) => sourceKey === second),
    );
    const changes = open
      .map((report) => ({ ...report, next: pairs.get(report.id) ?? null }))
      .filter(({ duplicateOf, next }) => duplicateOf !== next);
    const inner = widened(read, -3 * reachMs);
    if (changes.every((report) => isIn(inner, report))) return { read, changes };
  }
}

async function readReports(transaction: Transaction, { from, to }: Span): Promise<StoredPair[]> {
  const rows = await transaction
    .withTables<ConflictTables>()
    .selectFrom("conflict_event")
    .select(["id", "country", "occurred_at", "latitude", "longitude", "fatalities"])
    .select(["source_key as sourceKey", "duplicate_of as duplicateOf"])
    .where("occurred_at", ">=", String(from))
    .where("occurred_at", "<=", String(to))
    .execute();
  return rows.map(({ occurred_at, ...row }) => ({ ...row, occurredAt: Number(occurred_at) }));
}

function isRestricted({ license }: RankedSource): boolean {
  return license.kind === "restricted";
}

function isIn({ from, to }: Span, { occurredAt }: Report): boolean {
  return occurredAt >= from && occurredAt <= to;
}

function widened({ from, to }: Span, by: number): Span {
  return { from: from - by, to: to + by };
}
