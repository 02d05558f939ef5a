import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { operation as operationOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { AnyOperation } from "./catalog.ts";
import { getOption } from "./option.ts";

export interface Paging {
  readonly cursor: DescField;
  readonly next: readonly DescField[];
  readonly items: DescField & { readonly fieldKind: "list"; readonly listKind: "message" };
  /** Field that says whether more pages exist; undefined if the empty cursor of the last page says it. */
  readonly more?: DescField;
}

/** Returns how the response is paged; undefined for an unpaged one. */
export function pagingOf({ method }: Pick<AnyOperation, "method">): Paging | undefined {
  const { page, rows } = getOption(method, operationOption);
  if (!page) return undefined;
  // Pages of nested rows are pages of the outer list.
  const [list = ""] = (rows[0]?.path ?? "").split(".");
  const items = fieldOf(method.output, list);
  if (items.fieldKind !== "list" || items.listKind !== "message")
    throw new Error(`${method.name} has pages of no list`);
  return {
    cursor: fieldOf(method.input, page.cursor),
    next: fieldsAlong(method.output, page.nextCursor),
    items,
    ...(page.more === "" ? {} : { more: fieldOf(method.output, page.more) }),
  };
}

/** Returns whether the rows of a table are in pages. Other tables of the response are complete on every page. */
export function isInPages(operation: Pick<AnyOperation, "method">, table: string): boolean {
  const items = pagingOf(operation)?.items.jsonName;
  return items !== undefined && (table === items || table.startsWith(`${items}.`));
}

/** Header with the cursor of the next page, for file formats. The last page does not have it. */
export const nextCursorHeader = "X-Next-Cursor";

/** Reads the cursor of the next page from a response. It is empty on the last page. */
export function nextCursorReader(operation: Pick<AnyOperation, "method">): (response: object) => string {
  const paging = pagingOf(operation);
  if (!paging) return () => "";
  const { next, more } = paging;
  return (response) => (more && valueAt(response, [more]) !== true ? "" : String(valueAt(response, next) ?? ""));
}

export interface PagesTotal {
  readonly rows: number;
  /** True if more rows exist than the service counts. */
  readonly isCapped: boolean;
}

/** Returns a function that reads the total number of rows from a page; undefined if rows are not counted. */
export function pagesTotalReader({
  method,
}: Pick<AnyOperation, "method">): (response: object) => PagesTotal | undefined {
  const { page } = getOption(method, operationOption);
  if (!page || page.total === "") return () => undefined;
  const total = fieldsAlong(method.output, page.total);
  const capped = page.totalCapped === "" ? undefined : fieldsAlong(method.output, page.totalCapped);
  return (response) => ({
    rows: Number(valueAt(response, total) ?? 0),
    isCapped: capped !== undefined && valueAt(response, capped) === true,
  });
}

function valueAt(response: object, path: readonly DescField[]): unknown {
  return path.reduce<unknown>((value, { localName }) => Object(value)[localName], response);
}

function fieldsAlong(output: DescMessage, path: string): DescField[] {
  let message: DescMessage | undefined = output;
  return path.split(".").map((name) => {
    if (!message) throw new Error(`${path} is not a field of ${output.typeName}`);
    const field = fieldOf(message, name);
    message = field.message;
    return field;
  });
}

function fieldOf(message: DescMessage, name: string): DescField {
  const field = message.fields.find((each) => each.name === name);
  if (!field) throw new Error(`${name} is not a field of ${message.typeName}`);
  return field;
}
