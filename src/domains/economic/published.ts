import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import type { TendersTrigger } from "../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import {
  type GetEuGasStorageResponse,
  GetEuGasStorageResponseSchema,
} from "../../../gen/es/ids/economic/v1/economic_pb.ts";
import { ListGlobalTendersRequestSchema } from "../../../gen/es/ids/economic/v1/tenders_pb.ts";
import { invalidField } from "../../errors.ts";
import { storedMessage } from "../../ingest/snapshot.ts";
import type { Store } from "../../store/tables.ts";
import { euGasStorage } from "./gas-storage/eu-gas-storage.ts";
import { globalTenders } from "./tenders/global-tenders.ts";
import { tenderConditions } from "./tenders/tender-conditions.ts";
import { type TenderFilter, tenderFilter } from "./tenders/tender-filter.ts";

export { euGasStorage, globalTenders };

/** Returns the stored level of the EU gas storage, or undefined if it is unknown. */
export async function storedGasStorage(database: Store): Promise<GetEuGasStorageResponse | undefined> {
  const stored = await storedMessage(database, GetEuGasStorageResponseSchema);
  return stored?.unavailable === false ? stored : undefined;
}

/** Throws `InvalidRequest` if a rule on tenders has no filter, or has a filter that the search of tenders rejects. */
export function checkTenders(trigger: TendersTrigger): void {
  if (Object.keys(filterOf(trigger)).length === 0) throw invalidField("query", "at least one filter must be set");
}

export async function matchingTenders(
  database: Store,
  trigger: TendersTrigger,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const conditions = await tenderConditions(database, filterOf(trigger), now);
  if (!conditions) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from tender where id = any(${ids}::text[]) and ${conditions.all}`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the number of notices of a search that were published in a span. Throws `InvalidRequest` for a wrong search. */
export async function countTenders(
  database: Store,
  query: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<number> {
  const filter = {
    ...tenderFilter(create(ListGlobalTendersRequestSchema, { query })),
    publishedFrom: from,
    publishedTo: to,
  };
  const conditions = await tenderConditions(database, filter, to);
  if (!conditions) return 0;
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int4 as count from tender where ${conditions.all}`.execute(database);
  return rows[0]?.count ?? 0;
}

function filterOf({ $typeName: _, $unknown: _unknown, source = "", ...trigger }: TendersTrigger): TenderFilter {
  return tenderFilter(create(ListGlobalTendersRequestSchema, { ...trigger, source }));
}
