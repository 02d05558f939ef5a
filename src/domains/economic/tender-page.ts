import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import { type Condition, columnConditions, indexedConditions, textConditions } from "./tender-conditions.ts";
import type { TenderFilter } from "./tender-filter.ts";
import type { TenderOrder } from "./tender-order.ts";
import type { TenderTable } from "./tender-table.ts";

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
export type TenderRow = Pick<Selectable<TenderTable>, (typeof columns)[number]>;

interface PageRequest {
  readonly filter: TenderFilter;
  readonly order: TenderOrder;
  readonly after: Position | undefined;
  readonly size: number;
  readonly now: Date;
}

/** Bounds what a count may cost. */
const mostCounted = 10_000;

const columns = [
  ...(["id", "source", "source_notice_id", "official_url", "country_code", "region", "title", "description"] as const),
  ...(["buyer", "published_at", "updated_at", "deadline", "status", "notice_type", "amount", "currency"] as const),
  ...(["category_codes", "sectors", "fit_score", "fit_reasons", "fit_evidence"] as const),
];

/**
 * One page of the open notices. Up to the cap, all that match are found by the indexes, counted and sorted; of more than
 * that every hundredth notice or so matches, and the page is read from the order's index until it is full.
 */
export async function readTenders(database: Kysely<StoreTables>, request: PageRequest): Promise<TenderPage> {
  const { filter, now } = request;
  const plain = columnConditions(filter, now);
  const indexed = await indexedConditions(database, filter);
  if (!indexed) return { rows: [], total: 0, totalCapped: false };
  const found = await findPage(database, request, [...plain, ...indexed]);
  if (found.total <= mostCounted) return { ...page(request, found.rows), total: found.total, totalCapped: false };
  const rows = await walk(database, request, plain, indexed);
  return { ...page(request, rows), total: mostCounted, totalCapped: true };
}

type KeyedRow = TenderRow & Record<`key${number}`, string>;

function page({ order, size }: PageRequest, rows: readonly KeyedRow[]): Pick<TenderPage, "rows" | "next"> {
  const last = rows[size - 1];
  if (rows.length <= size || !last) return { rows };
  const keys = order.keys.map((_, index) => String(last[`key${index}`]));
  return { rows: rows.slice(0, size), next: { keys, id: last.id } };
}

/** The whole set is planned for, and read no further than the cap: a `limit` inside would make the planner hope for luck. */
async function findPage(
  database: Kysely<StoreTables>,
  { order, after, size }: PageRequest,
  conditions: readonly Condition[],
): Promise<{ rows: readonly KeyedRow[]; total: number }> {
  const names = sql.join(order.keys.map((_, index) => sql.ref(`key${index}`)));
  const keyed = order.keys.map(({ value, type }, index) => sql`(${value})::${type} as ${sql.ref(`key${index}`)}`);
  const { rows } = await sql<KeyedRow & { total: number }>`
    with found as materialized (select ${sql.join(keyed)}, id from tender where ${and(conditions)}),
    counted as materialized (select * from found limit ${sql.lit(mostCounted + 1)}),
    page as (
      select * from counted where ${after ? beyond(names, order, after) : sql`true`}
      order by ${names}, id limit ${size + 1}
    )
    select (select count(*)::int from counted) as total, ${names}, ${tenderColumns}
    from (select) as one left join page on true left join tender on tender.id = page.id
    order by ${names}, page.id`.execute(database);
  return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}

async function walk(
  database: Kysely<StoreTables>,
  { filter, order, after, size }: PageRequest,
  plain: readonly Condition[],
  indexed: readonly Condition[],
): Promise<readonly KeyedRow[]> {
  const last = order.keys.at(-1)!;
  const texts = textConditions(filter);
  if (!order.parts) {
    const from = after ? [beyond(last.value, order, after)] : [];
    // What texts hold is no matter of the planner's guesses: the order's index is walked, and they are checked on the way.
    const { rows } = await sql<KeyedRow>`
      select ${last.value}::text as key0, ${tenderColumns} from (
        select * from tender where ${and([...plain, ...from])} order by ${last.value}, id offset 0
      ) as tender where ${and(texts)} order by ${last.value}, id limit ${size + 1}`.execute(database);
    return rows;
  }
  const rows: KeyedRow[] = [];
  for (const { rank, condition } of order.parts) {
    const reached = Number(after?.keys[0] ?? 0);
    if (rank < reached || rows.length > size) continue;
    const from = after && rank === reached ? [beyondLast(last, after)] : [];
    const { rows: more } = await sql<KeyedRow>`
      select ${sql.lit(String(rank))} as key0, ${last.value}::text as key1, ${tenderColumns} from tender
      where ${and([...plain, ...indexed, condition, ...from])}
      order by ${last.value}, id limit ${size + 1 - rows.length}`.execute(database);
    rows.push(...more);
  }
  return rows;
}

const tenderColumns = sql.join(columns.map((column) => sql.ref(`tender.${column}`)));

function and(conditions: readonly Condition[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

function beyond(names: RawBuilder<unknown>, { keys }: TenderOrder, after: Position): Condition {
  const values = keys.map(({ type }, index) => sql`${after.keys[index]}::${type}`);
  return sql<boolean>`(${names}, id) > (${sql.join(values)}, ${after.id})`;
}

function beyondLast({ value, type }: TenderOrder["keys"][number], after: Position): Condition {
  return sql<boolean>`(${value}, id) > (${after.keys.at(-1)}::${type}, ${after.id})`;
}
