import type { JsonObject, Message } from "@bufbuild/protobuf";
import type { Operation } from "../../contract/catalog.ts";
import { nextCursorReader, pagesTotalReader, pagingOf } from "../../contract/paging.ts";
import { splitTarget } from "../../http/exchange.ts";
import type { Responded } from "../read-response.ts";

/** Name of the parameter that leads to the pages of a read; undefined where it has none. */
export function cursorParameter(operation: Operation): string | undefined {
  return pagingOf(operation)?.cursor.name;
}

/** Where the next page begins; empty after the last, and of a read without pages. */
export function nextCursorIn({ operation, body }: Pick<Responded, "operation" | "body">): string {
  return nextCursorReader(operation)(messageOf(body));
}

/** Whether an answer is the first page and the last. */
export function isOnlyPage(response: Pick<Responded, "operation" | "target" | "body">): boolean {
  const { operation, target } = response;
  const cursor = new URLSearchParams(splitTarget(target).query).get(cursorParameter(operation) ?? "") ?? "";
  return cursor === "" && nextCursorIn(response) === "";
}

/** Whether a table is what the pages of a read cut, or stands within. */
export function isInPages(operation: Operation, table: string): boolean {
  const items = pagingOf(operation)?.items.jsonName;
  return items !== undefined && (table === items || table.startsWith(`${items}.`));
}

/** How many rows all pages have; undefined where they are not counted to the end. */
export function totalIn({ operation, body }: Pick<Responded, "operation" | "body">): number | undefined {
  const total = pagesTotalReader(operation)(messageOf(body));
  return total && !total.isCapped ? total.rows : undefined;
}

/** Members of an answer are named as those of its message. */
function messageOf(body: JsonObject): Message {
  return body as unknown as Message;
}
