import { type Kysely, type RawBuilder, sql } from "kysely";
import type { StoreTables } from "../../../store/tables.ts";
import { and, type Condition } from "./condition.ts";
import type { TenderConditions } from "./tender-conditions.ts";
import type { TenderOrder } from "./tender-order.ts";

/** Where a page ended: the values of the order's keys, and the id. */
export interface Position {
  readonly keys: readonly string[];
  readonly id: string;
}

/** What is asked of each half of the notices. */
export interface HalfRequest {
  readonly conditions: TenderConditions;
  readonly order: TenderOrder;
  readonly after: Position | undefined;
  readonly size: number;
}

/** A notice that was found, with the values of the order's keys. */
export type FoundTender = { readonly id: string; readonly published_at: Date | null } & Record<`key${number}`, string>;

/** What a half holds of a page. */
export interface HalfPage {
  /** In order, one more than the page holds when more follows. */
  readonly found: readonly FoundTender[];
  /** How many match; all there are when they are no more than were counted. */
  readonly total: number;
}

/** Half of the table, as a query reads it. */
type Half = RawBuilder<unknown>;

/** The table's eight parts by hash, in two halves that two connections search at the same time. */
export const halves: readonly Half[] = [
  [0, 1, 2, 3],
  [4, 5, 6, 7],
].map((parts) => {
  const tables = parts.map((part) => sql`select * from ${sql.ref(`tender_${part}`)}`);
  return sql`(${sql.join(tables, sql` union all `)}) as tender`;
});

/**
 * One page of a half. While few match, they are found, counted and sorted; of many every hundredth notice or so matches, and
 * the page is read from the order's index until it is full.
 */
export function readHalf(
  database: Kysely<StoreTables>,
  half: Half,
  { request, few }: { readonly request: HalfRequest; readonly few: number },
): Promise<HalfPage> {
  return search(database, async (transaction) => {
    const counted = await findPage(transaction, half, { request, few });
    return counted.total <= few ? counted : { ...counted, found: await walk(transaction, half, request) };
  });
}

/** How many of a half match, up to a limit. */
export function countHalf(
  database: Kysely<StoreTables>,
  half: Half,
  { conditions, limit }: { readonly conditions: TenderConditions; readonly limit: number },
): Promise<number> {
  return search(database, async (transaction) => {
    const { rows } = await sql<{ total: number }>`
      select count(*)::int as total from (select from ${half} where ${matching(conditions)} limit ${limit}) as found`.execute(
      transaction,
    );
    return rows[0]!.total;
  });
}

function search<T>(database: Kysely<StoreTables>, run: (transaction: Kysely<StoreTables>) => Promise<T>): Promise<T> {
  return database.transaction().execute(async (transaction) => {
    // Comparing two lists costs more than the planner takes an operator to: the index of the keys spares it.
    await sql`set local cpu_operator_cost = 0.01`.execute(transaction);
    return run(transaction);
  });
}

function matching({ bounds, rest, anywhere }: TenderConditions): Condition {
  return and([...bounds, ...rest, ...anywhere]);
}

/** What matches: found by the keys where it is little, and by reading on until there are enough where it is much. */
async function findPage(
  database: Kysely<StoreTables>,
  half: Half,
  { request: { order, after, size, conditions }, few }: { readonly request: HalfRequest; readonly few: number },
): Promise<HalfPage> {
  const names = sql.join(order.keys.map((_, index) => sql.ref(`key${index}`)));
  const keyed = order.keys.map(({ value, type }, index) => sql`(${value})::${type} as ${sql.ref(`key${index}`)}`);
  const reached = order.keys.map(({ type }, index) => sql`${after?.keys[index]}::${type}`);
  // Of many nothing is sorted here.
  const { rows } = await sql<FoundTender & { total: number }>`
    with counted as materialized (
      select ${sql.join(order.columns.map((column) => sql.ref(column)))}, id, published_at from ${half}
      where ${matching(conditions)}
      limit ${sql.lit(few + 1)}
    ),
    keyed as (
      select ${sql.join(keyed)}, id, published_at from counted as tender
      where (select count(*) from counted) <= ${sql.lit(few)}
    ),
    page as (
      select * from keyed where ${after ? sql`(${names}, id) > (${sql.join(reached)}, ${after.id})` : sql`true`}
      order by ${names}, id limit ${size + 1}
    )
    select (select count(*)::int from counted) as total, page.*
    from (select) as one left join page on true order by ${names}, id`.execute(database);
  return { found: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}

/** The order's index is read until the page is full; what the keys say is checked on the way. */
async function walk(
  database: Kysely<StoreTables>,
  half: Half,
  { order, after, size, conditions }: HalfRequest,
): Promise<readonly FoundTender[]> {
  const last = order.keys.at(-1)!;
  const isRanked = order.parts.length > 1;
  const reached = isRanked ? Number(after?.keys[0] ?? 0) : 0;
  const found: FoundTender[] = [];
  for (const [rank, part] of order.parts.entries()) {
    const limit = size + 1 - found.length;
    if (limit === 0 || rank < reached) continue;
    const from = after && rank === reached ? [beyond(last, after)] : [];
    const ranked = isRanked ? sql`${sql.lit(String(rank))} as key0,` : sql``;
    const { rows } = await sql<FoundTender>`
      select ${ranked} ${last.value} as ${sql.ref(`key${order.keys.length - 1}`)}, id, published_at from ${half}
      where ${and([...conditions.bounds, ...conditions.rest, part, ...from])}
      order by ${last.value}, id limit ${limit}`.execute(database);
    found.push(...rows);
  }
  return found;
}

/** Beyond a position in the order of the last key. */
function beyond({ value, type }: TenderOrder["keys"][number], { keys, id }: Position): Condition {
  return sql<boolean>`(${value}, id) > (${keys.at(-1)}::${type}, ${id})`;
}
