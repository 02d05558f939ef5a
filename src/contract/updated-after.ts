import { type InvalidRequest, invalidField } from "../errors.ts";
import type { AnyOperation } from "./catalog.ts";
import { readRequestTime } from "./request/request-time.ts";

/** Parameter that selects rows that appeared or changed after a time. Over RPC, a header has the same name. */
export const updatedAfterParameter = "updated_after";
export const updatedAfterHeader = "X-Updated-After";

/** Header with the time of the data. Clients send it as `updated_after` in their next call. */
export const updatedAtHeader = "X-Updated-At";

/** Returns whether a request message has `updated_after` as a field. */
export function selectsUpdates({ method: { input } }: Pick<AnyOperation, "method">): boolean {
  return input.fields.some(({ name }) => name === updatedAfterParameter);
}

/** Parses a time, or the start of a day. Throws `InvalidRequest`. */
export function readUpdatedAfter(text: string): number {
  return readRequestTime(text, updatedAfterParameter).start;
}

export function invalidUpdatedAfter(description: string): InvalidRequest {
  return invalidField(updatedAfterParameter, description);
}
