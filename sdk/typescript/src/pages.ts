import type { Answered } from "./api-promise.ts";
import { IdsError } from "./errors.ts";
import type { paging } from "./gen/paging.ts";
import type { CallOptions } from "./options.ts";

/** Every paged operation by domain and name. */
export type PagedOperations = typeof paging;

/** Paging of an operation. */
export interface Paging<Items extends PropertyKey = string> {
  /** Parameter that contains the cursor. */
  readonly cursor: string;
  /** Path of the next page's cursor in a response. */
  readonly next: readonly string[];
  /** Paged list of a response. */
  readonly items: Items;
  /** Member that states whether there are more pages. Set if the cursor is a position, which has no end. */
  readonly more?: string;
}

/** A cursor as text, or a position. */
export type Cursor = string | number | bigint;

/** Options of an iteration over pages. The options of a call apply to each request. */
export interface PageOptions extends CallOptions {
  /** Maximum number of items. By default the iteration ends with the last page. Pages are always complete. */
  readonly maxItems?: number | undefined;
}

/** A paged list. `for await` yields its items and requests each page when the previous one is used up. */
export interface Pages<Item, Page> extends AsyncIterable<Item> {
  /** Returns all items as an array. */
  toArray(): Promise<Item[]>;
  /** Yields the pages instead of their items. */
  byPage(): AsyncGenerator<Page, void, undefined>;
  /** Yields the pages with status and headers. */
  withResponse(): AsyncGenerator<Answered<Page>, void, undefined>;
}

/** One element of a list. */
export type Element<List> = List extends readonly (infer Item)[] ? Item : never;

/** Creates an iteration, which sends no request before it begins. Throws a RangeError for an invalid `maxItems`. */
export function pagesOf<Page extends object>(
  paging: Paging,
  first: unknown,
  maxItems: number | undefined,
  read: (cursor: Cursor | undefined) => Promise<Answered<Page>>,
): Pages<unknown, Page> {
  if (maxItems !== undefined && !(Number.isInteger(maxItems) && maxItems > 0))
    throw new RangeError("maxItems must be a positive integer");
  const answers = () => walk(paging, first, maxItems ?? Number.POSITIVE_INFINITY, read);
  const items = async function* () {
    let left = maxItems;
    for await (const { data } of answers())
      for (const item of listIn(data, paging)) {
        yield item;
        if (left !== undefined && --left === 0) return;
      }
  };
  return {
    [Symbol.asyncIterator]: items,
    async toArray() {
      const all: unknown[] = [];
      for await (const item of items()) all.push(item);
      return all;
    },
    withResponse: answers,
    async *byPage() {
      for await (const { data } of answers()) yield data;
    },
  };
}

async function* walk<Page extends object>(
  paging: Paging,
  first: unknown,
  maxItems: number,
  read: (cursor: Cursor | undefined) => Promise<Answered<Page>>,
): AsyncGenerator<Answered<Page>, void, undefined> {
  let cursor = isCursor(first) ? first : undefined;
  let left = maxItems;
  do {
    const answered = await read(cursor);
    const next = cursorIn(answered, paging);
    // A cursor that repeats would make the iteration endless.
    if (next !== undefined && String(next) === String(cursor)) throw broken("The next page is the same page", answered);
    cursor = next;
    left -= listIn(answered.data, paging).length;
    yield answered;
  } while (cursor !== undefined && left > 0);
}

/**
 * Returns undefined after the last page. Throws if the response has no cursor, because the list would look complete.
 */
function cursorIn(answered: Answered<object>, { next, more }: Paging): Cursor | undefined {
  const cursor = next.reduce<unknown>(memberOf, answered.data);
  if (!(more === undefined ? typeof cursor === "string" : isCursor(cursor)))
    throw broken(`The response has no ${next.join(".")}`, answered);
  const hasMore = more === undefined ? cursor !== "" : memberOf(answered.data, more);
  if (typeof hasMore !== "boolean") throw broken(`The response has no ${more}`, answered);
  return hasMore ? (cursor as Cursor) : undefined;
}

function isCursor(value: unknown): value is Cursor {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint";
}

function listIn(page: object, { items }: Paging): readonly unknown[] {
  const list = memberOf(page, items);
  return Array.isArray(list) ? list : [];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function broken(message: string, { data, response }: Answered<object>): IdsError {
  return new IdsError(message, { status: response.status, requestId: response.requestId, body: data });
}
