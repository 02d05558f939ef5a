import { type DescMessage, getOption, type Message } from "@bufbuild/protobuf";
import { operation as operationOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { AnyOperation } from "./catalog.ts";

/** Says what a format without a place for it cannot: where the next page begins. Absent from the last page. */
export const nextCursorHeader = "X-Next-Cursor";

/** Reads from a response where its next page begins; empty after the last, and always of a read without pages. */
export function nextCursorReader({ method }: Pick<AnyOperation, "method">): (response: Message) => string {
  const { page } = getOption(method, operationOption);
  if (!page) return () => "";
  const path = localNames(method.output, page.nextCursor);
  return (response) => {
    const cursor = path.reduce<unknown>((value, name) => Object(value)[name], response);
    return typeof cursor === "string" ? cursor : "";
  };
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
  const at = (path: string) => {
    const names = path === "" ? [] : localNames(method.output, path);
    return (response: Message) => names.reduce<unknown>((value, name) => Object(value)[name], response);
  };
  const [total, capped] = [at(page.total), at(page.totalCapped)];
  return (response) => ({ rows: Number(total(response) ?? 0), isCapped: capped(response) === true });
}

/** Names of the members that lead to a field. */
function localNames(response: DescMessage, path: string): string[] {
  let at: DescMessage | undefined = response;
  return path.split(".").map((name) => {
    const field = at?.fields.find((each) => each.name === name);
    if (!field) throw new Error(`${path} is no field of ${response.typeName}`);
    at = field.message;
    return field.localName;
  });
}
