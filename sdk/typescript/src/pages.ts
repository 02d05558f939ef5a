import type { Answered } from "./api-promise.ts";
import { IdsError } from "./errors.ts";
import type { paging } from "./gen/paging.ts";
import type { CallOptions } from "./options.ts";

/** Every paged operation by its domain and name. */
export type PagedOperations = typeof paging;

/** How an operation is paged. */
export interface Paging<Items extends PropertyKey = string> {
  /** The parameter that takes the cursor. */
  readonly cursor: string;
  /** Where an answer has the cursor of the next page. */
  readonly next: readonly string[];
  /** The list of an answer that is paged. */
  readonly items: Items;
  /** What says whether there are more pages, where the cursor is a position, which has no end. */
  readonly more?: string;
}

/** A text, or a position in either form. */
export type Cursor = string | number | bigint;

/** What a walk over pages may say for itself; the rest holds for each of its requests. */
export interface PageOptions extends CallOptions {
  /** Items after which the walk ends; without one, it goes to the last page. Pages are always whole. */
  readonly maxItems?: number | undefined;
}

/** A paged list: `for await` gives its items, each page asked for when the one before is used up. */
export interface Pages<Item, Page> extends AsyncIterable<Item> {
  /** All items at once. */
  toArray(): Promise<Item[]>;
  /** The pages instead of their items. */
  byPage(): AsyncGenerator<Page, void, undefined>;
  /** The pages, each with what came beside it. */
  withResponse(): AsyncGenerator<Answered<Page>, void, undefined>;
}

/** One element of a list. */
export type Element<List> = List extends readonly (infer Item)[] ? Item : never;

/** Makes a walk; nothing is asked before it begins. Throws a RangeError that names `maxItems`. */
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
    // The same page once more would be read for ever.
    if (next !== undefined && String(next) === String(cursor)) throw broken("The next page is the same page", answered);
    cursor = next;
    left -= listIn(answered.data, paging).length;
    yield answered;
  } while (cursor !== undefined && left > 0);
}

/** Undefined after the last page. An answer that does not say is no page: the end would look as if all had been read. */
function cursorIn(answered: Answered<object>, { next, more }: Paging): Cursor | undefined {
  const cursor = next.reduce<unknown>(memberOf, answered.data);
  if (!(more === undefined ? typeof cursor === "string" : isCursor(cursor)))
    throw broken(`The answer has no ${next.join(".")}`, answered);
  const goesOn = more === undefined ? cursor !== "" : memberOf(answered.data, more);
  if (typeof goesOn !== "boolean") throw broken(`The answer has no ${more}`, answered);
  return goesOn ? (cursor as Cursor) : undefined;
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
