import { type Table, tablesOf } from "../../../contract/tables.ts";
import { type Html, type HtmlValue, html } from "../../../pages/html.ts";
import { addressWithout } from "../../address.ts";
import type { Answered } from "../../reads.ts";
import { cursorParameter, isInPages, isOnlyPage, nextCursorIn, totalIn } from "../../view/answer-pages.ts";
import { numberText } from "../../view/figures.ts";
import { pagesMarkup } from "../../view/pages.ts";
import { isAtLimit, limitNames } from "../../view/row-limit.ts";
import type { Visit } from "../../visit.ts";

/** What a list that is not whole says of the rest, and how to get there; undefined where it is whole. */
export function beyondText(answer: Answered, table: Table, rows: number, visit: Visit): HtmlValue {
  const { operation, target } = answer;
  if (!isOnlyPage(answer)) {
    if (!isInPages(operation, table.name)) return undefined;
    const total = table === tablesOf(operation)[0] ? totalIn(answer) : undefined;
    return total === undefined ? "There are more on other pages." : `All pages together have ${numberText(total)}.`;
  }
  if (!isAtLimit(operation, target, rows)) return undefined;
  // More may be asked for than one request returns.
  const name = [...limitNames].find((each) => Number(visit.query.get(each) ?? Number.NaN) <= rows);
  return name === undefined
    ? "These are as many as one request returns: there may be more, which filters find."
    : html`These are as many as were asked for: there may be more. <a href="${addressWithout(name, visit.path, visit.query)}">Show as many as one request returns</a>`;
}

/** A link to the rows that follow, where the read has pages. */
export function nextPage(answer: Answered, { path, query }: Visit): Html | undefined {
  const parameter = cursorParameter(answer.operation);
  return parameter === undefined ? undefined : pagesMarkup(path, query, nextCursorIn(answer), "rows", parameter);
}
