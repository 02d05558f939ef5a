import { type Kysely, type Selectable, sql } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import { and, type Condition } from "./condition.ts";
import { type TenderConditions, tenderConditions } from "./tender-conditions.ts";
import type { TenderFilter } from "./tender-filter.ts";
import { type TenderOrder, tenderOrder } from "./tender-order.ts";
import type { TenderDetailTable, TenderTable } from "./tender-table.ts";

/** Where a page ended: the values of the order's keys, and the id. */
export interface Position {
  readonly keys: readonly string[];
  readonly id: string;
}

export interface TenderPage {
  readonly rows: readonly TenderRow[];
  /** Of the last row; absent when nothing follows it. */
  readonly next?: Position;
  /** Rows on all pages, exact up to the cap. */
  readonly total: number;
  readonly totalCapped: boolean;
}

/** What a caller is shown of a row. */
export type TenderRow = Pick<Selectable<TenderTable>, "published_at"> &
  Pick<Selectable<TenderDetailTable>, (typeof columns)[number]>;

interface PageRequest {
  readonly filter: TenderFilter;
  /** Name of an order; empty means the usual one. */
  readonly sort: string;
  readonly after: Position | undefined;
  readonly size: number;
  readonly now: Date;
}

/** Bounds what a count may cost. */
const mostCounted = 10_000;

const columns = [
  ...(["id", "source", "source_notice_id", "official_url", "country_code", "region", "title", "description"] as const),
  ...(["buyer", "updated_at", "deadline", "status", "notice_type", "amount", "currency"] as const),
  ...(["category_codes", "sectors", "fit_score", "fit_reasons", "fit_evidence"] as const),
];

/** A request with what it comes to in SQL. */
interface PlannedPage extends PageRequest {
  readonly order: TenderOrder;
  readonly conditions: TenderConditions;
}

/**
 * One page of the open notices. Up to the cap, all that match are found, counted and sorted; of more than that every
 * hundredth notice or so matches, and the page is read from the order's index until it is full.
 */
export async function readTenders(database: Kysely<StoreTables>, request: PageRequest): Promise<TenderPage> {
  const { filter, sort, now } = request;
  const conditions = await tenderConditions(database, filter, now);
  if (!conditions) return { rows: [], total: 0, totalCapped: false };
  const order = tenderOrder(sort, conditions, filter.query !== undefined);
  const planned = { ...request, order, conditions };
  return database.transaction().execute(async (transaction) => {
    // Comparing two lists costs more than the planner takes an operator to: the index of the keys spares it.
    await sql`set local cpu_operator_cost = 0.01`.execute(transaction);
    const found = await findPage(transaction, planned);
    if (found.total <= mostCounted) return { ...page(planned, found.rows), total: found.total, totalCapped: false };
    return { ...page(planned, await walk(transaction, planned)), total: mostCounted, totalCapped: true };
  });
}

type KeyedRow = TenderRow & Record<`key${number}`, string>;

function page({ order, size }: PlannedPage, rows: readonly KeyedRow[]): Pick<TenderPage, "rows" | "next"> {
  const last = rows[size - 1];
  if (rows.length <= size || !last) return { rows };
  const keys = order.keys.map((_, index) => String(last[`key${index}`]));
  return { rows: rows.slice(0, size), next: { keys, id: last.id } };
}

/** What matches, up to the cap: found by the keys where it is little, and by reading on until there are enough where it is much. */
async function findPage(
  database: Kysely<StoreTables>,
  { order, after, size, conditions }: PlannedPage,
): Promise<{ rows: readonly KeyedRow[]; total: number }> {
  const names = sql.join(order.keys.map((_, index) => sql.ref(`key${index}`)));
  const keyed = order.keys.map(({ value, type }, index) => sql`(${value})::${type} as ${sql.ref(`key${index}`)}`);
  const reached = order.keys.map(({ type }, index) => sql`${after?.keys[index]}::${type}`);
  // Of more than the cap nothing is sorted here.
  const { rows } = await sql<KeyedRow & { total: number }>`
    with counted as materialized (
      select ${sql.join(order.columns.map((column) => sql.ref(column)))}, id, published_at from tender
      where ${and([...conditions.bounds, ...conditions.rest, ...conditions.anywhere])}
      limit ${sql.lit(mostCounted + 1)}
    ),
    keyed as (
      select ${sql.join(keyed)}, id, published_at from counted as tender
      where (select count(*) from counted) <= ${sql.lit(mostCounted)}
    ),
    page as (
      select * from keyed where ${after ? sql`(${names}, id) > (${sql.join(reached)}, ${after.id})` : sql`true`}
      order by ${names}, id limit ${size + 1}
    )
    select (select count(*)::int from counted) as total, ${names}, page.published_at, ${shown}
    from (select) as one left join page on true left join tender_detail as detail on detail.id = page.id
    order by ${names}, page.id`.execute(database);
  return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}

/** The order's index is read until the page is full; what the keys say is checked on the way. */
async function walk(database: Kysely<StoreTables>, planned: PlannedPage): Promise<readonly KeyedRow[]> {
  const { order, after, size, conditions } = planned;
  const last = order.keys.at(-1)!;
  const name = sql.ref(`key${order.keys.length - 1}`);
  const isRanked = order.parts.length > 1;
  const reached = isRanked ? Number(after?.keys[0] ?? 0) : 0;
  const rows: KeyedRow[] = [];
  for (const [rank, part] of order.parts.entries()) {
    const limit = size + 1 - rows.length;
    if (limit === 0 || rank < reached) continue;
    const from = after && rank === reached ? [beyond(last, after)] : [];
    const ranked = isRanked ? sql`${sql.lit(String(rank))} as key0,` : sql``;
    const { rows: more } = await sql<KeyedRow>`
      with page as (
        select ${last.value} as ${name}, id, published_at from tender
        where ${and([...conditions.bounds, ...conditions.rest, part, ...from])}
        order by ${last.value}, id limit ${limit}
      )
      select ${ranked} ${name}::text, page.published_at, ${shown}
      from page join tender_detail as detail using (id) order by page.${name}, id`.execute(database);
    rows.push(...more);
  }
  return rows;
}

const shown = sql.join(columns.map((column) => sql.ref(`detail.${column}`)));

/** Beyond a position in the order of the last key. */
function beyond({ value, type }: TenderOrder["keys"][number], { keys, id }: Position): Condition {
  return sql<boolean>`(${value}, id) > (${keys.at(-1)}::${type}, ${id})`;
}
