import { setImmediate as turn } from "node:timers/promises";
import { clone, create, type DescField, type JsonObject, type Message } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { operation as operationOption } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { saysUnavailable } from "../../../contract/availability.ts";
import type { Operation } from "../../../contract/catalog.ts";
import type { Implementation } from "../../../contract/implementation.ts";
import { getOption } from "../../../contract/option.ts";
import { nextCursorReader, type PagesTotal, pagesTotalReader } from "../../../contract/paging.ts";
import { plainMaker } from "../../../contract/plain.ts";
import { dataStatusKey } from "../../../contract/request-context.ts";
import { RequestAborted, Unavailable } from "../../../errors.ts";

/** Rows per page. A step with more rows would delay other requests by more than 20 ms. */
const rowsInPage = 500;

export interface PageRead {
  readonly response: JsonObject;
  /** Cursor of the next page; empty after the last page. */
  readonly next: string;
  readonly total: PagesTotal | undefined;
  readonly context: HandlerContext;
  readonly isUnconfirmed: boolean;
  readonly isExpired: boolean;
}

/** Reads the page at a cursor, or the page that the request asks for. A read without pages has one page. */
export type ReadPage = (message: Message, cursor: string | undefined, context: HandlerContext) => Promise<PageRead>;

export function pageReader(operation: Operation, implementation: Implementation): ReadPage {
  const { input, output } = operation.method;
  const { page } = getOption(operation.method, operationOption);
  const fieldNamed = (name?: string) => input.fields.find((field) => field.name === name);
  const [cursor, size] = [fieldNamed(page?.cursor), fieldNamed(page?.size)];
  const plain = plainMaker(output);
  const isUnavailable = saysUnavailable(output);
  const nextCursor = nextCursorReader(operation);
  const totalOf = pagesTotalReader(operation);
  return async (message, from, context) => {
    const request = withValues(input, message, [
      ...(size ? [[size, rowsInPage] as const] : []),
      ...(cursor && from !== undefined ? [[cursor, from] as const] : []),
    ]);
    // Between reading, converting, and serializing a page, the service handles other requests, because each of these
    // takes milliseconds.
    const result = create(output, await implementation(request, context));
    if (context.signal.aborted) throw new RequestAborted("The caller has gone");
    await turn();
    const response = plain(result);
    await turn();
    const isExpired = context.values.get(dataStatusKey)?.rejection !== undefined;
    const isUnconfirmed = isUnavailable(result) || isExpired;
    // The total is unknown if the request starts at a cursor, because it then leaves out earlier rows.
    const isWhole = cursor !== undefined && Reflect.get(request, cursor.localName) === "";
    const total = isWhole ? totalOf(result) : undefined;
    return { response, next: nextCursor(result), total, context, isUnconfirmed, isExpired };
  };
}

/** Sets fields without validation, because only the service itself may exceed the page size of the contract. */
function withValues(
  input: Operation["method"]["input"],
  message: Message,
  values: readonly (readonly [DescField, unknown])[],
): Message {
  const copy = clone(input, message);
  return Object.assign(copy, Object.fromEntries(values.map(([field, value]) => [field.localName, value])));
}

/** Requires the dataset versions of the first page. Throws `Unavailable` if a dataset has changed since. */
export function requireSame(first: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): void {
  for (const [dataset, generation] of first)
    if (now.get(dataset) !== generation)
      throw new Unavailable(`${dataset} was refreshed while all pages were read: start again`);
}
