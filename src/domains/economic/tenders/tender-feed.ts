import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { type Kysely, sql } from "kysely";
import {
  type ListGlobalTendersRequest,
  type ListGlobalTendersResponseSchema,
  TenderSourceStatusSchema,
} from "../../../../gen/es/ids/economic/v1/tenders_pb.ts";
import type { Cursors } from "../../../access/cursor.ts";
import { pageWalkKey } from "../../../contract/page-walk.ts";
import { Unavailable } from "../../../errors.ts";
import type { DatasetStatus } from "../../../ingest/dataset-status.ts";
import { type ScheduledDataset, scheduled } from "../../../ingest/schedule/scheduled.ts";
import type { Served } from "../../../store/served/served.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { globalTenders } from "./global-tenders.ts";
import { lexeme } from "./sql-condition.ts";
import { availability, type CountryCoverage, type FeedSourceStatus, sourceStatus } from "./tender-availability.ts";
import { readCursor, writeCursor } from "./tender-cursor.ts";
import { appliedFilters, type TenderFilter, tenderFilter } from "./tender-filter.ts";
import { tenderMessage } from "./tender-message.ts";
import { type OpenRows, openRowsReader } from "./tender-open-rows.ts";
import { readTenders } from "./tender-page.ts";

/** What the feed is made from. */
export interface TenderFeedParts {
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly clock: () => Date;
  readonly cursors: (purpose: string) => Cursors;
  readonly statusOf: (dataset: ScheduledDataset) => Promise<DatasetStatus>;
}

type Response = MessageInitShape<typeof ListGlobalTendersResponseSchema>;

/** The dataset as schedules and health see it. */
export const tenderDataset = scheduled(globalTenders);

const nothing: Response = { dataAvailable: false, availability: "unavailable", countryCoverage: "unknown" };

/** Pages of open notices; says of itself what it cannot know, instead of failing. */
export function tenderFeed(parts: TenderFeedParts) {
  const { database, served, clock } = parts;
  const cursors = parts.cursors("tender pages");
  const readOpenRows = openRowsReader(database);
  return async (request: ListGlobalTendersRequest, context: HandlerContext): Promise<Response> => {
    const now = clock();
    const filter = tenderFilter(request);
    const walk = { filter, sort: request.sort };
    const after = readCursor(cursors, walk, request.cursor, now);
    const applied = appliedFilters(filter, request);
    try {
      const visible = served.datasetIfAny(globalTenders, context, { flagged: "old" });
      const status = parts.statusOf(tenderDataset);
      const [datasetStatus, openRows, page, countryCoverage] = await Promise.all([
        status,
        visible ? status.then((known) => readOpenRows(known, now)) : new Map<string, number>(),
        visible &&
          readTenders(database, {
            filter,
            sort: request.sort,
            after,
            size: request.pageSize,
            now,
            walk: context.values.get(pageWalkKey),
          }),
        visible ? readCoverage(database, filter, now) : ("unknown" as const),
      ]);
      const statuses = statusesOf(datasetStatus, openRows);
      const sourceStatuses = statuses.map((status) => create(TenderSourceStatusSchema, status));
      if (!page || datasetStatus.storedAt === undefined) return { ...nothing, appliedFilters: applied, sourceStatuses };
      return {
        tenders: page.rows.map(tenderMessage),
        nextCursor: page.next ? writeCursor(cursors, walk, page.next, now) : "",
        total: page.total,
        totalCapped: page.totalCapped,
        fetchedAt: datasetStatus.storedAt,
        dataAvailable: statuses.some(({ state, recordCount }) => state === "ok" || recordCount > 0),
        availability: availability(statuses, countryCoverage),
        countryCoverage,
        sourceStatuses,
        appliedFilters: applied,
      };
    } catch (error) {
      if (error instanceof Unavailable) return { ...nothing, appliedFilters: applied };
      throw error;
    }
  };
}

function statusesOf(status: DatasetStatus, rows: OpenRows): FeedSourceStatus[] {
  return globalTenders.sources.map(({ name, minutesApart }) => {
    const source = status.sources.find((known) => known.name === name)!;
    return sourceStatus(source, rows.get(name) ?? 0, status, minutesApart);
  });
}

/** Whether the feed has an open notice of every country asked for, whatever the other filters. */
async function readCoverage(
  database: Kysely<StoreTables>,
  { countries }: TenderFilter,
  now: Date,
): Promise<CountryCoverage> {
  if (!countries) return "not_requested";
  const { rows } = await sql<{ observed: boolean }>`
    select bool_and(exists (
      select from tender
      where closed_at is null and closing_key > ${now.getTime()} and terms @@ country.term::tsquery
    )) as observed
    from unnest(${countries.map((code) => lexeme(`country=${code}`))}::text[]) as country (term)`.execute(database);
  return rows[0]?.observed ? "observed" : "unknown";
}
