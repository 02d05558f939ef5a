import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { operation as operationOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { AnyOperation } from "./catalog.ts";
import { getOption } from "./option.ts";

/** How a read answers page by page. */
export interface Paging {
  /** The parameter that takes the cursor. */
  readonly cursor: DescField;
  /** The members of a response that lead to the next cursor. */
  readonly next: readonly DescField[];
  /** The list that is paged. */
  readonly items: DescField & { readonly fieldKind: "list"; readonly listKind: "message" };
  /** Where the cursors are positions: whether there are more pages. Absent where the last page has no cursor. */
  readonly more?: DescField;
}

/** Undefined of a response that is whole. */
export function pagingOf({ method }: Pick<AnyOperation, "method">): Paging | undefined {
  const { page, rows } = getOption(method, operationOption);
  if (!page) return undefined;
  const items = fieldOf(method.output, rows[0]?.path ?? "");
  if (items.fieldKind !== "list" || items.listKind !== "message")
    throw new Error(`${method.name} has pages of no list`);
  return {
    cursor: fieldOf(method.input, page.cursor),
    next: fieldsAlong(method.output, page.nextCursor),
    items,
    ...(page.more === "" ? {} : { more: fieldOf(method.output, page.more) }),
  };
}

/** Says what a format without a place for it cannot: where the next page begins. Absent from the last page. */
export const nextCursorHeader = "X-Next-Cursor";

/** Reads from a response where its next page begins; empty after the last, and always of a read without pages. */
export function nextCursorReader(operation: Pick<AnyOperation, "method">): (response: Message) => string {
  const paging = pagingOf(operation);
  if (!paging) return () => "";
  const { next, more } = paging;
  return (response) => (more && valueAt(response, [more]) !== true ? "" : String(valueAt(response, next) ?? ""));
}

/** How many rows all pages have together. */
export interface PagesTotal {
  readonly rows: number;
  /** There are more than are counted. */
  readonly isCapped: boolean;
}

/** Reads it from a page; undefined where they are not counted. */
export function pagesTotalReader({
  method,
}: Pick<AnyOperation, "method">): (response: Message) => PagesTotal | undefined {
  const { page } = getOption(method, operationOption);
  if (!page || page.total === "") return () => undefined;
  const total = fieldsAlong(method.output, page.total);
  const capped = page.totalCapped === "" ? undefined : fieldsAlong(method.output, page.totalCapped);
  return (response) => ({
    rows: Number(valueAt(response, total) ?? 0),
    isCapped: capped !== undefined && valueAt(response, capped) === true,
  });
}

function valueAt(response: Message, path: readonly DescField[]): unknown {
  return path.reduce<unknown>((value, { localName }) => Object(value)[localName], response);
}

function fieldsAlong(output: DescMessage, path: string): DescField[] {
  let message: DescMessage | undefined = output;
  return path.split(".").map((name) => {
    if (!message) throw new Error(`${path} is no field of ${output.typeName}`);
    const field = fieldOf(message, name);
    message = field.message;
    return field;
  });
}

function fieldOf(message: DescMessage, name: string): DescField {
  const field = message.fields.find((each) => each.name === name);
  if (!field) throw new Error(`${name} is no field of ${message.typeName}`);
  return field;
}
