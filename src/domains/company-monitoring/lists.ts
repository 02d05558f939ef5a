import { createHash } from "node:crypto";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { type RawBuilder, sql } from "kysely";
import type { CompanyMonitoringService } from "../../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import { accountOf } from "../../access/caller.ts";
import type { Cursors } from "../../access/cursor.ts";
import { markSample } from "../../contract/request-context.ts";
import type { Store } from "../../store/tables.ts";
import { companyMessage, impactMessage } from "./messages.ts";
import type { RevisionRows } from "./monitoring-table.ts";
import {
  cursorMark,
  type Position,
  readCursor,
  rejectPurged,
  type Surface,
  type View,
  writeCursor,
} from "./snapshot-cursor.ts";

export interface ListParts {
  readonly database: Store;
  readonly cursors: (purpose: string, mark: string) => Cursors;
  readonly data: "live" | "sample";
  readonly clock: () => Date;
}

const defaultPage = 25;

export function monitoringLists(parts: ListParts) {
  const { database, data, clock } = parts;
  const shownOf = (filter: Filter): Filter => (data === "live" ? { ...filter, origin: ["live"] } : filter);
  const cursors = parts.cursors("company monitoring", cursorMark);

  const readList = async <T extends keyof RevisionRows>(
    table: T,
    surface: Surface,
    filter: Filter,
    request: { readonly cursor: string; readonly pageSize: number },
    context: HandlerContext,
  ) => {
    const now = clock();
    const view = readCursor(cursors, surface, request.cursor, now);
    const page = await readSnapshot(database, table, {
      account: surface.account,
      filter: shownOf(filter),
      size: request.pageSize || defaultPage,
      generation: view?.generation,
      after: view?.position,
    });
    if (!page.isWhole) rejectPurged();
    markSamples(page.rows, context);
    const asOf = view?.asOf ?? now.toISOString();
    const shown = { generation: page.generation, asOf, watermark: page.generation };
    return { page, shown, now, nextCursor: nextOf(surface, shown, page, now) };
  };
  const nextOf = (surface: Surface, view: View, { next }: Pick<Page<keyof RevisionRows>, "next">, now: Date) =>
    next ? writeCursor(cursors, surface, { ...view, position: next }, now) : "";
  /** Returns the cursor with which a client requests the changes after a list, once it has read all pages. */
  const pollCursorOf = (surface: Surface, { generation, asOf }: View, now: Date) =>
    writeCursor(cursors, changesOf(surface), { generation, asOf, watermark: generation }, now);

  return {
    async listMonitoredCompanies({ state, country, pageSize, cursor }, context) {
      const filter = { state, domicile: country === "" ? [] : [country] };
      const surface = surfaceOf("ListMonitoredCompanies", context, filter);
      const { page, shown, nextCursor } = await readList(
        "monitored_company",
        surface,
        filter,
        { cursor, pageSize },
        context,
      );
      return { companies: page.rows.map(companyMessage), nextCursor, snapshot: snapshotMessage(shown, "") };
    },
    async listCompanyEventImpacts({ pageSize, cursor, ...request }, context) {
      const filter = impactFilter(request);
      const surface = surfaceOf("ListCompanyEventImpacts", context, filter);
      const { page, shown, now, nextCursor } = await readList(
        "company_impact",
        surface,
        filter,
        { cursor, pageSize },
        context,
      );
      const pollCursor = pollCursorOf(surface, shown, now);
      return { impacts: page.rows.map(impactMessage), nextCursor, snapshot: snapshotMessage(shown, pollCursor) };
    },
    async listCompanyEventChanges({ pageSize, cursor, ...request }, context) {
      const filter = impactFilter(request);
      const surface = changesOf(surfaceOf("ListCompanyEventChanges", context, filter));
      const now = clock();
      const view = readCursor(cursors, surface, cursor, now);
      // The API rejects requests without a cursor, so the default of 0 is never used.
      const since = view?.watermark ?? 0;
      // A cursor after the last page has no position. The request then reads the changes up to the newest version.
      const page = await readChanges(database, {
        account: surface.account,
        filter: shownOf(filter),
        since,
        size: pageSize || defaultPage,
        generation: view?.position && view.generation,
        after: view?.position,
      });
      const asOf = view?.position ? view.asOf : now.toISOString();
      const shown = { generation: page.generation, asOf, watermark: since };
      if (!page.isWhole) return { pollState: "SNAPSHOT_REQUIRED", snapshot: snapshotMessage(shown, "") };
      markSamples(page.rows, context);
      return {
        impacts: page.rows.map(impactMessage),
        nextCursor: nextOf(surface, shown, page, now),
        pollState: "CURRENT",
        snapshot: snapshotMessage(shown, pollCursorOf(surface, shown, now)),
      };
    },
  } satisfies Partial<ServiceImpl<typeof CompanyMonitoringService>>;
}

