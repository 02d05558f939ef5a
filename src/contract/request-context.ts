import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { AsOf } from "./as-of.ts";
import { type DataStatus, worseOf } from "./data-status.ts";

// The fields of a request's context, in addition to its caller. Layers pass nothing to each other in any other way.

/** The requested earlier time. Undefined for current data. */
export const asOfKey = createContextKey<AsOf | undefined>(undefined, { description: "as of" });

/** Unix epoch milliseconds: only rows that appeared or changed after this time. Undefined for all rows. */
export const updatedAfterKey = createContextKey<number | undefined>(undefined, { description: "updated after" });

/** The combined status of all data of the response. Undefined if it uses no dataset. */
export const dataStatusKey = createContextKey<DataStatus | undefined>(undefined, { description: "data status" });

/** The generation of each dataset that was read. */
export const generationsKey = createContextKey<ReadonlyMap<string, number>>(new Map(), { description: "generations" });

/** Whether any data of the response is a sample. */
export const isSampleKey = createContextKey(false, { description: "has sample data" });

/** Whether the response must not be cached, because it lacks something. */
export const isTransientKey = createContextKey(false, { description: "must not be cached" });

/** State that a request for all pages passes from page to page. Undefined for a single page. */
export const pageWalkKey = createContextKey<PageWalk | undefined>(undefined, { description: "page walk" });

export interface PageWalk {
  /** Set by the first page if the total exceeds the maximum count. Later pages then need not count. */
  isLong?: boolean;
}

type Context = Pick<HandlerContext, "values">;

export function noteDataStatus({ values }: Context, dataStatus: DataStatus): void {
  const known = values.get(dataStatusKey);
  values.set(dataStatusKey, known ? worseOf(known, dataStatus) : dataStatus);
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
