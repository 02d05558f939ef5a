import { field as fieldOption, operation as operationOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../contract/catalog.ts";
import { getOption } from "../../contract/option.ts";
import { nextCursorReader, pagesTotalReader, pagingOf } from "../../contract/paging.ts";
import { defaultOf } from "../../contract/parameter-default.ts";
import { numberIn, rowLimitOf } from "../../contract/row-limit.ts";
import { splitTarget } from "../../http/exchange.ts";
import { type Html, html } from "../../pages/html.ts";
import { addressWithout } from "../address.ts";
import type { Responded } from "../read-response.ts";

export function cursorParameter(operation: Operation): string | undefined {
  return pagingOf(operation)?.cursor.name;
}

/** Returns the cursor of the next page; empty for the last page or a read without pages. */
export function nextCursorIn({ operation, body }: Pick<Responded, "operation" | "body">): string {
  return nextCursorReader(operation)(body);
}

export function isOnlyPage(response: Pick<Responded, "operation" | "target" | "body">): boolean {
  const { operation, target } = response;
  const cursor = new URLSearchParams(splitTarget(target).query).get(cursorParameter(operation) ?? "") ?? "";
  return cursor === "" && nextCursorIn(response) === "";
}

/** Returns the total number of rows; undefined if the response does not count all of them. */
export function totalIn({ operation, body }: Pick<Responded, "operation" | "body">): number | undefined {
  const total = pagesTotalReader(operation)(body);
  return total && !total.isCapped ? total.rows : undefined;
}

/** Returns whether an unpaged read returned as many rows as requested, so that more rows may exist. */
export function isAtLimit(operation: Operation, target: string, rows: number): boolean {
  const limit = rowLimitOf(operation);
  if (!limit) return false;
  const { field, widest, max } = limit;
  const given = Number(new URLSearchParams(splitTarget(target).query).get(field.name) ?? Number.NaN);
  const requested = given > 0 ? given : given === 0 && widest === 0 ? max : numberIn(defaultOf(field) ?? "");
  return rows > 0 && rows >= Math.min(Number.isNaN(requested) ? max : requested, max);
}

/** Returns the maximum number of rows per page; undefined if the contract has it only in a description. */
export function pageSizeOf({ method }: Operation, target: string): number | undefined {
  const { page } = getOption(method, operationOption);
  const field = method.input.fields.find(({ name }) => name === page?.size);
  const clamp = field && getOption(field, fieldOption).clamp;
  if (!field || !clamp) return undefined;
  const given = Number(new URLSearchParams(splitTarget(target).query).get(field.name));
  return given >= clamp.min ? Math.min(given, clamp.max) : clamp.default;
}

/** Links to other pages of a list. Cursors only lead forward, so there is also a link to the first page. */
export function pagesMarkup(
  path: string,
  query: URLSearchParams,
  nextCursor: string,
  what: string,
  parameter = "cursor",
): Html | undefined {
  const next = new URLSearchParams(query);
  next.set(parameter, nextCursor);
  const isFirst = (query.get(parameter) ?? "") === "";
  if (isFirst && nextCursor === "") return undefined;
  const links = [
    ...(isFirst ? [] : [html`<a href="${addressWithout(parameter, path, query)}">First ${what}</a>`]),
    ...(nextCursor === "" ? [] : [html`<a href="${path}?${next}" rel="next">Next ${what}</a>`]),
  ];
  return html`<nav aria-label="Pages of ${what}"><p>${links.map((link, index) => html`${index > 0 && " · "}${link}`)}</p></nav>`;
}
