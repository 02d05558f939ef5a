import type { Operation } from "../../contract/catalog.ts";
import type { Column } from "../../contract/columns.ts";
import { type Table, tablesOf } from "../../contract/tables.ts";
import { selectsUpdates } from "../../contract/updated-after.ts";
import { datasets, originsOf } from "../../domains/index.ts";
import { followedTables } from "../../ingest/changes/followed-tables.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";

/** A list in a response whose rows are in a table with a log of changes. */
export interface FollowedList {
  readonly table: Table;
  readonly key: readonly Column[];
}

/** Lists of an operation whose changes are logged, with their datasets, or the reason why there are none. */
export type FollowedRead =
  | { readonly lists: readonly FollowedList[]; readonly datasets: readonly ScheduledDataset[] }
  | { readonly rejection: string };

export function followedRead(method: Operation["method"]): FollowedRead {
  const tables = tablesOf({ method });
  if (tables.length === 0) return { rejection: "the response has no rows" };
  const [live] = originsOf(method)?.lookups ?? [];
  if (live) return { rejection: `${live.name} is called during the request` };
  const serving = datasets.filter((dataset: ScheduledDataset) => dataset.serves.includes(method));
  if (serving.length === 0) return { rejection: "the response does not use refreshed data" };
  const lists = tables.filter(({ name }) => name !== "response");
  if (lists.length === 0) return { rejection: "the response is one row" };
  const found = serving.flatMap((dataset: ScheduledDataset) => {
    const followed = lists.flatMap((table) => followedList(table, dataset));
    return followed.length === 0 ? [] : [{ dataset, followed }];
  });
  if (found.length === 0)
    return { rejection: "the rows are computed for each request, so their changes are not logged" };
  return { lists: found.flatMap(({ followed }) => followed), datasets: found.map(({ dataset }) => dataset) };
}

/** Returns whether the service implements `updated_after` for an operation that has no such parameter itself. */
export function hasUpdates({ read, method }: Operation): boolean {
  return read && !selectsUpdates({ method }) && "lists" in followedRead(method);
}

/** Finds the table of a dataset with the same path and key as a list of the response. */
function followedList(table: Table, dataset: ScheduledDataset): FollowedList[] {
  const own = followedTables(dataset).find((followed) => followed.table.name === table.name);
  const key = own?.key.map(({ name }) => table.columns.find((column) => column.name === name)) ?? [];
  const known = key.filter((column) => column !== undefined);
  return known.length > 0 && known.length === key.length ? [{ table, key: known }] : [];
}
