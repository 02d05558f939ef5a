import { type Kysely, type Selectable, sql } from "kysely";
import type { StoreTables } from "../../../store/tables.ts";
import { type TenderConditions, tenderConditions } from "./tender-conditions.ts";
import type { TenderFilter } from "./tender-filter.ts";
import {
  countHalf,
  type FoundTender,
  type HalfPage,
  type HalfRequest,
  halves,
  type Position,
  readHalf,
} from "./tender-half.ts";
import { tenderOrder } from "./tender-order.ts";
import type { TenderDetailTable, TenderTable } from "./tender-table.ts";

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

/** Halves are about equal: when each has more than this, both have more than is counted. */
const few = mostCounted / halves.length;

const columns = [
  ...(["id", "source", "source_notice_id", "official_url", "country_code", "region", "title", "description"] as const),
  ...(["buyer", "updated_at", "deadline", "status", "notice_type", "amount", "currency"] as const),
  ...(["category_codes", "sectors", "fit_score", "fit_reasons", "fit_evidence"] as const),
];

/** One page of the open notices: that of each half, and of both what comes first. */
export async function readTenders(database: Kysely<StoreTables>, asked: PageRequest): Promise<TenderPage> {
  const { filter, sort, now, after, size } = asked;
  const conditions = await tenderConditions(database, filter, now);
  if (!conditions) return { rows: [], total: 0, totalCapped: false };
  const order = tenderOrder(sort, conditions, filter.query !== undefined);
  const request = { conditions, order, after, size };
  const pages = await Promise.all(halves.map((half) => readHalf(database, half, { request, few })));
  const total = await totalOf(database, conditions, pages);
  const found = pages.flatMap((page) => page.found);
  return {
    ...(found.length === 0 ? { rows: [] } : await firstOf(database, request, found)),
    total: Math.min(total, mostCounted),
    totalCapped: total > mostCounted,
  };
}

/** A half that alone has more than its share is counted on, as far as the other leaves to the cap. */
async function totalOf(
  database: Kysely<StoreTables>,
  conditions: TenderConditions,
  pages: readonly HalfPage[],
): Promise<number> {
  const counted = pages.reduce((sum, { total }) => sum + total, 0);
  if (counted > mostCounted) return counted;
  const more = pages.findIndex(({ total }) => total > few);
  if (more === -1) return counted;
  const others = counted - pages[more]!.total;
  return others + (await countHalf(database, halves[more]!, { conditions, limit: mostCounted + 1 - others }));
}

/** Ordered where their keys are compared everywhere else: an amount may have more digits than a number here. */
async function firstOf(
  database: Kysely<StoreTables>,
  { order, size }: HalfRequest,
  found: readonly FoundTender[],
): Promise<Pick<TenderPage, "rows" | "next">> {
  const keys = order.keys.map((_, index) => sql.ref(`key${index}`));
  const types = order.keys.map(({ type }, index) => sql`${keys[index]} ${type}`);
  const { rows } = await sql<FoundTender & { shown: boolean } & TenderRow>`
    with first as (
      select * from json_to_recordset(${JSON.stringify(found)}::json)
        as found (${sql.join(types)}, id text collate "C", published_at timestamptz)
      order by ${sql.join(keys)}, id limit ${size + 1}
    )
    select ${sql.join(columns.map((column) => sql.ref(`detail.${column}`)))}, first.*, detail.id is not null as shown
    from first left join tender_detail as detail using (id) order by ${sql.join(keys)}, first.id`.execute(database);
  const last = rows[size - 1];
  return {
    rows: rows.slice(0, size).filter(({ shown }) => shown),
    ...(rows.length > size && last && { next: { keys: keys.map((_, i) => String(last[`key${i}`])), id: last.id } }),
  };
}
