import { InvalidRequest } from "../errors.ts";
import type { AnyOperation } from "./catalog.ts";
import { readRequestTime } from "./request/request-time.ts";

/** Name of the parameter, and of the header in RPC, that selects rows that appeared or changed after a time. */
export const updatedAfterParameter = "updated_after";
export const updatedAfterHeader = "X-Updated-After";

/** Header with the time of the data, for the parameter of the next call. */
export const updatedAtHeader = "X-Updated-At";

/** Whether a request has the parameter as its own field. */
export function selectsUpdates({ method: { input } }: Pick<AnyOperation, "method">): boolean {
  return input.fields.some(({ name }) => name === updatedAfterParameter);
}

/** Parses the start of a day, or a time. Throws `InvalidRequest`. */
export function readUpdatedAfter(text: string): number {
  return readRequestTime(text, updatedAfterParameter).start;
}

export function invalidUpdatedAfter(description: string): InvalidRequest {
  return new InvalidRequest([{ field: updatedAfterParameter, description }]);
}
