import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { AsOf } from "./as-of.ts";
import { type DataStatus, worseOf } from "./data-status.ts";

// Values that steps and handlers share during a request. They share no other state.

/** Value of `as_of`; undefined for current data. */
export const asOfKey = createContextKey<AsOf | undefined>(undefined, { description: "as of" });

/** Value of `updated_after` in Unix epoch milliseconds; undefined for all rows. */
export const updatedAfterKey = createContextKey<number | undefined>(undefined, { description: "updated after" });

/** Combined status of all datasets in the response; undefined if it uses none. */
export const dataStatusKey = createContextKey<DataStatus | undefined>(undefined, { description: "data status" });

/** Version number of each dataset that the request has read. */
export const generationsKey = createContextKey<ReadonlyMap<string, number>>(new Map(), { description: "generations" });

/** Whether the response contains sample data. */
export const isSampleKey = createContextKey(false, { description: "has sample data" });

/** Whether data is missing in the response only for a moment, so that it must not be cached. */
export const isTransientKey = createContextKey(false, { description: "must not be cached" });

/** State that all pages of an export (a file with all pages) share; undefined if a single page was requested. */
export const pageWalkKey = createContextKey<PageWalk | undefined>(undefined, { description: "page walk" });

export interface PageWalk {
  /** True if the first page found more rows than are counted. Later pages then skip counting. */
  isLong?: boolean;
}

type Context = Pick<HandlerContext, "values">;

export function noteDataStatus({ values }: Context, dataStatus: DataStatus): void {
  const known = values.get(dataStatusKey);
  values.set(dataStatusKey, known ? worseOf(known, dataStatus) : dataStatus);
}

/** Records a part of the requested data that is missing in a response. */
export function noteMissing({ values }: Context, part: string): void {
  const known = values.get(dataStatusKey);
  if (known) values.set(dataStatusKey, { ...known, missing: [...known.missing, part] });
}

export function noteGeneration({ values }: Context, dataset: string, generation: number): void {
  values.set(generationsKey, new Map([...values.get(generationsKey), [dataset, generation]]));
}

export function markSample({ values }: Context): void {
  values.set(isSampleKey, true);
}

/** Prevents caching of the response. */
export function setNoStore({ values }: Context): void {
  values.set(isTransientKey, true);
}
