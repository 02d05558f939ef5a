import type { Operation } from "../../contract/catalog.ts";
import { anchorOf } from "../../pages/reference/blocks.ts";
import { pageOf } from "../../pages/reference/contents.ts";
import { sourcesHeading } from "../../pages/reference/operation-sources.ts";

/** Of an answer from more datasets than these the list of all is the page. */
const maxPages = 4;

/** Leads from an answer to its documentation, its contract, the pages of its datasets and the terms of its sources (RFC 8288), as a flat pair. */
export function dataLinks(operation: Operation, datasets: readonly string[]): readonly string[] {
  const pages = datasets.length > maxPages ? ["/data"] : datasets.map((name) => `/data/${name}`);
  const links = [
    `<${pageOf(operation)}>; rel="help"`,
    `<${termsPage(operation)}>; rel="license"`,
    ...pages.map((page) => `<${page}>; rel="about"`),
    '</openapi.json>; rel="service-desc"',
  ];
  return ["Link", links.join(", ")];
}

/** Where the terms of an operation's sources are told. */
export function termsPage(operation: Operation): string {
  return `${pageOf(operation)}#${anchorOf(sourcesHeading)}`;
}
