import { type Html, html } from "../../pages/html.ts";
import { addressWithout } from "../address.ts";

/** Links to the other pages of a list. A cursor leads only forward, so the way back is the first page. */
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
