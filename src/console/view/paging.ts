import type { DescField } from "@bufbuild/protobuf";
import { field as fieldOption, operation as operationOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../contract/catalog.ts";
import { getOption } from "../../contract/option.ts";
import { nextCursorReader, pagesTotalReader, pagingOf } from "../../contract/paging.ts";
import { defaultOf } from "../../contract/parameter-default.ts";
import { numberIn, rowLimitOf } from "../../contract/row-limit.ts";
import { type Html, html, joined } from "../../pages/html.ts";
import { addressWith, queryOf } from "../address.ts";
import type { PageContext } from "../page-context.ts";
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
  const cursor = queryOf(target).get(cursorParameter(operation) ?? "") ?? "";
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
  const given = Number(queryOf(target).get(field.name) ?? Number.NaN);
  const requested = given > 0 ? given : given === 0 && widest === 0 ? max : numberIn(defaultOf(field) ?? "");
  return rows > 0 && rows >= Math.min(Number.isNaN(requested) ? max : requested, max);
}

/** Returns the parameter for the number of rows per page. */
export function pageSizeField({ method }: Operation): DescField | undefined {
  const { page } = getOption(method, operationOption);
  return method.input.fields.find(({ name }) => name === page?.size);
}

/** Returns the maximum number of rows per page; undefined if the contract has it only in a description. */
export function pageSizeOf(operation: Operation, target: string): number | undefined {
  const field = pageSizeField(operation);
  const clamp = field && getOption(field, fieldOption).clamp;
  if (!field || !clamp) return undefined;
  const given = Number(queryOf(target).get(field.name));
  return given >= clamp.min ? Math.min(given, clamp.max) : clamp.default;
}

/** Links to other pages of a list. Cursors only lead forward, so there is also a link to the first page. */
export function pagesMarkup(
  page: PageContext,
  nextCursor: string,
  what: string,
  parameter = "cursor",
): Html | undefined {
  const isFirst = (page.query.get(parameter) ?? "") === "";
  if (isFirst && nextCursor === "") return undefined;
  const links = [
    ...(isFirst ? [] : [html`<a href="${addressWith(page, { [parameter]: undefined })}">First ${what}</a>`]),
    ...(nextCursor === ""
      ? []
      : [html`<a href="${addressWith(page, { [parameter]: nextCursor })}" rel="next">Next ${what}</a>`]),
  ];
  return html`<nav aria-label="Pages of ${what}"><p>${joined(links, " · ")}</p></nav>`;
}
