import { type Kysely, type RawBuilder, sql } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import { type Filter, matches } from "./filter.ts";
import type { RevisionRows } from "./monitoring-table.ts";
import type { Position } from "./snapshot-cursor.ts";

/** One page, and how the account stood at the moment it was read. */
export interface Page<T extends keyof RevisionRows> {
  readonly rows: readonly RevisionRows[T][];
  /** Where the next page begins; absent on the last one. */
  readonly next?: Position;
  /** The generation that was shown. */
  readonly generation: number;
  /** Whether nothing of the generations asked for was purged. */
  readonly isWhole: boolean;
}

interface SnapshotRequest {
  readonly account: string;
  readonly filter: Filter;
  /** Undefined: the newest. */
  readonly generation: number | undefined;
  readonly after: Position | undefined;
  readonly size: number;
}

/** A page of everything as it stood in one generation, latest change first, then highest id first. */
export function readSnapshot<T extends keyof RevisionRows>(
  database: Kysely<StoreTables>,
  table: T,
  { account, filter, generation, after, size }: SnapshotRequest,
): Promise<Page<T>> {
  const shown = sql`coalesce(${generation ?? null}::int8, state.generation)`;
  const from = after ? sql`(row.changed_at, row.id) < (${new Date(after.at)}, ${after.id})` : sql`true`;
  return readPage(database, {
    account,
    size,
    generation,
    oldest: generation,
    rows: sql`
      select * from ${sql.table(table)} as row
      where row.account = state.account and ${seenIn(shown)} and ${matches(filter, "row")} and ${from}
      order by row.changed_at desc, row.id desc limit ${size + 1}`,
    order: sql`page.changed_at desc, page.id desc`,
    positionOf: ({ changed_at, id }) => ({ at: changed_at.getTime(), id }),
  });
}

interface ChangesRequest extends SnapshotRequest {
  /** The generation after which changes are told. */
  readonly since: number;
}

/**
 * A page of the impacts that changed after one generation, as they stood in a later one, oldest change first: those that
 * match, and those that matched before.
 */
export function readChanges(
  database: Kysely<StoreTables>,
  { account, filter, generation, since, after, size }: ChangesRequest,
): Promise<Page<"company_impact">> {
  const shown = sql`coalesce(${generation ?? null}::int8, state.generation)`;
  const from = after ? sql`(row.from_generation, row.id) > (${after.at}::int8, ${after.id})` : sql`true`;
  return readPage(database, {
    account,
    size,
    generation,
    oldest: since,
    rows: sql`
      select * from company_impact as row
      where row.account = state.account and row.from_generation > ${since} and ${seenIn(shown)} and ${from} and (
        ${matches(filter, "row")} or exists (
          select from company_impact as was
          where was.account = row.account and was.id = row.id and was.from_generation <= ${since}
            and was.to_generation > ${since} and ${matches(filter, "was")}
        )
      )
      order by row.from_generation, row.id limit ${size + 1}`,
    order: sql`page.from_generation, page.id`,
    positionOf: ({ from_generation, id }) => ({ at: Number(from_generation), id }),
  });
}

function seenIn(generation: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`row.from_generation <= ${generation} and (row.to_generation is null or row.to_generation > ${generation})`;
}

/** Rows and state come from one statement, so that no purge falls between them. */
async function readPage<T extends keyof RevisionRows>(
  database: Kysely<StoreTables>,
  request: {
    readonly account: string;
    readonly size: number;
    readonly generation: number | undefined;
    readonly oldest: number | undefined;
    readonly rows: RawBuilder<unknown>;
    readonly order: RawBuilder<unknown>;
    readonly positionOf: (row: RevisionRows[T]) => Position;
  },
): Promise<Page<T>> {
  const { account, size, generation, oldest, rows: selected, order, positionOf } = request;
  type Row = RevisionRows[T] & { newest: string; oldest: string };
  const { rows } = await sql<Row>`
    select state.generation as newest, state.oldest_generation as oldest, page.*
    from monitoring_account as state left join lateral (${selected}) as page on true
    where state.account = ${account} order by ${order}`.execute(database);
  const [state] = rows;
  // Before an account's first change there is its generation 0, which is empty.
  const newest = Number(state?.newest ?? 0);
  // The state comes without a row where there is none.
  const found = rows.filter(({ id }) => (id as string | null) !== null);
  const last = found[size - 1];
  return {
    rows: found.slice(0, size),
    ...(found.length > size && last ? { next: positionOf(last) } : {}),
    generation: generation ?? newest,
    // A store that was put back to an earlier state does not know generations that were told before.
    isWhole: (oldest ?? newest) >= Number(state?.oldest ?? 0) && Math.max(oldest ?? 0, generation ?? 0) <= newest,
  };
}
