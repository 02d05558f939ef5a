import type { Operation } from "../../contract/catalog.ts";
import { nextCursorReader, pagesTotalReader, pagingOf } from "../../contract/paging.ts";
import { splitTarget } from "../../http/exchange.ts";
import type { Responded } from "../read-response.ts";

export function cursorParameter(operation: Operation): string | undefined {
  return pagingOf(operation)?.cursor.name;
}

/** Returns the cursor of the next page. Empty after the last page, and for a read without pages. */
export function nextCursorIn({ operation, body }: Pick<Responded, "operation" | "body">): string {
  return nextCursorReader(operation)(body);
}

export function isOnlyPage(response: Pick<Responded, "operation" | "target" | "body">): boolean {
  const { operation, target } = response;
  const cursor = new URLSearchParams(splitTarget(target).query).get(cursorParameter(operation) ?? "") ?? "";
  return cursor === "" && nextCursorIn(response) === "";
}

export function isInPages(operation: Operation, table: string): boolean {
  const items = pagingOf(operation)?.items.jsonName;
  return items !== undefined && (table === items || table.startsWith(`${items}.`));
}

/** Returns the number of rows of all pages. Undefined if they are not all counted. */
export function totalIn({ operation, body }: Pick<Responded, "operation" | "body">): number | undefined {
  const total = pagesTotalReader(operation)(body);
  return total && !total.isCapped ? total.rows : undefined;
}