function markSamples(rows: readonly { readonly origin: string }[], context: HandlerContext): void {
  if (rows.some(({ origin }) => origin === "sample")) markSample(context);
}

/**
 * Throws `NotAuthenticated` if the caller has no key. The server rejects such callers earlier, unless a method is
 * called without the server.
 */
function surfaceOf(name: Surface["name"], context: HandlerContext, filter: Filter): Surface {
  return { name, mode: "snapshot", account: accountOf(context), filterHash: filterHash(filter) };
}

function changesOf(surface: Surface): Surface {
  return { ...surface, name: "ListCompanyEventChanges", mode: "poll" };
}

function impactFilter(request: { companyId: string[]; direction: number[]; lifecycle: number[] }): Filter {
  return { company_id: request.companyId, direction: request.direction, lifecycle: request.lifecycle };
}

function snapshotMessage({ generation, asOf }: View, pollCursor: string) {
  return { snapshotAsOf: asOf, snapshotGeneration: BigInt(generation), pollCursor };
}

interface Page<T extends keyof RevisionRows> {
  readonly rows: readonly RevisionRows[T][];
  /** The position of the last row, after which the next page starts. Absent on the last page. */
  readonly next?: Position;
  readonly generation: number;
  /** Whether all revisions of the requested versions of the data are still stored. */
  readonly isWhole: boolean;
}

interface SnapshotRequest {
  readonly account: string;
  readonly filter: Filter;
  /** The version of the account's data to read. Undefined for the newest one. */
  readonly generation: number | undefined;
  readonly after: Position | undefined;
  readonly size: number;
}

/** Reads a page of one version of a list, last changed rows first. Rows with equal times are sorted by ID. */
function readSnapshot<T extends keyof RevisionRows>(
  database: Store,
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
  readonly since: number;
}

/** Reads changes of impacts. They include impacts that no longer match the filter, so that clients can remove them. */
function readChanges(
  database: Store,
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

/** Reads rows and the state of the account in one statement, so that no revision is deleted between two statements. */
async function readPage<T extends keyof RevisionRows>(
  database: Store,
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
  // An account without any change has no row, and the version of its data is 0.
  const newest = Number(state?.newest ?? 0);
  // If no row matches, the join returns one row that only has the state.
  const found = rows.filter(({ id }) => typeof id === "string");
  const last = found[size - 1];
  return {
    rows: found.slice(0, size),
    ...(found.length > size && last ? { next: positionOf(last) } : {}),
    generation: generation ?? newest,
    // After the store was restored from a backup, a cursor can name a version that does not exist yet.
    isWhole: (oldest ?? newest) >= Number(state?.oldest ?? 0) && Math.max(oldest ?? 0, generation ?? 0) <= newest,
  };
}

/** The accepted values of each column. An empty list accepts every value. */
type Filter = Readonly<Record<string, readonly (string | number)[]>>;

/** Returns a hash of a filter. The order and duplicates of its values do not affect the hash. */
function filterHash(filter: Filter): string {
  const canonical = Object.entries(filter)
    .map(([column, values]) => [column, [...new Set(values.map(String))].sort(byText)] as const)
    .filter(([, values]) => values.length > 0)
    .sort(([a], [b]) => byText(a, b));
  return createHash("sha256").update(JSON.stringify(canonical)).digest("hex");
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function matches(filter: Filter, row: string): RawBuilder<boolean> {
  const conditions = Object.entries(filter)
    .filter(([, values]) => values.length > 0)
    .map(([column, values]) => sql<boolean>`${sql.ref(`${row}.${column}`)} in (${sql.join([...new Set(values)])})`);
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}
