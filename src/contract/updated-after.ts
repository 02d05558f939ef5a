import type { HandlerContext } from "@connectrpc/connect";
import { InvalidRequest } from "../errors.ts";
import type { AnyOperation } from "./catalog.ts";
import { readRequestTime } from "./request/request-time.ts";

/** Name of the parameter, and in RPC of the header: rows that appeared or changed after a moment are wanted. */
export const updatedAfterParameter = "updated_after";
export const updatedAfterHeader = "X-Updated-After";

/** Since when the data of an answer are as they are: the next call's parameter. */
export const updatedAtHeader = "X-Updated-At";

/** Whether a request has the parameter as a field of its own. */
export function selectsUpdates({ method: { input } }: Pick<AnyOperation, "method">): boolean {
  return input.fields.some(({ name }) => name === updatedAfterParameter);
}

/** Reads a day, from its beginning, or a moment. Throws `InvalidRequest`. */
export function readUpdatedAfter(text: string): number {
  return readRequestTime(text, updatedAfterParameter).start;
}

/** What is wrong with the parameter. */
export function invalidUpdatedAfter(description: string): InvalidRequest {
  return new InvalidRequest([{ field: updatedAfterParameter, description }]);
}

const wanted = new WeakMap<object, number>();

/** Notes that only rows updated after a moment are wanted. */
export function noteUpdatedAfter(context: object, after: number | undefined): void {
  if (after !== undefined) wanted.set(context, after);
}

/** After which moment the rows of a call were updated, Unix epoch milliseconds; undefined: all are wanted. In RPC a header says it. Throws `InvalidRequest`. */
export function updatedAfterOf(context: HandlerContext): number | undefined {
  const noted = wanted.get(context);
  if (noted !== undefined || context.protocolName === "rest") return noted;
  const header = context.requestHeader.get(updatedAfterHeader);
  return header ? readUpdatedAfter(header) : undefined;
}
