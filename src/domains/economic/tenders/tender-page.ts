import { type RawBuilder, type Selectable, sql } from "kysely";
import type { PageWalk } from "../../../contract/request-context.ts";
import type { Store } from "../../../store/tables.ts";
import { and, type Condition } from "./sql-condition.ts";
import { type TenderConditions, tenderConditions } from "./tender-conditions.ts";
import type { TenderFilter } from "./tender-filter.ts";
import type { TenderDetailTable, TenderTable } from "./tender-table.ts";

/** A sort order of notices: by whether they meet `first`, then by `column`, then by ID, each in ascending order. */
interface TenderOrder {
  readonly column: "newest_key" | "closing_key" | "value_key" | "relevance_key";
  readonly type: RawBuilder<unknown>;
  /** Notices that meet this condition precede all others. Undefined if no notices precede others. */
  readonly first?: Condition;
}

const columns: Readonly<Record<string, TenderOrder["column"]>> = {
  closing_soon: "closing_key",
  estimated_value: "value_key",
  relevance: "relevance_key",
};

/** Returns the sort order. The default is newest first. By relevance, a title with all searched terms comes first. */
function tenderOrder(name: string, { inTitle }: TenderConditions, isSearch: boolean): TenderOrder {
  const type = sql`int8`;
  if (name === "relevance" && isSearch) return { column: "newest_key", type, first: inTitle };
  const column = columns[name] ?? "newest_key";
  return { column, type: column === "value_key" ? sql`numeric` : type };
}

interface TenderPage {
  readonly rows: readonly TenderRow[];
  /** The position after which the next page starts. Absent on the last page. */
  readonly next?: Position;
  /** The number of notices on all pages. It is exact unless `totalCapped` is set. */
  readonly total: number;
  readonly totalCapped: boolean;
}

export interface Position {
  readonly keys: readonly string[];
  readonly id: string;
}

export type TenderRow = Pick<Selectable<TenderTable>, "id" | "published_at"> &
  Pick<Selectable<TenderDetailTable>, (typeof detailColumns)[number]>;

interface PageRequest {
  readonly filter: TenderFilter;
  /** The name of the sort order. Empty for the default. */
  readonly sort: string;
  readonly after: Position | undefined;
  readonly size: number;
  readonly now: Date;
  readonly walk: PageWalk | undefined;
}

interface Search {
  readonly order: TenderOrder;
  readonly after: Position | undefined;
  readonly limit: number;
}

type Found = TenderRow & { readonly rank: string; readonly key: string };

/** Maximum number of notices to count and sort, because both take time. */
const maxCounted = 10_000;

const detailColumns = [
  ...(["source", "source_notice_id", "official_url", "country_code", "region", "title", "description"] as const),
  ...(["buyer", "updated_at", "deadline", "status", "notice_type", "procedure_id", "amount", "currency"] as const),
  ...(["category_codes", "sectors", "fit_score", "fit_reasons", "fit_evidence"] as const),
];

const details = sql.join(detailColumns.map((column) => sql.ref(`detail.${column}`)));

export async function readTenders(database: Store, request: PageRequest): Promise<TenderPage> {
  const { filter, sort, now, after, size, walk } = request;
  const conditions = await tenderConditions(database, filter, now);
  if (!conditions) return { rows: [], total: 0, totalCapped: false };
  const order = tenderOrder(sort, conditions, filter.query !== undefined);
  const search = { order, after, limit: size + 1 };
  const few = walk?.isLong ? tooMany : await findFew(database, conditions.all, search);
  if (walk) walk.isLong = few.found === undefined;
  const found = few.found ?? (await findAmongMany(database, conditions.all, search));
  const shown = found.slice(0, size);
  const last = shown.at(-1);
  const keys = order.first ? [last?.rank ?? "", last?.key ?? ""] : [last?.key ?? ""];
  return {
    rows: shown,
    ...(found.length > size && last && { next: { keys, id: last.id } }),
    total: Math.min(few.total, maxCounted),
    totalCapped: few.total > maxCounted,
  };
}

interface Few {
  readonly total: number;
  readonly found?: readonly Found[];
}

const tooMany: Few = { total: maxCounted + 1 };

/** Counts the matching notices and reads a sorted page. If more than `maxCounted` match, returns only a number. */
async function findFew(
  database: Store,
  matching: Condition,
  { order: { column, type, first }, after, limit }: Search,
): Promise<Few> {
  const rank = first ? sql`case when ${first} then 0 else 1 end` : sql`0`;
  const position = after && { rank: first ? after.keys[0] : "0", key: after.keys.at(-1), id: after.id };
  const { rows } = await sql<Found & { total: number }>`
    with matching as materialized (
      select ${rank} as rank, ${sql.ref(column)} as key, id, published_at from tender
      where ${matching} limit ${sql.lit(maxCounted + 1)}
    ),
    page as (
      select * from matching
      where (select count(*) from matching) <= ${sql.lit(maxCounted)}
        and ${position ? sql`(rank, key, id) > (${position.rank}::int, ${position.key}::${type}, ${position.id})` : sql`true`}
      order by rank, key, id limit ${limit}
    )
    select (select count(*)::int from matching) as total, rank::text, key::text, page.id, published_at, ${details}
    from (select) as one left join page on true left join tender_detail as detail on detail.id = page.id
    order by page.rank, page.key, page.id`.execute(database);
  const total = rows[0]?.total ?? 0;
  return total > maxCounted ? { total } : { total, found: rows.filter(({ id }) => id !== null) };
}

/** Reads notices in the sort order until the page is full: first those that meet `first`, then the others. */
async function findAmongMany(database: Store, matching: Condition, { order, after, limit }: Search) {
  const { first, ...unranked } = order;
  if (!first) return readInOrder(database, matching, { order, after, limit });
  const reached = Number(after?.keys[0] ?? 0);
  const found: Found[] = [];
  for (const [rank, part] of [first, sql<boolean>`not (${first})`].entries()) {
    if (rank < reached || found.length >= limit) continue;
    const search = {
      order: unranked,
      after: rank === reached && after ? { keys: after.keys.slice(-1), id: after.id } : undefined,
      limit: limit - found.length,
    };
    const ofRank = and([matching, part]);
    const few = await findFew(database, ofRank, search);
    const rows = few.found ?? (await readInOrder(database, ofRank, search));
    found.push(...rows.map((row) => ({ ...row, rank: `${rank}` })));
  }
  return found;
}

async function readInOrder(
  database: Store,
  matching: Condition,
  { order: { column, type }, after, limit }: Search,
): Promise<readonly Found[]> {
  const key = sql.ref(column);
  const afterPosition = after
    ? sql<boolean>`(${key}, id) > (${after.keys.at(-1)}::${type}, ${after.id})`
    : sql<boolean>`true`;
  const { rows } = await sql<Found>`
    select '0' as rank, page.key::text, page.id, published_at, ${details}
    from (
      select ${key} as key, id, published_at from tender
      where ${and([matching, afterPosition])} order by ${key}, id limit ${limit}
    ) as page join tender_detail as detail on detail.id = page.id
    order by page.key, page.id`.execute(database);
  return rows;
}
