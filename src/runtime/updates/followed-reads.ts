import type { Operation } from "../../contract/catalog.ts";
import type { Column } from "../../contract/columns.ts";
import { type Table, tablesOf } from "../../contract/tables.ts";
import { selectsUpdates } from "../../contract/updated-after.ts";
import { datasets, operationOrigins } from "../../domains/index.ts";
import { followedTables } from "../../ingest/changes/followed-tables.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";

/** A list of a response whose rows are followed from one refresh to the next. */
export interface FollowedList {
  readonly table: Table;
  /** As the log of changes names its rows. */
  readonly key: readonly Column[];
}

/** The lists of a read's response whose changes are logged, and the datasets that log them; or why there are none. */
export type FollowedRead =
  | { readonly lists: readonly FollowedList[]; readonly datasets: readonly ScheduledDataset[] }
  | { readonly rejection: string };

/** Whether of a read's rows those can be had that were updated after a moment. */
export function followedRead(method: Operation["method"]): FollowedRead {
  const tables = tablesOf({ method });
  if (tables.length === 0) return { rejection: "the response has no rows" };
  const [live] = operationOrigins.find((each) => each.method === method)?.lookups ?? [];
  if (live) return { rejection: `${live.name} is asked while the caller waits` };
  const serving = datasets.filter((dataset: ScheduledDataset) => dataset.serves.includes(method));
  if (serving.length === 0) return { rejection: "the response is made from no data that are refreshed" };
  const lists = tables.filter(({ name }) => name !== "response");
  if (lists.length === 0) return { rejection: "the response is one row" };
  const found = serving.flatMap((dataset: ScheduledDataset) => {
    const followed = lists.flatMap((table) => followedList(table, dataset));
    return followed.length === 0 ? [] : [{ dataset, followed }];
  });
  if (found.length === 0)
    return { rejection: "the rows are computed for each request, so none of their changes is logged" };
  return { lists: found.flatMap(({ followed }) => followed), datasets: found.map(({ dataset }) => dataset) };
}

/** Whether `updated_after` is understood beside the fields of the request. */
export function hasUpdates({ read, method }: Operation): boolean {
  return read && !selectsUpdates({ method }) && "lists" in followedRead(method);
}

/** A list of the response that is one of the dataset's own, by its path and key. */
function followedList(table: Table, dataset: ScheduledDataset): FollowedList[] {
  const own = followedTables(dataset).find((followed) => followed.table.name === table.name);
  const key = own?.key.map(({ name }) => table.columns.find((column) => column.name === name)) ?? [];
  const known = key.filter((column) => column !== undefined);
  return known.length > 0 && known.length === key.length ? [{ table, key: known }] : [];
}
